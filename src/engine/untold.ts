/** What a person said and an agent has yet to be told. */
import type { MemberState, RunState } from './state.ts'

export const isUntold = ({ words }: MemberState): boolean => words.some(({ told }) => told === null)

/** What goes with its next prompt. */
export const untoldTo = ({ current }: RunState, member: number): readonly string[] =>
  current?.members[member]?.words.flatMap(({ id, told }) => (told === null ? [id] : [])) ?? []

export const HEAR_FIRST =
  'You had answered, and a person said something before that counted. Take it into account, then answer again.'
