/**
 * One agent's conversation for one visit, as far as it must be known to say what comes next; what can come in; and what
 * can be done about it. `meet.ts` is the rule. All of it may be lost in a crash: what must not be lost is in the journal.
 */
import type { TurnEnd, Update } from '../../drivers/index.ts'
import type { FieldValue } from '../../model/answer.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { Fact } from '../../model/fact.ts'
import type { StuckLimits } from '../../model/program.ts'
import type { WorktreeSeen } from '../workspace/worktree-seen.ts'
import type { CircleBegan } from './circle-verdict.ts'
import type { Following } from './ledger.ts'
import type { AskedInTurn } from './outrun.ts'
import type { UnclearEnd } from './turn-verdict.ts'
import { NOTHING_SEEN, type Watched } from './watch.ts'

export interface Conversation {
  readonly phase: Phase
  readonly attempt: number
  /** Its turn was cut off by the end of a host, and it has not been told so yet. */
  readonly interrupted: boolean
  /** How far the agent has come with our MCP server. */
  readonly tools: ToolsSeen
  /** How its last turn ended, until that is taken in. */
  readonly ending: TurnEnd | null
  /** Last sign of life. */
  readonly aliveAt: number
  /** What it did in this turn, as far as loops are concerned. */
  readonly watched: Watched
  /** Null: no circle is seen in it. */
  readonly circleBegan: CircleBegan | null
  /** When it counts as stuck; null: never. */
  readonly stuck: StuckLimits | null
  /** What its last turn left; see `concluded`. */
  readonly left: string
  /** Its turns in a row that brought nothing new. */
  readonly idleTurns: number
  /** It was told that it goes round in circles. */
  readonly warned: boolean
  /** What it said could not be dealt with, and why: its own fault, and nobody else's. */
  readonly unreadable: string | null
  /** It compacted its context, and has not been given what its prime says of that. */
  readonly compacted: boolean
  /** Requests for permission, and forms, by question: with a person, or answered and about to be given to it. */
  readonly requests: Readonly<Record<string, 'open' | 'answered'>>
  /** Answers it has got already: it fetched them, was told of them, or they were permissions. */
  readonly heard: ReadonlySet<string>
  /** The answer it was given last, until it has acted on it. */
  readonly following: Following | null
  /** What it asked a person in this turn and is not answered; null: it has nothing to wait for. */
  readonly asking: AskedInTurn | null
  /** Why forms of this turn were declined; told with the next prompt. */
  readonly declined: readonly string[]
  /** What its answer named and we did not find; told with the next prompt. */
  readonly remarks: readonly string[]
  /** The last turn after which it was asked whether it had finished; null: none, or it was given a person's answer since. */
  readonly unclear: UnclearEnd | null
}

/** No program yet; one that waits for a prompt; an open turn, or one whose end nobody has looked at; its end being taken in. */
export type Phase = 'closed' | 'idle' | 'turn' | 'concluding'

export type ToolsSeen = 'unseen' | 'greeted' | 'listed'

export const NEW_CONVERSATION: Conversation = {
  phase: 'closed',
  attempt: 1,
  interrupted: false,
  tools: 'unseen',
  ending: null,
  aliveAt: 0,
  watched: NOTHING_SEEN,
  circleBegan: null,
  stuck: null,
  left: '',
  idleTurns: 0,
  warned: false,
  unreadable: null,
  compacted: false,
  requests: {},
  heard: new Set(),
  following: null,
  asking: null,
  declined: [],
  remarks: [],
  unclear: null,
}

/** What a session knows: nothing, all it was told before it was closed, or it was never away. */
export type Memory = 'fresh' | 'reopened' | 'live'

