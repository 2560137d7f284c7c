/**
 * Becoming the host: the lock, the journal, the host and its doors, opened in that order and closed in reverse. Only
 * the holder of the lock is a host; the door file tells everybody else how to reach it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findSandbox } from '../drivers/index.ts'
import { systemClock } from '../host/clock.ts'
import { type Home, homeAt } from '../host/home.ts'
import { type Host, openHost } from '../host/host.ts'
import { createOperations, type Operations, type StartOrder } from '../host/operations.ts'
import { acquireHostLock, type HostLock, JournalFileError, openSqliteJournal } from '../journal/index.ts'
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts'
import { programFor, readConfig } from './config.ts'
import type { Environment } from './environment.ts'
import { findRepository } from './repository.ts'
import { compileFile } from './sources.ts'
import { openTrace } from './trace.ts'

export interface HostingOptions {
  readonly environment: Environment
  readonly version: string
  readonly port: number
  /** Whether duties are done, or only asked about. */
  readonly work: boolean
  /** Where wire traffic is kept; null for nowhere. */
  readonly trace: string | null
}

export interface Hosting {
  readonly host: Host
  readonly operations: Operations
  /** Null where only this process asks. */
  readonly url: string | null
  readonly token: string
  readonly close: () => Promise<void>
}

export interface DoorFile {
  readonly url: string
  readonly token: string
  readonly pid: number
}

/** Null: somebody else is the host. */
export async function becomeHost(
  options: HostingOptions,
): Promise<Hosting | { readonly problem: string } | null> {
  const { environment, version } = options
  const home = homeAt(environment.home)
  const lock = lockedHome(home)
  if (lock === null || 'problem' in lock) return lock
  try {
    const journal = await openSqliteJournal({ file: home.database })
    const { config, diagnostics } = readConfig({ configDir: environment.configDir, repo: null })
    if (options.work && hasErrors(diagnostics)) {
      await journal.close()
      lock.release()
      return { problem: diagnostics.map(diagnosticLine).join('\n') }
    }
    const sandbox =
      config.sandbox.use === 'off' || !options.work ? null : await findSandbox(environment.searchPath)
    if (config.sandbox.use === 'required' && sandbox !== null && 'why' in sandbox) {
      await journal.close()
      lock.release()
      return { problem: `The config says \`sandbox: { use: required }\`, and ${sandbox.why}` }
    }
    const trace = options.trace === null ? null : openTrace(options.trace)
    const host = openHost({
      journal,
      clock: systemClock,
      surroundings: {
        home,
        environment: environment.variables,
        bwrap: sandbox !== null && 'bwrap' in sandbox ? sandbox.bwrap : null,
        network: config.sandbox.network,
        writable: config.sandbox.writable,
        hidden: [environment.configDir],
      },
      programFor: (use, repo) => {
        const read = readConfig({ configDir: environment.configDir, repo })
        return programFor(read.config, { searchPath: environment.searchPath })(use)
      },
      scriptedAgent: scriptedAgentFile(),
      version,
      limits: config.limits,
      trace,
      onBug: (error) => {
        process.stderr.write(
          `signalbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
        )
      },
    })
    const operations = createOperations({
      host,
      now: () => systemClock.now(),
      by: { kind: 'person', name: environment.user },
      start: (order) => startOrder(host, order, environment),
    })
    const token = randomBytes(32).toString('base64url')
    const doors = options.work ? await openDoors({ ...options, host, operations, token, home }) : null
    if (doors !== null && 'problem' in doors) {
      await host.close()
      await journal.close()
      lock.release()
      return doors
    }
    if (options.work) {
      rmSync(home.stopped, { force: true })
      await host.work()
    }
    return {
      host,
      operations,
      url: doors?.url ?? null,
      token,
      close: async () => {
        await host.close()
        await doors?.close()
        await journal.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    if (error instanceof JournalFileError) return { problem: error.message }
    throw error
  }
}

function lockedHome({ dir, lock }: Home): HostLock | { readonly problem: string } | null {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    return acquireHostLock({ file: lock })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { problem: `Signalbox cannot keep its data in ${dir}; SIGNALBOX_HOME names another place. ${why}` }
  }
}

interface Doors {
  readonly url: string
  close(): Promise<void>
}

async function openDoors(
  options: HostingOptions & {
    readonly host: Host
    readonly operations: Operations
    readonly token: string
    readonly home: Home
  },
): Promise<Doors | { readonly problem: string }> {
  const { host, operations, token, home, version, port } = options
  const [{ startServer }, { createMcpDoor }] = await Promise.all([
    import('../http/server.ts'),
    import('../mcp/door.ts'),
  ])
  const mcp = createMcpDoor({ agents: host.agents, version })
  const server = await startServer({ operations, token, version, port, mcp })
  if ('problem' in server) {
    await mcp.close()
    return server
  }
  const { url } = server
  host.serveMcpAt(`${url}/mcp`)
  writeDoor(home, { url, token, pid: process.pid })
  return {
    url,
    close: async () => {
      rmSync(home.door, { force: true })
      await mcp.close()
      await server.close()
    },
  }
}

/** Whole or not at all, and for the user's eyes only. */
function writeDoor({ door }: Home, file: DoorFile): void {
  const draft = `${door}.${process.pid}`
  writeFileSync(draft, JSON.stringify(file), { mode: 0o600 })
  renameSync(draft, door)
}

async function startOrder(
  host: Host,
  { runbook, dir, base, issue, vars }: StartOrder,
  { user, configDir }: Environment,
): ReturnType<Operations['start']> {
  const { program, diagnostics } = await compileFile(runbook)
  if (program === null || hasErrors(diagnostics))
    return { problems: [`${runbook} does not pass: signalbox check ${runbook}`] }
  const ground = await findRepository(dir)
  const { diagnostics: wrong } = readConfig({ configDir, repo: 'repo' in ground ? ground.repo : null })
  if (hasErrors(wrong)) return { problems: wrong.map(diagnosticLine) }
  const by = { kind: 'person', name: user } as const
  const started = await host.start({ program, runbook, dir, base, issue, vars, by })
  return 'problems' in started ? started : { run: started.loaded.run }
}

const diagnosticLine = ({ file, at, message, help }: Diagnostic): string =>
  `${file}:${at.line}:${at.column} ${message}${help === undefined ? '' : ` ${help}`}`

/** Built, this page stands in dist/ or dist/cli/; from the sources, the build stands beside them. */
function scriptedAgentFile(): string {
  const places = [
    './drivers/scripted-agent.js',
    '../drivers/scripted-agent.js',
    '../../dist/drivers/scripted-agent.js',
  ]
  return (
    places
      .map((place) => fileURLToPath(new URL(place, import.meta.url)))
      .find((place) => existsSync(place)) ?? 'scripted-agent.js'
  )
}
