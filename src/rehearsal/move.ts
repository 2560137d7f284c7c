/** Something that can happen in a run, as an act and as the commands that bring it about. */
import type { Actor } from '../model/answer.ts'
import type { RunCommand } from '../model/command.ts'
import type { Act } from './act.ts'

export interface Move {
  readonly act: Act
  /** When the world is at it afterwards. */
  readonly at: number
  readonly commands: readonly RunCommand[]
}

/** Who answers for people in a rehearsal. */
export const REHEARSER: Actor = { kind: 'person', name: 'rehearsal' }

export const moveBy = (act: Act, at: number, ...commands: RunCommand[]): Move => ({ act, at, commands })

/** `each`: every fault by itself; `by-route`: one for all that lead the same way. */
export type FaultWalks = 'each' | 'by-route'
