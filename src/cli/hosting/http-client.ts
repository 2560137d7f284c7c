/** A client of the HTTP door. What a call takes and what it gives comes from the declared routes, by their types alone. */
import type { HttpOrder, HttpReply } from '../../drivers/http-exchange.ts'
import type { RejectionBody } from '../../model/api/rejection.ts'
import { type Call, requestOf } from '../../model/api/request.ts'
import type { ReplyOf } from '../../model/api/route.ts'
import type { Api } from '../../model/api/routes.ts'
import { isRejection, type Rejection } from '../../model/refusal.ts'
import { connectToSocket } from './owner-socket.ts'

/** Loaded by the first request: every command has a client, and few ask at once. */
const wire = () => import('../../drivers/http-exchange.ts')

/** Nobody can be asked, or not any more. */
export class ConnectionError extends Error {}

/** The host that was asked is gone; another may be there. */
export class HostLostError extends ConnectionError {}

export interface HttpClient {
  readonly ask: <A extends keyof Api>(
    address: A,
    call: Call<A>,
    signal?: AbortSignal,
  ) => Promise<ReplyOf<Api[A]> | Rejection>
  /** For what is never refused to whoever has come in. */
  readonly need: <A extends keyof Api>(address: A, call: Call<A>) => Promise<ReplyOf<Api[A]>>
  /** The reply itself, for what is no JSON. */
  readonly take: <A extends keyof Api>(address: A, call: Call<A>) => Promise<HttpReply>
  /** What is said without end, as it comes; fails where it is cut off. */
  readonly follow: <A extends keyof Api>(
    address: A,
    call: Call<A>,
    signal: AbortSignal,
  ) => AsyncIterable<string>
}

/** At the owner's socket, which needs no token; or at a port, with an agent's own. */
export type HostAddress =
  | { readonly url: string; readonly socket: string }
  | { readonly url: string; readonly token: string }

export function createHttpClient(
  address: HostAddress,
  /** Makes the error that is thrown when the host does not answer. */
  lost: () => ConnectionError,
): HttpClient {
  const { url } = address
  const authorization = 'token' in address ? { authorization: `Bearer ${address.token}` } : {}
  const headers = { ...authorization, 'content-type': 'application/json' }
  const connect = 'socket' in address ? () => connectToSocket(address.socket) : undefined
  const base = connect === undefined ? url : 'http://localhost'
  const orderOf = <A extends keyof Api>(route: A, call: Call<A>, signal?: AbortSignal): HttpOrder => {
    const { method, path, body } = requestOf(route, call)
    return { url: `${base}${path}`, method, headers, body, signal, connect }
  }
  const ask: HttpClient['ask'] = async <A extends keyof Api>(
    address: A,
    call: Call<A>,
    signal?: AbortSignal,
  ) => {
    const { exchange } = await wire()
    const { status, data } = await exchange(orderOf(address, call, signal))
      .then(read)
      .catch(() => {
        throw lost()
      })
    if (status < 400) return data as ReplyOf<Api[A]>
    // Whatever stands between may answer in the host's place.
    if (!isRejectionBody(data)) throw new ConnectionError(`The host at ${url} answered with ${status}.`)
    const { code, message, problems } = data
    return { code, problem: message, ...(problems === undefined ? {} : { problems }) }
  }
  const need: HttpClient['need'] = async <A extends keyof Api>(address: A, call: Call<A>) => {
    const answer = await ask(address, call)
    if (isRejection(answer)) throw new ConnectionError(answer.problem)
    return answer
  }
  return {
    ask,
    need,
    take: async (address, call) => {
      const { exchange } = await wire()
      return exchange(orderOf(address, call)).catch(() => {
        throw lost()
      })
    },
    follow: async function* (address, call, signal) {
      const { listen } = await wire()
      yield* listen(orderOf(address, call, signal))
    },
  }
}

const read = ({ status, body }: HttpReply): { readonly status: number; readonly data: unknown } => ({
  status,
  data: JSON.parse(body.toString()),
})

const isRejectionBody = (data: unknown): data is RejectionBody =>
  typeof data === 'object' && data !== null && 'code' in data && 'message' in data
