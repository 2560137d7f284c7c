/**
 * The way out of a sandbox that has a network of its own. A few lines of Node open the doors inside, hand the listening
 * sockets to us over an inherited channel and end before the program begins: from then on this process serves them
 * itself. So nothing of ours runs in there, no socket file has to be shown, and no data is carried twice.
 */
import type { ChildProcess } from 'node:child_process'
import { connect, Server, type Socket } from 'node:net'
import type { RefusedConnection } from './hosts.ts'
import { join } from './joined-streams.ts'
import { createProxy } from './proxy.ts'
import type { SandboxNetwork } from './sandbox.ts'

export type LimitedNetwork = Extract<SandboxNetwork, { kind: 'limited' }>

export const needsDoorway = (network: SandboxNetwork): network is LimitedNetwork =>
  network.kind === 'limited' && (network.hosts.length > 0 || network.ports.length > 0)

/** Programs go to a server of this machine directly, past every proxy: where its port is listed among the hosts, it is a door. */
export function withLocalDoors(network: SandboxNetwork): SandboxNetwork {
  if (network.kind === 'on') return network
  const listed = network.hosts.flatMap((host) => /^(?:localhost|127\.0\.0\.1):(\d+)$/i.exec(host)?.[1] ?? [])
  // The lower ones are for root, who is not in there.
  const possible = listed.map(Number).filter((port) => port >= 1024 && port <= 65_535)
  return { ...network, ports: [...new Set([...network.ports, ...possible])] }
}

/** For `node -e`: opens the ports it is given and sends each to its parent. */
export const DOORMAN = `
const { createServer } = require('node:net')
const open = (port) => new Promise((done, fail) => {
  const server = createServer().once('error', fail)
  server.listen(port, '127.0.0.1', () => process.send(port, server, (error) => (error ? fail(error) : done())))
})
process.argv.slice(1).reduce((before, port) => before.then(() => open(Number(port))), Promise.resolve()).then(
  () => process.exit(0),
  (error) => {
    console.error(error.message)
    process.exit(1)
  },
)`

export function doorsOf(network: LimitedNetwork): readonly number[] {
  return network.hosts.length === 0 ? network.ports : [proxyPort(network), ...network.ports]
}

/** Inside, every port is free but those that lead out. */
function proxyPort({ ports }: LimitedNetwork): number {
  let port = 3128
  while (ports.includes(port)) port++
  return port
}

export function proxyVariables(network: LimitedNetwork): Record<string, string> {
  if (network.hosts.length === 0) return {}
  return variablesFor(`http://127.0.0.1:${proxyPort(network)}`)
}

/** What tells programs of a proxy. */
export function variablesFor(url: string): Record<string, string> {
  const direct = 'localhost,127.0.0.1,::1'
  return {
    ...{ HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: direct, NODE_USE_ENV_PROXY: '1' },
    ...{ http_proxy: url, https_proxy: url, all_proxy: url, no_proxy: direct },
  }
}

/** Serves the doors that a sandbox opens; give back what closes them. */
export function attendDoors(
  child: ChildProcess,
  network: LimitedNetwork,
  onRefused: ((refused: RefusedConnection) => void) | undefined,
): () => void {
  const { ports } = network
  // Some programs ask the proxy for everything.
  const own = ports.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`])
  const proxy = createProxy(() => ({ hosts: [...network.hosts, ...own], onRefused }))
  const expected = new Set(doorsOf(network))
  const open = new Set<Server>()
  const sockets = new Set<Socket>()
  child.on('message', (port: unknown, server: unknown) => {
    if (!(server instanceof Server)) return
    if (typeof port !== 'number' || !expected.delete(port)) return void server.close()
    open.add(server)
    server.on('error', () => {})
    server.on('connection', (socket) => {
      socket.on('error', () => socket.destroy())
      // Who has said all may still be listening.
      socket.allowHalfOpen = true
      if (!ports.includes(port)) return proxy.serve(socket)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      join(socket, connect({ host: '127.0.0.1', port, allowHalfOpen: true }))
    })
  })
  return () => {
    for (const server of open) server.close()
    for (const socket of sockets) socket.destroy()
    proxy.close()
  }
}
