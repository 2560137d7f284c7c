/** A call of a route as a request. Only types come from the routes: no client loads a schema. */
import type { z } from 'zod'
import type { ApiRoute, Params } from './route.ts'
import type { Api } from './routes.ts'
import type { Input } from './schema.ts'

export type Call<A extends keyof Api> = Needed<{
  readonly params: keyof Params<A> extends never ? never : Params<A>
  readonly query: Query<Input<Api[A]['query']>>
  readonly body: SentTo<Api[A]>
}>

/** What is null or undefined is left out. */
type Query<Q> = string extends keyof Q ? never : { readonly [Name in keyof Q]: Q[Name] | null | undefined }

/** What a client sends; what has a default may be left out. */
type SentTo<R extends ApiRoute> = R['body'] extends { readonly schema: infer S }
  ? Input<Extract<S, z.ZodType>>
  : never

/** What a route does not take is not asked for. */
type Needed<T> = { readonly [K in keyof T as [T[K]] extends [never] ? never : K]: T[K] }

export interface ApiRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** JSON; null for none. */
  readonly body: string | null
}

export function requestOf<A extends keyof Api>(address: A, call: Call<A>): ApiRequest {
  const { params = {}, query = {}, body } = call as Partial<LooseCall>
  const [method = '', template = ''] = address.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const said = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${encodeURIComponent(`${value}`)}`],
  )
  return {
    method,
    path: said.length === 0 ? path : `${path}?${said.join('&')}`,
    body: body === undefined ? null : JSON.stringify(body),
  }
}

interface LooseCall {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | number | boolean | null | undefined>>
  readonly body: unknown
}
