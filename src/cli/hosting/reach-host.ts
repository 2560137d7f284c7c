/**
 * Finds the host, or becomes it: the one place that says which process answers. Never two, for only the holder of the
 * lock is a host.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { homeAt } from '../../host/machine/home.ts'
import type { Operations } from '../../host/operations.ts'
import { NOT_FOR_AGENTS } from '../decision/session-door.ts'
import type { Environment } from '../environment.ts'
import { startBackgroundHost } from './background.ts'
import type { Hosting, HostingOptions } from './become-host.ts'
import { readDoorFile } from './door-file.ts'
import { type FoundHost, findHost } from './find-host.ts'
import { livingProcess } from './host-presence.ts'
import { createRemote } from './remote.ts'

export interface ReachOptions {
  readonly environment: Environment
  readonly version: string
  /**
   * Where nobody is the host: `answer` is it for a moment and does nothing but answer, `keep` the same for what may be the
   * first thing ever kept here, `work` is it for as long as this process stays and others can reach it, `join` the same for
   * who only looks on, `background` starts another process. Where there is no home yet, `answer` and `join` make none.
   */
  readonly otherwise: 'answer' | 'keep' | 'join' | 'work' | 'background'
  /** Where to listen; any port that is free where left out. */
  readonly port?: number
  /** Where the wire traffic of agents is kept, if it is. */
  readonly trace?: string | null
  /** From where else than this machine a host that is started can be reached. */
  readonly reach?: HostingOptions['reach']
}

export interface ReachedHost {
  readonly operations: Operations
  /** Where the host is; null when this process is it. */
  readonly remote: FoundHost | null
  /** Null when another process is the host. */
  readonly hosting: Hosting | null
  /** It was started for this, and stays. */
  readonly startedHost: boolean
  close(): Promise<void>
}

/** A host that is just leaving, or that is one only for a question, is waited for. */
const PATIENCE_MS = 5_000
/** A host that is still starting has the lock before its doors are open. On a busy machine that takes longer. */
const START_PATIENCE_MS = 15_000
const AGAIN_MS = 50

export async function reachHost(options: ReachOptions): Promise<ReachedHost | { readonly problem: string }> {
  const { environment, version, otherwise, port = 0, trace = null, reach } = options
  if (environment.session !== null) return { problem: NOT_FOR_AGENTS }
  if (environment.ownRun !== null) {
    const { ONLY_ITS_RUN, readOwnRun } = await import('./own-run.ts')
    if (otherwise !== 'answer' && otherwise !== 'join') return { problem: ONLY_ITS_RUN }
    const own = await readOwnRun(environment.ownRun)
    return 'problem' in own
      ? own
      : { ...own, remote: null, hosting: null, startedHost: false, close: async () => {} }
  }
  const isNew = !existsSync(homeAt(environment.home).database) && isFolderOrNothing(environment.home)
  if ((otherwise === 'answer' || otherwise === 'join') && isNew) return emptyHost(options)
  const since = Date.now()
  let startedHost = false
  for (;;) {
    const remote = await findHost(environment)
    if (remote !== null)
      return { operations: createRemote(remote), remote, hosting: null, startedHost, close: async () => {} }
    if (otherwise === 'background') {
      const started = await startBackgroundHost(environment)
      if ('problem' in started) return started
      startedHost = true
      continue
    }
    // Loaded only where nobody else is the host: most of the code hangs on it.
    const { becomeHost } = await import('./become-host.ts')
    const hosting = await becomeHost({
      environment,
      version,
      port,
      work: isWorking(otherwise),
      trace,
      ...(reach === undefined ? {} : { reach }),
    })
    if (hosting !== null && 'problem' in hosting) return hosting
    if (hosting !== null)
      return { operations: hosting.operations, remote: null, hosting, startedHost, close: hosting.close }
    const patienceMs = isStarting(environment) ? START_PATIENCE_MS : PATIENCE_MS
    if (Date.now() - since > patienceMs)
      return {
        problem: `Another process is the host of ${environment.home} and does not answer. signalbox doctor tells more.`,
      }
    await pause(AGAIN_MS)
  }
}

/** The door file is missing or left by a host that has ended: the holder of the lock has not written its own yet. */
const isStarting = ({ home }: Environment): boolean => livingProcess(readDoorFile(homeAt(home).door)) === null

const isWorking = (otherwise: ReachOptions['otherwise']): boolean =>
  otherwise === 'work' || otherwise === 'join'

/** What is no folder cannot become a home either, and that is told. */
const isFolderOrNothing = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false

/** There is nothing to be asked about: a home that is gone when the question is answered says so. */
async function emptyHost({
  environment,
  version,
}: ReachOptions): Promise<ReachedHost | { readonly problem: string }> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-none-'))
  const reached = await reachHost({ environment: { ...environment, home }, version, otherwise: 'keep' })
  const remove = (): void => rmSync(home, { recursive: true, force: true })
  if ('problem' in reached) {
    remove()
    return reached
  }
  const close = async (): Promise<void> => {
    await reached.close()
    remove()
  }
  return { ...reached, close }
}
