/**
 * What makes an agent work. A driver opens a session with one agent program, in a process of its own; the session
 * takes one prompt at a time and tells what the agent does meanwhile. Nothing here throws past its border: whatever
 * the world does becomes an `Opened` or a `TurnEnd`.
 */
import type { FieldValue } from '../model/answer.ts'
import type { DecisionForm } from '../model/decision-form.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

export interface Launch {
  /** Program and arguments; the program is found on PATH or is an absolute path. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** All of the environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  /** Null: not sandboxed. */
  readonly sandbox: Sandbox | null
}

export interface OpenRequest {
  readonly launch: Launch
  /** The session to go on with, or null for a new one. */
  readonly resume: string | null
  /** The model it is asked for over its protocol. Left out: whichever it has. */
  readonly model?: string
  /** The MCP server offered to the agent; the token is this session's alone. */
  readonly mcp: {
    readonly name: string
    readonly url: string
    readonly token: string
    /** The command that serves the same over standard input and output, for agents that cannot do HTTP. */
    readonly bridge: readonly string[]
  } | null
  /** What was told of the resumed session's usage before: agents report totals. */
  readonly counted: { readonly costUsd: number; readonly tokens: number }
  readonly onUpdate: (update: Update) => void
  /** A person, or a policy, picks; null cancels. May take hours. */
  readonly onPermission: (request: Permission) => Promise<PermissionKind | null>
  /** A person fills in an agent's form. May take hours. Left out: nobody does. */
  readonly onElicitation?: (request: Elicitation) => Promise<Elicited>
  /** A form that no person can be asked was declined, and why. */
  readonly onFormDeclined?: (reason: string) => void
  /** The wire as it was, for traces; `secrets` are the caller's to mask. */
  readonly onWire: ((direction: 'in' | 'out', message: unknown) => void) | null
  /** Longest wait for the program to answer its handshake. */
  readonly startMs: number
  /** Nobody wants it any more once this fires: what has been started is ended, and the handshake not waited for. */
  readonly signal?: AbortSignal
}

export const PERMISSION_KINDS = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const
export type PermissionKind = (typeof PERMISSION_KINDS)[number]

export interface Permission {
  readonly title: string
  readonly toolCall: string
  /** What the tool is called with, wherever the agent told it; null where it did not. */
  readonly input: unknown
  /** What kind of thing the agent says that it is: `execute`, `edit`, `other`; null where it does not say. */
  readonly deed: string | null
  /** All that it was called: titles, the tool's own name, and what the options name. */
  readonly names: readonly string[]
  /** What else was said of it. */
  readonly texts: readonly string[]
  /** The files it is about. */
  readonly files: readonly string[]
  readonly options: readonly { readonly kind: PermissionKind; readonly name: string }[]
  /** As the agent sent it. */
  readonly received: unknown
}

/** A form of an agent, as a decision with two to six options. */
export interface Elicitation {
  readonly message: string
  /** What the field is called, and what is said about it; may be empty. */
  readonly title: string
  readonly description: string
  readonly options: readonly { readonly key: string; readonly label: string; readonly body: string }[]
  /** The key of what the agent would take; null where it does not say. */
  readonly recommended: string | null
  /** What is filled in beside the option; null where there is nothing. */
  readonly form: DecisionForm | null
  /** Whether words alone answer it. */
  readonly takesWords: boolean
  readonly received: unknown
}

export type Elicited =
  | { readonly kind: 'picked'; readonly key: string; readonly fields: Readonly<Record<string, FieldValue>> }
  /** None of the options, but something else. */
  | { readonly kind: 'words'; readonly text: string }
  /** Somebody said no, or nobody could be asked; why. */
  | { readonly kind: 'declined'; readonly reason: string }
  /** Nobody will answer any more. */
  | { readonly kind: 'cancelled' }

/** A sign of life. */
export type Update =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  /** Upserted by id: a later one replaces what an earlier one said. */
  | {
      readonly kind: 'tool'
      readonly id: string
      readonly title: string
      readonly status: 'pending' | 'in_progress' | 'completed' | 'failed'
      readonly input: unknown
      /** Equal where all else that was told of it is: kind, content, places and result. Left out where nothing was. */
      readonly mark?: string
    }
  /** What was used since the last one, in the agent's numbers, whatever they are; cost is null where it gives no price. */
  | { readonly kind: 'usage'; readonly costUsd: number | null; readonly tokens: number }
  /** It has made a summary of its context, and forgotten the rest. */
  | { readonly kind: 'compacted' }
  /** Alive, and nothing else to say: stderr, plans, modes. */
  | { readonly kind: 'other'; readonly about: string }

export type Opened =
  | { readonly session: AgentSession }
  /** The session to resume is not there any more: the caller opens a fresh one with the full brief. */
  | { readonly trouble: 'no-session'; readonly detail: string }
  /** Usage limit; `until` is null where the agent does not say when it resets. */
  | { readonly trouble: 'limited'; readonly detail: string; readonly until: number | null }
  /** The program is missing, crashed at once, speaks no protocol we know, or needs a login. */
  | { readonly trouble: 'failed'; readonly detail: string }

export interface AgentSession {
  /** What `resume` takes; null where this kind of agent cannot go on with a session. */
  readonly id: string | null
  readonly agent: {
    readonly name: string
    readonly version: string
    /** Left out where it does not tell. */
    readonly model?: string
  }
  /** Whether the earlier conversation is in it. */
  readonly resumed: boolean
  /** Whether its next prompt comes to somebody who has heard the ones before; left out: yes. */
  readonly forgets?: true
  /** Whether it can still be spoken with: a program may end between two prompts. */
  isOpen(): boolean
  /** One at a time; a second while one is open is a bug of the caller. */
  prompt(text: string): Promise<TurnEnd>
  /** Ends the open turn, if there is one; its prompt then ends as cancelled. */
  cancel(): Promise<void>
  /** Stops the agent and everything it started, for good. */
  close(): Promise<void>
}

export type TurnEnd =
  | {
      readonly kind: 'ended'
      readonly reason: 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled'
      /** The agent's last message of this turn: what it said after its last tool call. */
      readonly text: string
      /** Tool calls in this turn. None and no text: an empty turn. */
      readonly toolCalls: number
    }
  | { readonly kind: 'limited'; readonly detail: string; readonly until: number | null }
  /** The process ended or the protocol broke in the middle of the turn. */
  | { readonly kind: 'crashed'; readonly detail: string }

export interface Driver {
  open(request: OpenRequest): Promise<Opened>
}
