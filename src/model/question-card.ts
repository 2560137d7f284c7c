/** A question of a run that lies with people, as a card shows it. */
import type { Answer } from './answer.ts'
import type { Contract, Option } from './contract.ts'
import type { Decision } from './decision.ts'
import type { ShownCommand } from './decision-record.ts'
import type { Cause } from './event.ts'

export interface QuestionCard {
  readonly id: string
  readonly step: string
  readonly cause: Cause
  readonly headline: string
  readonly detail: string
  readonly openedAt: number
  readonly expiresAt: number | null
  readonly context: Readonly<Record<string, string>>
  readonly contract: Contract
  readonly choices: readonly {
    readonly outcome: string
    readonly option: Option | null
    readonly leadsTo: string
  }[]
  readonly extras: readonly string[]
  /** What each choice and extra has run at once. */
  readonly runs: Readonly<Record<string, readonly ShownCommand[]>>
  readonly proposal: Answer | null
  /** What an agent asks; null for the flow's own questions. */
  readonly decision: Decision | null
}
