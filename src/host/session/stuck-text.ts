/** What an agent that comes no further is told, once, and what the record says if it still does not. */
import type { Circle } from './watch.ts'

const CURE =
  'Nothing comes of it. Do something else now; if you cannot go on, ask a person, or give the answer that says so.'

export const circleSeen = ({ calls: [first = '', ...others], rounds }: Circle): string =>
  others.length === 0
    ? `the same tool call ${rounds} times in a row: ${first}`
    : `the same ${others.length + 1} tool calls in turn, ${rounds} times: ${[first, ...others].join(', then ')}`

export const circleTold = (circle: Circle): string => `You have made ${circleSeen(circle)}.\n\n${CURE}`

export const idleSeen = (turns: number): string =>
  `${turns} turns in a row without a changed file, another answer or a tool call that it had not made before`

export const idleTold = (turns: number): string =>
  `You have ended ${turns} turns in a row without changing a file, giving another answer or making a tool call that you had not made before. ${CURE}`
