/**
 * Becoming the host: the lock, the journal, the host and its doors, opened in that order and closed in reverse. Only
 * the holder of the lock is a host; the door file tells everybody else how to reach it.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { type FoundSandbox, findSandbox } from '../../drivers/index.ts'
import { type Host, openHost } from '../../host/host.ts'
import { systemClock } from '../../host/machine/clock.ts'
import { type Home, homeAt } from '../../host/machine/home.ts'
import { narrowHome } from '../../host/machine/narrow-home.ts'
import { createOperations, type Operations } from '../../host/operations.ts'
import type { AgentProgram } from '../../host/session/agent-program.ts'
import { tellAlteredOnce } from '../../host/streams/apart.ts'
import type { WideReach } from '../../http/wide-reach.ts'
import { acquireHostLock, type HostLock, JournalFileError } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { FailureError } from '../../model/failure.ts'
import { createPolicyReader } from '../attention/policy-file.ts'
import { type Config, programFor, readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { openNotices } from '../notify/notices.ts'
import { runbooksOf } from '../runbooks/find-runbook.ts'
import { openTrace, type Trace, type WireMessage } from '../trace/trace.ts'
import { type ClosingStack, createClosingStack } from './closing-stack.ts'
import { openDoors } from './doors.ts'
import { openRecord } from './open-record.ts'
import { MCP_BRIDGE, processEnvironmentFor, refusedGrants, SCRIPTED_AGENT } from './process-environment.ts'
import { compileForStart, configProblems, diagnosticLine } from './start-order.ts'

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
  /** From where else than this machine it can be reached; asked with the public address of the config. */
  readonly reach?: (publicUrl: string | null) => WideReach | { readonly problem: string } | null
  /** More that agents must not see. */
  readonly hides?: readonly string[]
}

export interface Hosting {
  readonly host: Host
  readonly operations: Operations
  /** Null where only this process asks. */
  readonly url: string | null
  /** Where it can be reached from elsewhere; null for nowhere. */
  readonly wideUrl: string | null
  /** A link that lets one browser in as the owner, once; null where there is no door. */
  readonly createLoginLink: (() => string) | null
  /** Why nothing holds the agents of its runs; null where something does. */
  readonly unconfined: string | null
  readonly close: () => Promise<void>
}

/** Null: somebody else is the host. */
export async function becomeHost(
  options: HostingOptions,
): Promise<Hosting | { readonly problem: string } | null> {
  const home = homeAt(options.environment.home)
  const lock = lockedHome(home)
  if (lock === null || 'problem' in lock) return lock
  const opened = createClosingStack()
  opened.defer(() => lock.release())
  const open = narrowHome(home)
  if (open.length > 0)
    process.stderr.write(`Others could read ${open.join(', ')} in ${home.dir}. They are yours alone now.\n`)
  try {
    const hosting = await openAll(options, home, opened)
    if ('problem' in hosting) await opened.close()
    return hosting
  } catch (error) {
    await opened.close()
    if (error instanceof JournalFileError) return { problem: error.message }
    throw error
  }
}

