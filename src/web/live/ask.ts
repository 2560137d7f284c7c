/**
 * The one way to ask the host. Addresses, bodies and replies have their types from the declared routes, which are also what the OpenAPI
 * document is made of: a client that was generated from the document could be old, this one does not compile.
 */
import type { RejectionBody } from '../../model/api/rejection.ts'
import { type Call, requestOf } from '../../model/api/request.ts'
import type { ReplyOf } from '../../model/api/route.ts'
import type { Api } from '../../model/api/routes.ts'
import type { Rejection } from '../../model/refusal.ts'
import { fetchAsPage } from './page-key.ts'

/** Beside what the host refuses with: nobody answered. */
export type HostProblem = Pick<Rejection, 'problem' | 'problems'> & {
  readonly code: Rejection['code'] | 'host-away'
}

export type Ask = <A extends keyof Api>(
  address: A,
  call: Call<A>,
  signal?: AbortSignal,
) => Promise<ReplyOf<Api[A]> | HostProblem>

export const isProblem = (answer: unknown): answer is HostProblem =>
  typeof answer === 'object' && answer !== null && 'problem' in answer && 'code' in answer

const HEADERS = { 'content-type': 'application/json' }

export const ask: Ask = async <A extends keyof Api>(address: A, call: Call<A>, signal?: AbortSignal) => {
  const { method, path, body } = requestOf(address, call)
  const init: RequestInit = { method, headers: HEADERS, body, ...(signal === undefined ? {} : { signal }) }
  const response = await fetchAsPage(path, init).catch(() => null)
  if (response === null) return HOST_AWAY
  const said: unknown = await response.json().catch(() => null)
  if (response.ok) return said as ReplyOf<Api[A]>
  if (!isRejectionBody(said)) return HOST_AWAY
  const { code, message, problems } = said
  return { code, problem: message, ...(problems === undefined ? {} : { problems }) }
}

/** Bytes that the journal keeps, as text; null where there are none. */
export async function fetchKept(digest: string): Promise<string | null> {
  const response = await fetchAsPage(`/api/v1/kept/${encodeURIComponent(digest)}`).catch(() => null)
  return response?.ok === true ? response.text() : null
}

const HOST_AWAY: HostProblem = {
  code: 'host-away',
  problem: 'The host does not answer. What you typed is kept here; nothing was sent.',
}

const isRejectionBody = (said: unknown): said is RejectionBody =>
  typeof said === 'object' && said !== null && 'code' in said && 'message' in said
