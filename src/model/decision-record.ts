/**
 * A decision as people meet it: what was shown, who asked, what became of it. The same record for a step's question, a
 * fault's, an agent's own and one from outside any run; every list, card and door is made from it.
 */
import type { Actor, FieldValue } from './answer.ts'
import type { Field } from './contract.ts'
import type { Urgency } from './decision.ts'
import type { Cause } from './event.ts'
import type { Holder } from './fact.ts'
import type { Proof } from './proof.ts'

/** Waiting is not failing; an answer is not yet an act. */
export const DECISION_STATUSES = [
  'open',
  'answered',
  'delivered',
  'acknowledged',
  'acted',
  'expired',
  'superseded',
  'withdrawn',
  'undeliverable',
] as const
export type DecisionStatus = (typeof DECISION_STATUSES)[number]

/** One call waits no longer for an answer; whoever wants to wait longer calls again. */
export const LONGEST_WAIT_S = 45

/** A command that an answer has run at once, as a card shows it: never cut. */
export interface ShownCommand {
  /** Its very words; a look-up whose value is not known yet, or is long, stands as it was written. */
  readonly command: string
  /** The step it belongs to; empty where whoever asked from outside named it. */
  readonly step: string
  /** Empty: the run's own place. */
  readonly folder: string
  /** `none`: it runs outside any sandbox; `run`: in what holds every command of its run. */
  readonly held: 'none' | 'run'
}

export interface ShownOption {
  /** An option's key, or `@retry` and `@stop`. */
  readonly key: string
  readonly label: string
  readonly body: string
  readonly reversible: boolean
  readonly confidence: number | null
  /** Where the flow goes from there; empty for an agent's own question. */
  readonly leadsTo: string
  /** Only a person may take it; left out where that is not so. */
  readonly confirm?: true
  /** What picking it has run at once, wherever its route leads; left out where that is nothing. */
  readonly runs?: readonly ShownCommand[]
}

/** What a person sees, and what an answer is bound to by its digest. */
export interface Shown {
  readonly headline: string
  readonly question: string
  readonly detail: string
  /** Named texts: an agent's context and evidence, or what a step's commands found. */
  readonly context: Readonly<Record<string, string>>
  readonly options: readonly ShownOption[]
  readonly recommended: string | null
  /** What an answer may bring beside its option. */
  readonly fields: readonly Field[]
  /** What an agent proposes these to be. */
  readonly proposed: Readonly<Record<string, unknown>>
  /** What any answer has run; left out where that is nothing. */
  readonly runs?: readonly ShownCommand[]
}

export interface Asker {
  /** The agent's name in the runbook, or how a client outside names itself. */
  readonly agent: string
  /** The program and its version as it named itself. */
  readonly program: string
  readonly version: string
  /** Empty where it was not told. */
  readonly model: string
  /** The person of the owner's list whose token asked; left out where none did. */
  readonly person?: string
}

export interface DecisionRecord {
  /** Short, for people; a prefix will do. */
  readonly id: string
  /** Where it stands in the journal. */
  readonly stream: string
  readonly question: string
  readonly run: string | null
  readonly step: string | null
  readonly cause: Cause | 'outside'
  /** The template it follows; empty for none. */
  readonly kind: string
  readonly repo: string
  readonly runbook: string
  readonly asker: Asker | null
  /** What held the agents of its run until it was asked, all of them; left out where none had worked, or nobody said. */
  readonly confined?: Holder
  readonly shown: Shown
  /** What it showed before it was last looked at again and was different; null where it never was. */
  readonly earlier: Shown | null
  /** Of what is shown. */
  readonly digest: string
  /** The key of the same question: all that ask the same in the same words have the same. Named as rows in the journal have it. */
  readonly alike: string
  readonly urgency: Urgency
  readonly openedAt: number
  readonly expiresAt: number | null
  readonly snoozedUntil: number | null
  readonly assignee: string | null
  readonly reminders: number
  readonly status: DecisionStatus
  readonly stages: readonly { readonly status: DecisionStatus; readonly at: number }[]
  readonly by: Actor | null
  /** Empty where a person only said something. */
  readonly pick: string
  readonly note: string
  readonly edited: string | null
  /** Of a form; left out where there are none. */
  readonly fields?: Readonly<Record<string, FieldValue>>
  readonly batch: string | null
  /** Until then the answer can be taken back, and nothing comes of it; left out where it is not held. */
  readonly undoableUntil?: number
  /** What the agent did first after it had the answer. */
  readonly did: string
  /** What its agent did after it had asked, and should have stopped; left out where it stopped. */
  readonly outran?: readonly string[]
  readonly supersedes: string | null
  readonly supersededBy: string | null
  /** What went wrong so far in giving the answer to whoever asked. */
  readonly delivery: { readonly failures: number; readonly trouble: string; readonly nextAt: number | null }
  readonly proof: Proof | null
}

/** The line of a list: without the texts that only a card shows. */
export interface DecisionRow
  extends Omit<DecisionRecord, 'shown' | 'earlier' | 'proof' | 'stages' | 'fields'> {
  readonly headline: string
  readonly ask: string
  readonly options: readonly Omit<ShownOption, 'body'>[]
  readonly recommended: string | null
  /** What any answer has run; left out where that is nothing. */
  readonly runs?: readonly ShownCommand[]
  readonly answeredAt: number | null
  readonly closedAt: number | null
  readonly dictated: boolean | null
}

/** Still a person's to do something about. */
export const isPending = ({ status }: Pick<DecisionRecord, 'status'>): boolean =>
  status === 'open' || status === 'undeliverable'
