/**
 * A route as data: what it is called with, what it says, who serves it. The table of all routes (routes.ts) registers
 * the handlers and makes the OpenAPI document, so that neither can tell of what the other does not have.
 */
import type { Context } from 'hono'
import type { Operations } from '../host/operations.ts'
import type { Actor } from '../model/answer.ts'
import type { RefusalStatus } from './status.ts'
import type { Keys } from './visitor.ts'

export type Route = Description &
  (
    | { readonly access: 'token'; readonly answer: (asked: Asked) => Response | Promise<Response> }
    /** `link`: signed for one decision. `session`: an agent's own token. `open`: for whoever asks. */
    | {
        readonly access: 'link' | 'open' | 'session'
        readonly answer: (asked: Passing) => Response | Promise<Response>
      }
  )

interface Description {
  readonly method: 'get' | 'post'
  /** The way OpenAPI writes it: `/api/v1/runs/{run}`. */
  readonly path: string
  /** Unique; clients that are made from the document call it so. */
  readonly name: string
  readonly says: string
  readonly query: Parameters
  readonly body: Body | null
  readonly reply: Reply
  readonly refuses: readonly RefusalStatus[]
}

/** Asked by nobody in particular. */
export interface Passing {
  readonly c: Context
  readonly door: Door
}

/** Asked by a person who showed a token. */
export interface Asked extends Passing {
  readonly operations: Operations
  readonly person: string
  readonly isOwner: boolean
}

export interface Door {
  readonly keys: Keys
  readonly operationsFor: (by: Actor) => Operations
  readonly version: string
  /** How often a quiet stream says that it is still there. */
  readonly heartbeatMs: number
  /** Fires when the door closes: what goes on without end must read nothing after that. */
  readonly closing: AbortSignal
}

export interface Body {
  readonly schema: Schema
  readonly required: boolean
  /** JSON unless said. */
  readonly type?: string
}

export interface Reply {
  readonly status: 200 | 201
  readonly says: string
  /** JSON unless said. */
  readonly type?: string
  readonly schema: Schema
}

/** JSON Schema, 2020-12. */
export type Schema = Readonly<Record<string, unknown>>

export type Parameters = Readonly<Record<string, Parameter>>

export type Parameter =
  | { readonly kind: 'text'; readonly says: string }
  | { readonly kind: 'word'; readonly says: string; readonly words: readonly string[] }
  | { readonly kind: 'flag'; readonly says: string }
  | {
      readonly kind: 'whole' | 'number'
      readonly says: string
      readonly least: number
      readonly most: number
    }