async function openAll(
  options: HostingOptions,
  home: Home,
  opened: ClosingStack,
): Promise<Hosting | { readonly problem: string }> {
  const { environment, version } = options
  const { configDir, searchPath } = environment
  // Started first: its trials are processes of their own and run while the record opens.
  const finding = options.work ? findSandbox(searchPath) : null
  finding?.catch(() => undefined)
  const journal = await openRecord({ home, work: options.work, onBug, say }, opened)
  const { config, diagnostics } = readConfig({ configDir, repo: null })
  if (options.work && hasErrors(diagnostics)) return { problem: diagnostics.map(diagnosticLine).join('\n') }
  // Also where it is switched off: a project may want one all the same.
  const sandbox = await finding
  if (config.sandbox.use === 'required' && sandbox !== null && 'why' in sandbox)
    return { problem: `The config says \`sandbox: required\`, and ${sandbox.why}` }
  const processEnvironment = processEnvironmentFor(environment, {
    engine: sandbox !== null && 'engine' in sandbox ? sandbox.engine : null,
    ...(options.hides === undefined ? {} : { hides: options.hides }),
  })
  const [refused] = options.work ? refusedGrants(processEnvironment, config) : []
  if (refused !== undefined) return { problem: refused }
  const trace = options.trace === null ? null : openTrace(options.trace, environment.variables)
  if (trace !== null && 'problem' in trace) return trace
  opened.defer(() => trace?.close())
  const hide = (value: string): void => trace?.mask.hide(value)
  const onWire = wireListener(options, trace)
  // Below the host, though opened after it: agents that are ending still report at the doors.
  const doorways = createClosingStack()
  opened.defer(() => doorways.close())
  const configOf = (repo: string): Config => readConfig({ configDir, repo }).config
  const host = openHost({
    journal,
    clock: systemClock,
    processEnvironment,
    programFor: (use, repo) => {
      const found = options.program ?? programFor(configOf(repo), { searchPath })(use)
      trace?.mask.hideVariables(found?.env ?? {})
      return found
    },
    issueFolderFor: (repo) => configOf(repo).issues,
    commandsFor: (repo) => configOf(repo).commands,
    scriptedAgent: SCRIPTED_AGENT,
    mcpBridge: MCP_BRIDGE,
    version,
    policies: createPolicyReader(configDir),
    limits: config.limits,
    dayLimits: config.dayLimits,
    trace:
      onWire && ((run, who, direction, message) => onWire({ run, who, wire: 'acp', direction, message })),
    onBug,
    onStorage: say,
    onGone: () => void endWithHome(opened),
  })
  opened.defer(() => host.close())
  const operationsFor = (by: Actor): Operations =>
    createOperations({
      host,
      now: () => systemClock.now(),
      by,
      compile: compileForStart,
      objections: (dir) => configProblems(configDir, dir),
      runbooksIn: runbooksOf,
      startedIn: process.cwd(),
    })
  const operations = operationsFor({ kind: 'person', name: environment.user })
  const reached = {
    host,
    operations,
    unconfined: unconfinedBy(config, sandbox),
    close: () => opened.close(),
  }
  if (!options.work) return { ...reached, url: null, wideUrl: null, createLoginLink: null }
  const { publicUrl } = config
  const { openPeopleList, watchPeopleList } = await import('../config/people-list.ts')
  const people = openPeopleList(environment)
  opened.defer(watchPeopleList(people, environment))
  const reach = options.reach?.(publicUrl) ?? null
  if (reach !== null && 'problem' in reach) return reach
  const doors = await openDoors(
    {
      ...options,
      host,
      operationsFor,
      people,
      home,
      publicUrl,
      config,
      reach,
      onWire,
      hide,
      unconfined: reached.unconfined,
    },
    doorways,
  )
  if ('problem' in doors) return doors
  // Before anything is done, so that nothing can be asked unseen.
  const tell = tellAlteredOnce(orStorage(host, onBug))
  const { secrets } = people
  const about = { host, home, config, environment, secrets, url: doors.url, onBug: tell }
  const notifier = await openNotices(about)
  opened.defer(() => notifier.close())
  rmSync(home.stopped, { force: true })
  await host.work()
  return { ...reached, ...doors }
}

function onBug(error: unknown): void {
  const told = error instanceof FailureError ? error.message : (error as Error | null)?.stack
  say(told ?? String(error))
}

const orStorage =
  ({ storage }: Host, otherwise: (error: unknown) => void) =>
  (error: unknown): void => {
    if (!storage.isToBlame(error)) otherwise(error)
  }

function say(sentence: string): void {
  process.stderr.write(`signalbox: ${sentence}\n`)
}

/**
 * Nothing that this process could still say or do about its runs would last. It does not put its files back: whoever took
 * them away may have put others in their place. Its agents are ended, and so is whatever else it was doing.
 */
async function endWithHome(opened: ClosingStack): Promise<void> {
  setTimeout(() => process.exit(EXIT.failed), LONGEST_END_MS).unref()
  await opened.close().catch(() => undefined)
  process.exit(EXIT.failed)
}

const LONGEST_END_MS = 15_000

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
    // A full disk may be over in a moment: another place is not the cure.
    if (error instanceof FailureError) return { problem: error.message }
    const why = error instanceof Error ? error.message : String(error)
    return { problem: `Signalbox cannot keep its data in ${dir}; SIGNALBOX_HOME names another place. ${why}` }
  }
}
