/**
 * Becoming the host: the lock, the journal, the host and its doors, opened in that order and closed in reverse. Only
 * the holder of the lock is a host; the door file tells everybody else how to reach it.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type FoundSandbox, findSandbox } from '../../drivers/index.ts'
import type { AgentProgram } from '../../host/agent-program.ts'
import { systemClock } from '../../host/clock.ts'
import { type Home, homeAt } from '../../host/home.ts'
import { type Host, openHost } from '../../host/host.ts'
import { createOperations, type Operations, type StartOrder } from '../../host/operations.ts'
import { acquireHostLock, type HostLock, JournalFileError, openSqliteJournal } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts'
import { own } from '../../model/own.ts'
import { createPolicyReader } from '../attention/policy-file.ts'
import { type Config, programFor, readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { openNotices } from '../notify/notices.ts'
import { findRepository } from '../project/repository.ts'
import { compileFile } from '../runbooks/sources.ts'
import { overheard } from '../trace/mcp-wire.ts'
import { openTrace, type Trace, type WireMessage } from '../trace/trace.ts'
import { MCP_BRIDGE, refusedGrants, SCRIPTED_AGENT, surroundingsFor } from './surroundings.ts'

export interface HostingOptions {
  readonly environment: Environment
  readonly version: string
  readonly port: number
  /** Whether duties are done, or only asked about. */
  readonly work: boolean
  /** Where wire traffic is kept; null for nowhere. */
  readonly trace: string | null
  /** Hears the wire traffic as it is. */
  readonly onWire?: (message: WireMessage) => void
  /** Serves every agent of every run, in place of what the config says. */
  readonly program?: AgentProgram
  /** More that agents must not see. */
  readonly hides?: readonly string[]
}

export interface Hosting {
  readonly host: Host
  readonly operations: Operations
  /** Null where only this process asks. */
  readonly url: string | null
  readonly token: string
  /** Why nothing holds the agents of its runs; null where something does. */
  readonly unconfined: string | null
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
    // Also where it is switched off: a project may want one all the same.
    const sandbox = options.work ? await findSandbox(environment.searchPath) : null
    if (config.sandbox.use === 'required' && sandbox !== null && 'why' in sandbox) {
      await journal.close()
      lock.release()
      return { problem: `The config says \`sandbox: required\`, and ${sandbox.why}` }
    }
    const surroundings = surroundingsFor(environment, {
      engine: sandbox !== null && 'engine' in sandbox ? sandbox.engine : null,
      ...(options.program === undefined ? {} : { program: options.program }),
      ...(options.hides === undefined ? {} : { hides: options.hides }),
    })
    const [refused] = options.work ? refusedGrants(surroundings, config) : []
    if (refused !== undefined) {
      await journal.close()
      lock.release()
      return { problem: refused }
    }
    const trace = options.trace === null ? null : openTrace(options.trace, environment.variables)
    if (trace !== null && 'problem' in trace) {
      await journal.close()
      lock.release()
      return trace
    }
    const token = randomBytes(32).toString('base64url')
    const hide = (value: string): void => trace?.mask.hide(value)
    hide(token)
    const onWire = wireListener(options, trace)
    const onBug = (error: unknown): void => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      process.stderr.write(`signalbox: ${text}\n`)
    }
    const host = openHost({
      journal,
      clock: systemClock,
      surroundings,
      programFor: (use, repo) => {
        const read = readConfig({ configDir: environment.configDir, repo })
        const found = options.program ?? programFor(read.config, { searchPath: environment.searchPath })(use)
        trace?.mask.hideVariables(found?.env ?? {})
        return found
      },
      scriptedAgent: SCRIPTED_AGENT,
      mcpBridge: MCP_BRIDGE,
      version,
      policies: createPolicyReader(environment.configDir),
      limits: config.limits,
      trace:
        onWire && ((run, who, direction, message) => onWire({ run, who, wire: 'acp', direction, message })),
      onBug,
    })
    const operationsFor = (by: Actor): Operations =>
      createOperations({
        host,
        now: () => systemClock.now(),
        by,
        start: (order) => startOrder(order, { host, by, configDir: environment.configDir }),
      })
    const operations = operationsFor({ kind: 'person', name: environment.user })
    const { publicUrl } = config
    const doors = options.work
      ? await openDoors({ ...options, host, operationsFor, token, home, publicUrl, wire: onWire, hide })
      : null
    if (doors !== null && 'problem' in doors) {
      await host.close()
      await journal.close()
      lock.release()
      return doors
    }
    // Before anything is done, so that nothing can be asked unseen.
    const notifier =
      doors === null ? null : await openNotices({ host, home, config, environment, url: doors.url, onBug })
    if (options.work) {
      rmSync(home.stopped, { force: true })
      await host.work()
    }
    return {
      host,
      operations,
      url: doors?.url ?? null,
      token,
      unconfined: unconfinedBy(config, sandbox),
      close: async () => {
        await notifier?.close()
        await host.close()
        await doors?.close()
        await journal.close()
        trace?.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    if (error instanceof JournalFileError) return { problem: error.message }
    throw error
  }
}

