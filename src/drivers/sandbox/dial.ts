/**
 * Connects on behalf of a sandbox to a host that it may reach, and to nothing else. It resolves names itself and connects
 * to the very address that it has judged. Whatever the rules and the lists say: a connection that comes out at this
 * machine itself is refused unless the address was listed.
 */
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Duplex } from 'node:stream'
import {
  type HostAndPort,
  mayLeadTo,
  plainAddress,
  type Reach,
  type RefusedConnection,
  reachOf,
} from './hosts.ts'
import { connectThrough, goesThrough, type Upstream } from './upstream.ts'

export interface DialRules {
  readonly hosts: readonly string[]
  /** The user's own proxy to the world; null: there is none. */
  readonly upstream: Upstream | null
  readonly onRefused: ((refused: RefusedConnection) => void) | undefined
}

export interface DialTrouble {
  readonly status: 403 | 502
  readonly why: string
}

const CONNECT_MS = 30_000
/** Node looks names up in four threads, which everything that reads files needs, too. */
const MAX_LOOKUPS = 2

export async function dial(target: HostAndPort, rules: DialRules): Promise<Duplex | DialTrouble> {
  const judged = await judge(target, rules)
  if (typeof judged === 'string') {
    rules.onRefused?.({ ...target, why: judged })
    return { status: 403, why: judged }
  }
  const { upstream } = rules
  const socket =
    upstream !== null && goesThrough(upstream, target) && judged.reach !== 'machine'
      ? await connectThrough(upstream, target)
      : await connectToOne(judged, target.port)
  return socket ?? { status: 502, why: `${target.host}:${target.port} could not be reached.` }
}

/** Whether a name is worth an answer of a name server. */
export async function isReachable(host: string, rules: DialRules): Promise<boolean> {
  if (!rules.hosts.some((pattern) => reachOf({ host, port: null }, [pattern]) !== null)) {
    rules.onRefused?.({
      host,
      port: null,
      why: `${host} is not among the hosts that may be reached from this sandbox.`,
    })
    return false
  }
  return rules.upstream !== null || (await addressesOf(host)).length > 0
}

interface Judged {
  readonly reach: Reach
  readonly addresses: readonly string[]
}

/** The addresses that may be connected to, or why none. */
async function judge(target: HostAndPort, { hosts }: DialRules): Promise<Judged | string> {
  const { host, port } = target
  const reach = reachOf(target, hosts)
  if (reach === null) return `${host}:${port} is not among the hosts that may be reached from this sandbox.`
  const addresses = isIP(host) > 0 ? [host] : await addressesOf(host)
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  const allowed = addresses.filter((address) => mayLeadTo(address, reach, own))
  if (allowed.length === 0 && addresses.length > 0)
    return `${host}:${port} leads to ${addresses[0]}, which is ${KINDS[reach]} and not listed itself.`
  return { reach, addresses: allowed }
}

const KINDS: Readonly<Record<Reach, string>> = {
  public: 'not public',
  private: 'this machine or its link',
  machine: 'out of reach',
}

let lookups = 0
const waiting: (() => void)[] = []

async function addressesOf(host: string): Promise<string[]> {
  if (lookups === MAX_LOOKUPS) await new Promise<void>((resolve) => waiting.push(resolve))
  else lookups++
  try {
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
  } catch {
    return []
  } finally {
    const next = waiting.shift()
    if (next === undefined) lookups--
    else next()
  }
}

async function connectToOne({ reach, addresses }: Judged, port: number): Promise<Socket | null> {
  for (const address of addresses) {
    const socket = await connectTo(address, port)
    if (socket === null) continue
    if (reach === 'machine' || !isOwn(socket)) return socket
    socket.destroy()
  }
  return null
}

/**
 * Whoever speaks from the address that they speak to is this machine: also at an address of an interface that is down, which
 * no list of them has.
 */
const isOwn = ({ localAddress = '', remoteAddress = '' }: Socket): boolean =>
  plainAddress(localAddress) === plainAddress(remoteAddress)

function connectTo(host: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true, allowHalfOpen: true })
    const fail = () => {
      socket.destroy()
      resolve(null)
    }
    socket.setTimeout(CONNECT_MS, fail).once('error', fail)
    socket.once('connect', () => {
      socket.setTimeout(0).off('error', fail)
      resolve(socket)
    })
  })
}