export type Incoming =
  /** The run wants the agent at work. */
  | {
      readonly kind: 'duty'
      readonly at: number
      readonly attempt: number
      /** The journal has it at work already: an earlier host began this. */
      readonly running: boolean
      /** The first turn of its attempt. */
      readonly first: boolean
      /** What a person decided has not reached it. */
      readonly unheard: boolean
      readonly stuck: StuckLimits | null
    }
  /** What it left when its host ended. */
  | {
      readonly kind: 'looked'
      readonly left: 'answer' | 'question' | 'nothing'
      readonly following: Following | null
    }
  | { readonly kind: 'opened'; readonly memory: 'fresh' | 'reopened' }
  /** Its program ended while nobody spoke with it, or it was left meanwhile. */
  | { readonly kind: 'program-gone' }
  /** Recorded, and now on its way to the agent. */
  | {
      readonly kind: 'prompted'
      readonly at: number
      readonly told: readonly string[]
      readonly following: Following | null
    }
  | { readonly kind: 'tools'; readonly seen: 'greeted' | 'listed' }
  | { readonly kind: 'update'; readonly at: number; readonly update: Update }
  /** Handling what it said has failed. */
  | { readonly kind: 'unreadable'; readonly detail: string }
  /** A form of it was answered by nobody, or in a way that its protocol cannot carry. */
  | { readonly kind: 'form-declined'; readonly reason: string }
  /** It has asked a person, and should stop now. */
  | { readonly kind: 'raised'; readonly question: string; readonly then: AskedInTurn['then'] }
  /** A request of its protocol lies with a person; or never came to one. */
  | { readonly kind: 'requested' | 'request-refused'; readonly question: string }
  /** A person has answered, or nobody will. */
  | { readonly kind: 'decided' | 'closed' | 'lapsed'; readonly question: string }
  /** An answer stands as given to it in the journal; or could not: it was taken back at this very moment. */
  | { readonly kind: 'delivered'; readonly question: string; readonly record: DecisionRecord | undefined }
  | { readonly kind: 'taken-back'; readonly question: string }
  | {
      readonly kind: 'clock'
      readonly at: number
      readonly stallMs: number | null
      /** Whether it would know what it was told before, were it told something in the middle of its turn. */
      readonly remembers: boolean
      /** Its worktree now, where that had to be looked at; see `look-at-worktree`. */
      readonly worktree: WorktreeSeen | null
    }
  /** The clock jumped, forward or back: nobody was awake in that time, and silence in it is none. */
  | { readonly kind: 'jumped'; readonly byMs: number }
  /** The duty is gone; `asked`: because the agent waits for a person. */
  | { readonly kind: 'withdrawn'; readonly asked: boolean }
  | ({ readonly kind: 'turn-ended'; readonly end: TurnEnd } & TurnSeen)
  | {
      readonly kind: 'concluded'
      /** It may be sent back, or asked further. */
      readonly wanted: boolean
      readonly answered: boolean
      /** Equal where it left the same: files, artifacts and answer. */
      readonly left: string
      readonly remarks: readonly string[]
      /** How its turn ended, where it is asked whether its work is finished. */
      readonly unclear: UnclearEnd | null
    }

/** Who saw a turn end, and what they know of the run then. */
export type TurnSeen =
  /** The duty that began it. */
  | { readonly by: 'prompter' }
  /** A duty that came with a person's answer while it was open. */
  | {
      readonly by: 'successor'
      readonly standing: boolean
      readonly unheard: boolean
      /** The latest of its questions that was decided, or lapsed. */
      readonly latest: string | null
      readonly answered: boolean
    }
  /** Nobody but us. */
  | {
      readonly by: 'nobody'
      readonly standing: boolean
      readonly asking: boolean
      readonly answered: boolean
    }

export type Next =
  /** Looks for what it left; comes back as `looked`. */
  | { readonly act: 'look' }
  /** Starts its program; comes back as `opened`. */
  | { readonly act: 'open' }
  /** Puts away whatever it answered before: that does not count any more. */
  | { readonly act: 'clear-answers' }
  /** Tells it what to do. */
  | { readonly act: 'prompt'; readonly memory: Memory }
  /** Waits for the end of the open turn. */
  | { readonly act: 'watch' }
  | { readonly act: 'look-again'; readonly at: number }
  /** Comes back with the `clock`. */
  | { readonly act: 'look-at-worktree' }
  | { readonly act: 'deliver'; readonly question: string }
  /** Ends a request of its protocol; null: nobody will answer it. */
  | { readonly act: 'reply'; readonly question: string; readonly picked: Picked | null }
  | { readonly act: 'record'; readonly facts: readonly Fact[] }
  | { readonly act: 'conclude'; readonly end: TurnEnd }
  /** Its turn ended while its question is open: the answer that it gave all the same withdraws the question. */
  | { readonly act: 'take-answer' }
  /** Stops its turn, and tells it something in the same conversation. */
  | { readonly act: 'interrupt'; readonly text: string; readonly seen: string }
  | { readonly act: 'break-off'; readonly fault: 'stalled' | 'failed'; readonly detail: string }
  /** Another session takes the duty up from its beginning. */
  | { readonly act: 'hand-on' }
  /** It stays as it is, and whoever comes next goes on with it. */
  | { readonly act: 'hold' }
  /** It went on where it should have stopped: its program is ended, and resumed with the answer. */
  | { readonly act: 'stop' }
  | { readonly act: 'leave' }

/** What a person picked; empty where they only said something. */
export interface Picked {
  readonly pick: string
  readonly fields: Readonly<Record<string, FieldValue>>
  readonly note: string
}