function unconfinedBy({ sandbox: { use } }: Config, found: FoundSandbox | null): string | null {
  if (use === 'off') return 'Your config says `sandbox: off`.'
  return found !== null && 'why' in found ? found.why : null
}

function wireListener(
  { onWire }: HostingOptions,
  trace: Trace | null,
): ((message: WireMessage) => void) | null {
  if (trace === null) return onWire ?? null
  return (message) => {
    trace.write(message)
    onWire?.(message)
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
    readonly operationsFor: (by: Actor) => Operations
    readonly token: string
    readonly home: Home
    readonly publicUrl: string | null
    readonly wire: ((message: WireMessage) => void) | null
    /** Told of every token that must not be kept. */
    readonly hide: (token: string) => void
  },
): Promise<Doors | { readonly problem: string }> {
  const { host, operationsFor, token, home, version, port, publicUrl, wire, hide } = options
  const { configDir, user } = options.environment
  const [{ startServer }, { openSecret }, { createMcpDoor }] = await Promise.all([
    import('../../http/server.ts'),
    import('../../http/secret.ts'),
    import('../../mcp/door.ts'),
  ])
  const keys = {
    token,
    owner: user,
    secret: openSecret(home.secret),
    isPerson: (name: string) => own(readConfig({ configDir, repo: null }).config.people, name) !== undefined,
    agents: host.agents,
  }
  const door = createMcpDoor({ agents: host.agents, version })
  const mcp =
    wire === null
      ? door
      : overheard(door, (token) => {
          const holder = host.holderOf(token)
          if (holder === null) return null
          hide(token)
          return (direction, message) => wire({ ...holder, wire: 'mcp', direction, message })
        })
  const server = await startServer({ operationsFor, keys, version, port, mcp, publicUrl })
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
  { runbook, dir, base, issue, vars }: StartOrder,
  { host, by, configDir }: { readonly host: Host; readonly by: Actor; readonly configDir: string },
): ReturnType<Operations['start']> {
  const { program, diagnostics } = await compileFile(runbook)
  if (program === null || hasErrors(diagnostics))
    return { problems: [`${runbook} does not pass: signalbox check ${runbook}`] }
  const ground = await findRepository(dir)
  const { diagnostics: wrong } = readConfig({ configDir, repo: 'repo' in ground ? ground.repo : null })
  if (hasErrors(wrong)) return { problems: wrong.map(diagnosticLine) }
  const started = await host.start({ program, runbook, dir, base, issue, vars, by })
  return 'problems' in started ? started : { run: started.loaded.run }
}

const diagnosticLine = ({ file, at, message, help }: Diagnostic): string =>
  `${file}:${at.line}:${at.column} ${message}${help === undefined ? '' : ` ${help}`}`
