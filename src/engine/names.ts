/** How a run calls its parts, so that everybody calls them the same. */
import type { MemberState, RunState } from './state.ts'

export const seatName = (step: string, visit: number, member: number): string => `${step}#${visit}.${member}`

/** One prompt among those of a visit. */
export const turnName = ({ attempt, turn }: MemberState): string => `${attempt}.${turn}`

/** The next question of one who has asked so many before. */
export const nextQuestion = (asker: string, asked: number): string => `${asker}?${asked + 1}`

/** Of a step's latest visit; zero before the first. */
export const visitNumber = ({ numbers, visits }: RunState, step: string): number =>
  numbers[step] ?? visits[step] ?? 0
