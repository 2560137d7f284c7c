/**
 * A route as data: what it is called with, who may call it, what it says. The door registers its handlers by these, the
 * OpenAPI document is made from them and clients are typed by them, so that none can tell of what another does not have.
 */
import type { z } from 'zod'
import type { RejectionStatus } from './rejection.ts'
import type { Right } from './rights.ts'
import type { Output } from './schema.ts'

/** The way OpenAPI writes it, after its method: `GET /api/v1/runs/{run}`. */
export type RouteAddress = `${'GET' | 'POST'} /${string}`

export type Routes = Readonly<Record<RouteAddress, ApiRoute>>

export interface ApiRoute {
  /** Unique; clients that are made from the document call it so. */
  readonly name: string
  readonly says: string
  readonly access: RouteAccess
  /** A strict one refuses what it does not know; the others pass it over. */
  readonly query: z.ZodObject
  readonly body: Body | null
  readonly reply: RouteReply
  /** Beside what follows from its access, query and body. */
  readonly refuses: readonly RejectionStatus[]
}

/** A right: who has it. `owner`: nobody else. `session`: an agent's own. `link`: signed for one decision. `open`: all. */
export type RouteAccess = 'link' | 'open' | 'owner' | 'session' | Right

export interface Body {
  readonly schema: z.ZodType
  /** `json` is judged before the handler has it; `text` is JSON that the handler wants as it was sent. */
  readonly sent: 'form' | 'json' | 'text'
}

export interface RouteReply {
  readonly status: 200 | 201
  readonly says: string
  readonly schema: z.ZodType
  /** JSON by default. */
  readonly type?: string
}

export const json = <S extends z.ZodType>(schema: S): { readonly schema: S; readonly sent: 'json' } => ({
  schema,
  sent: 'json',
})

export type Params<A> = { readonly [Name in ParamName<A>]: string }

type ParamName<A> = A extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamName<Rest> : never

export type QueryOf<R extends ApiRoute> = Output<R['query']>

export type BodyOf<R extends ApiRoute> = R['body'] extends { readonly sent: 'json'; readonly schema: infer S }
  ? Output<Extract<S, z.ZodType>>
  : R['body'] extends { readonly sent: 'text' }
    ? string
    : null

export type ReplyOf<R extends ApiRoute> = Output<R['reply']['schema']>
