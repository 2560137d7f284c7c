/**
 * What is proved of a program before it runs. All numbers are worst cases of a run that nobody extends. The largest whole
 * number that is exact stands for itself and all above it: see `isCounted`.
 */
import type { Network, StepKind } from './program.ts'
import type { Origin } from './route.ts'

export interface Certificate {
  readonly runbook: string
  /** Of the program this speaks of. */
  readonly digest: string
  /** The numbers are reached by some run; otherwise they are true bounds ("at most"). */
  readonly exact: boolean
  readonly worst: Worst
  /** The worst case of runs in which no fault happens, and every trial of a gate goes as expected. */
  readonly faultless: Worst
  readonly steps: readonly StepBound[]
  readonly budgets: Readonly<Record<string, number>>
  readonly ends: readonly string[]
  readonly matrix: readonly MatrixRow[]
  /** Routing states examined. */
  readonly states: number
  /** Steps of a longest run, in order; empty where the numbers are not exact, or it has more than 100,000 visits. */
  readonly longestPath: readonly string[]
  /** What the agents may do of which something is said. */
  readonly roles: readonly Role[]
  /** Steps whose command changes issues. */
  readonly changesIssues: readonly string[]
}

export interface Role {
  readonly agent: string
  /** Globs and look-ups as they are written; null: anything in the worktree; empty: nothing. */
  readonly writes: readonly string[] | null
  /** Null, here and below: the user's configuration says it. */
  readonly network: Network | null
  readonly git: 'read' | 'write' | null
  readonly judge: string | null
}

/** Whether a number of the certificate is that number, and not "so many or more". */
export const isCounted = (count: number): boolean => count < Number.MAX_SAFE_INTEGER

export interface Worst {
  /** Length of the longest path, in visits. */
  readonly visits: number
  /** Prompts to agents: first briefs, nudges, gate returns and held signals, of every panel member. */
  readonly dispatches: number
  /** Questions to people, all together… */
  readonly questions: number
  /** …put by the flow itself (decisions, confirmations, faults)… */
  readonly flowQuestions: number
  /** …and raised by agents within their allowance. */
  readonly agentQuestions: number
}

export interface StepBound {
  readonly step: string
  readonly kind: StepKind
  readonly visits: number
  readonly dispatchesPerVisit: number
  readonly questionsPerVisit: number
}

export interface MatrixRow {
  readonly step: string
  readonly outcome: string
  readonly label: string
  readonly kind: 'answer' | 'fault' | 'person'
  readonly origin: Origin
  readonly route: string
}
