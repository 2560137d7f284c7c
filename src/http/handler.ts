/** Who does what a route says. The type of a handler comes from its route: what it is given, and what it must answer. */
import type { Context } from 'hono'
import type { Operations, Unstarted } from '../host/operations.ts'
import type { Actor } from '../model/answer.ts'
import type { ApiRoute, BodyOf, Params, QueryOf, ReplyOf } from '../model/api/route.ts'
import type { Rejection } from '../model/refusal.ts'
import type { HostSettings } from './host-settings.ts'
import type { LoginKeys } from './login-keys.ts'
import type { Presence } from './presence.ts'
import type { Keys } from './visitor.ts'

/** One for each route, and none beside. */
export type Handlers<R extends { readonly [A in keyof R]: ApiRoute }> = {
  readonly [A in keyof R]: Handler<A, R[A]>
}

export type Handler<A, R extends ApiRoute> = (
  asked: JudgedCall<A, R>,
) => HandlerReply<R> | Promise<HandlerReply<R>>

export type JudgedCall<A, R extends ApiRoute> = Caller<R> & {
  readonly c: Context
  readonly door: HttpDoor
  readonly params: Params<A>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
}

/** What is not JSON the handler writes itself. */
export type HandlerReply<R extends ApiRoute> =
  | Rejection
  | (R['reply'] extends { readonly type: string } ? Response : ReplyOf<R>)

/** What the frame knows of whoever calls. */
export type Caller<R extends ApiRoute> = R['access'] extends 'link' | 'open'
  ? unknown
  : R['access'] extends 'session'
    ? BySession
    : ByPerson

export interface ByPerson {
  readonly operations: Operations
  readonly person: string
  readonly isOwner: boolean
  /** Whether it would be let in now, too. */
  readonly isStillIn: () => boolean
}

export interface BySession {
  readonly agents: Keys['agents']
  readonly token: string
}

export type StartDemo = (operations: Operations) => Promise<{ readonly run: string } | Unstarted>

/** What people are told of the host they look at. */
export interface HostAbout {
  /** On the list, the owner included if they are. */
  readonly people: readonly { readonly name: string; readonly groups: readonly string[] }[]
  readonly startedAt: number
  /** Why nothing holds the agents of its runs; null where something does. */
  readonly unconfined: string | null
  /** For how long what a person answers can be taken back. */
  readonly holdMs: number
}

export interface HttpDoor {
  /** Reached at the socket in the home, which only the owner can open. */
  readonly isOwners: boolean
  readonly keys: Keys
  /** Of this host process, see `browser-session.ts`. */
  readonly instance: string
  readonly operationsFor: (by: Actor) => Operations
  readonly version: string
  readonly about: () => HostAbout
  readonly logins: LoginKeys
  /** For whoever has no run to look at yet; null where there is none. */
  readonly startDemo: StartDemo | null
  /** What is in force here; null where nobody is told. */
  readonly settings: HostSettings | null
  readonly presence: Presence
  /** Where a run's log is, which is known to be one; null where nobody is told. */
  readonly logFile: (run: string) => string | null
  /** How often a quiet stream says that it is still there. */
  readonly heartbeatMs: number
  /** Fires when the door closes: what goes on without end must read nothing after that. */
  readonly closing: AbortSignal
}
