/**
 * The way out of a sandbox, whose network is its own: sockets that listen inside and were handed to us over an inherited
 * channel. This process serves them, so nothing of ours runs in there, no socket file has to be shown, and no data is
 * carried twice. A connection leads where it was meant to lead, if the sandbox may go there.
 */
import type { ChildProcess } from 'node:child_process'
import { Socket as UdpSocket } from 'node:dgram'
import { connect, Server, type Socket } from 'node:net'
import { hostname } from 'node:os'
import type { Duplex } from 'node:stream'
import { type DialRules, dial, isReachable } from './dial.ts'
import { type HostAndPort, plainAddress } from './hosts.ts'
import { join } from './joined-streams.ts'
import { createNameServer } from './names.ts'
import { createProxy } from './proxy.ts'
import type { Sandbox, SandboxNetwork } from './sandbox.ts'

/** Whether anything leads out of it. */
export const isOpen = ({ hosts, ports }: SandboxNetwork): boolean => hosts.length > 0 || ports.length > 0

/** Programs go to a server of this machine directly, past every proxy: where its port is listed among the hosts, it is a door. */
export function withLocalDoors(network: SandboxNetwork): SandboxNetwork {
  const listed = network.hosts.flatMap((host) => /^(?:localhost|127\.0\.0\.1):(\d+)$/i.exec(host)?.[1] ?? [])
  const possible = listed.map(Number).filter((port) => port >= LOWEST_PORT && port <= 65_535)
  return { ...network, ports: [...new Set([...network.ports, ...possible])] }
}

/** Those below are for root, who is not in there: a server of the sandbox's own never misses them. */
const LOWEST_PORT = 1024
/** Programs that know of no proxy reach hosts by these: ssh, http, https. All others are free for servers inside. */
const DIRECT_PORTS = [22, 80, 443]

/** What listens inside for connections that lead out. */
export function doorsOf(network: SandboxNetwork): { readonly toUs: number[]; readonly direct: number[] } {
  if (network.hosts.length === 0) return { toUs: [...network.ports], direct: [] }
  const listed = network.hosts.flatMap((host) => /:(\d+)$/.exec(host)?.[1] ?? []).map(Number)
  const low = listed.filter((port) => port > 0 && port < LOWEST_PORT && port !== NAMES_PORT)
  return { toUs: [proxyPort(network), ...network.ports], direct: [...new Set([...DIRECT_PORTS, ...low])] }
}

export const NAMES_PORT = 53

/** Inside, every port is free but those that lead out. */
function proxyPort({ ports }: SandboxNetwork): number {
  let port = 3128
  while (ports.includes(port)) port++
  return port
}

export function proxyVariables(network: SandboxNetwork): Record<string, string> {
  if (network.hosts.length === 0) return {}
  return variablesFor(`http://127.0.0.1:${proxyPort(network)}`)
}

/** What tells programs of a proxy. */
export function variablesFor(url: string): Record<string, string> {
  const direct = ['localhost', '.localhost', '127.0.0.1', '127.0.0.0/8', '::1', '[::1]', hostname()].join(',')
  return {
    ...{ HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: direct, NODE_USE_ENV_PROXY: '1' },
    ...{ http_proxy: url, https_proxy: url, all_proxy: url, no_proxy: direct },
  }
}

/** A proxy of the user's is out of reach in there, and its address may hold a password. */
export const withoutProxies = (variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !/^(?:https?|all|no)_proxy$/i.test(name)))

/** Serves the doors that a sandbox opens; give back what closes them. */
export function attendDoors(
  child: ChildProcess,
  { network, onRefused }: Pick<Sandbox, 'network' | 'onRefused'>,
): () => void {
  const { ports } = network
  // Some programs ask the proxy for everything.
  const own = ports.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`])
  const rules: DialRules = {
    hosts: [...network.hosts, ...own],
    upstream: network.upstream ?? null,
    onRefused,
  }
  const proxy = createProxy(() => rules)
  const names = createNameServer((name) => isReachable(name, rules))
  const expected = expectedOf(network)
  const open = new Set<Server | UdpSocket>()
  const sockets = new Set<Duplex>()
  let isOver = false
  const keep = <S extends Duplex>(socket: S): S => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
    return socket
  }

  function serve(client: Socket): void {
    // A client that has sent all may still be listening.
    client.allowHalfOpen = true
    client.on('error', () => client.destroy())
    const [address, port] = [plainAddress(client.localAddress ?? ''), client.localPort ?? 0]
    const isLoopback = address === '::1' || address.startsWith('127.')
    const isForProxy = isLoopback && network.hosts.length > 0 && port === proxyPort(network)
    if (isForProxy) proxy.serve(client)
    else if (sockets.size >= MAX_SOCKETS) client.destroy()
    else if (isLoopback && ports.includes(port))
      join(keep(client), keep(connect({ host: '127.0.0.1', port, allowHalfOpen: true })))
    else void lead(keep(client), { host: names.nameAt(address) ?? address, port })
  }

  async function lead(client: Socket, target: HostAndPort): Promise<void> {
    const reached = await dial(target, rules)
    if ('why' in reached) client.resetAndDestroy()
    else join(client, keep(reached))
  }

  child.on('message', (door: unknown, socket: unknown) => {
    if (!(socket instanceof Server || socket instanceof UdpSocket)) return
    // A sandbox may have ended before its sockets arrive here.
    if (isOver || typeof door !== 'string' || !expected.delete(door)) return void socket.close()
    open.add(socket)
    socket.on('error', () => {})
    if (socket instanceof Server) socket.on('connection', serve)
    else names.serve(socket)
  })
  return () => {
    isOver = true
    for (const each of open) each.close()
    for (const socket of sockets) socket.destroy()
    proxy.close()
  }
}

const MAX_SOCKETS = 1024

function expectedOf(network: SandboxNetwork): Set<string> {
  const { toUs, direct } = doorsOf(network)
  return new Set([...[...toUs, ...direct].map((port) => `tcp ${port}`), `udp ${NAMES_PORT}`])
}
