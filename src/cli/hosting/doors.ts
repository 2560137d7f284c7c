/** The doors of a host: HTTP for people, MCP for agents, and the file that says where they are. */
import { rmSync } from 'node:fs'
import type { Host } from '../../host/host.ts'
import type { Home } from '../../host/machine/home.ts'
import type { Operations } from '../../host/operations.ts'
import type { WideReach } from '../../http/wide-reach.ts'
import type { Actor } from '../../model/answer.ts'
import { type Config, readConfig } from '../config/config.ts'
import type { PeopleList } from '../config/people-list.ts'
import type { Environment } from '../environment.ts'
import { createHostSettings } from '../settings/host-settings.ts'
import { overheard } from '../trace/mcp-wire.ts'
import type { WireMessage } from '../trace/trace.ts'
import type { ClosingStack } from './closing-stack.ts'
import { readDoorFile, writeDoorFile } from './door-file.ts'
import { listenAtSocket } from './owner-socket.ts'
import { builtFolder } from './process-environment.ts'

export interface DoorOptions {
  readonly environment: Environment
  readonly version: string
  readonly port: number
  readonly host: Host
  readonly operationsFor: (by: Actor) => Operations
  readonly people: PeopleList
  readonly home: Home
  readonly publicUrl: string | null
  /** The config that the host was started with. */
  readonly config: Pick<Config, 'notify'>
  readonly reach: WideReach | null
  readonly unconfined: string | null
  readonly onWire: ((message: WireMessage) => void) | null
  /** Told of every token that must not be kept. */
  readonly hide: (token: string) => void
}

export interface OpenDoors {
  readonly url: string
  /** Where the host can be reached from elsewhere; null for nowhere. */
  readonly wideUrl: string | null
  /** A link that lets one browser in as the owner, once. */
  readonly createLoginLink: () => string
}

/** What was opened is closed by the stack, also where not all of it could be. */
export async function openDoors(
  options: DoorOptions,
  opened: ClosingStack,
): Promise<OpenDoors | { readonly problem: string }> {
  const { host, operationsFor, people, home, version, port, publicUrl, reach, unconfined } = options
  const { configDir, user } = options.environment
  const [{ startServer }, { openWebFiles }] = await Promise.all([
    import('../../http/server.ts'),
    import('../../http/web-files.ts'),
  ])
  const config = () => readConfig({ configDir, repo: null }).config
  const keys = {
    owner: user,
    secrets: people.secrets,
    colleague: people.colleague,
    agents: host.agents,
  }
  const mcp = await openMcp(options)
  const startedAt = Date.now()
  const about = () => {
    const { people, holdMs } = config()
    const listed = Object.entries(people).map(([name, { groups }]) => ({ name, groups }))
    return { people: listed, startedAt, unconfined, holdMs }
  }
  const web = openWebFiles(builtFolder('web'))
  // Those of an earlier host lead nowhere any more.
  const removePages = (): void => rmSync(home.logins, { recursive: true, force: true })
  removePages()
  opened.defer(removePages)
  const settings = createHostSettings({ environment: options.environment, started: options.config })
  const server = await startServer({
    ...{ operationsFor, keys, version, port, mcp, publicUrl, logs: home.logs },
    ...{ about, web, reach, startDemo: startDemoHere, settings, loginPages: home.logins },
    whyGone: () => host.storage.whyGone(),
  })
  if ('problem' in server) {
    await mcp.close()
    return server
  }
  opened.defer(() => server.close())
  opened.defer(() => mcp.close())
  const { url, wideUrl, createLoginLink, ownerServer } = server
  host.serveMcpAt(`${url}/mcp`)
  const socket = await listenAtSocket(ownerServer, home.socket)
  if ('problem' in socket) return socket
  const written = writeDoorFile(home.door, { url, pid: process.pid })
  if ('problem' in written) return written
  // Last: a command that finds the socket reads the file.
  const published = socket.publish()
  opened.defer(() => published.remove())
  opened.defer(() => {
    // In a home that was taken away and made again, another host may stand there by now.
    if (readDoorFile(home.door)?.pid === process.pid) rmSync(home.door, { force: true })
  })
  return { url, wideUrl, createLoginLink }
}

/** Loaded only when somebody wants it. */
async function startDemoHere(operations: Operations) {
  const { layOutDemo, startDemo } = await import('../demo/start-demo.ts')
  return startDemo(operations, await layOutDemo())
}

async function openMcp({ host, version, onWire, hide }: DoorOptions) {
  const { createMcpDoor } = await import('../../mcp/door.ts')
  const door = createMcpDoor({ agents: host.agents, version })
  if (onWire === null) return door
  return overheard(door, (token) => {
    const holder = host.holderOf(token)
    if (holder === null) return null
    hide(token)
    return (direction, message) => onWire({ ...holder, wire: 'mcp', direction, message })
  })
}
