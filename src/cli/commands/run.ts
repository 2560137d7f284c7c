/** `signalbox run` and `signalbox attach`: a run watched from here, hosted from here where nobody else does it. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { homeAt } from '../../host/home.ts'
import { logFile } from '../../host/log.ts'
import type { Operations, StartOrder } from '../../host/operations.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { list, orNear } from '../../model/nearest.ts'
import type { Environment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { startBackgroundHost } from '../hosting/background.ts'
import { findHost } from '../hosting/connect.ts'
import type { Hosting } from '../hosting/hosting.ts'
import { ConnectionError, createRemote } from '../hosting/remote.ts'
import { diagnosticsText } from '../runbooks/diagnostics-text.ts'
import { compileFile } from '../runbooks/sources.ts'
import { type Cursor, followRun } from '../runs/follow-run.ts'
import { WITH_YOUR_RIGHTS } from '../runs/unconfined.ts'
import { complain } from '../terminal/complaint.ts'
import { personHere, type Terminal } from '../terminal/terminal.ts'

export interface Setting {
  readonly environment: Environment
  readonly version: string
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

export interface RunOptions {
  readonly issue?: string
  readonly base?: string
  readonly var?: readonly string[]
  readonly detach?: boolean
  readonly trace?: string
  readonly json?: boolean
}

export async function run(name: string, options: RunOptions, setting: Setting): Promise<number> {
  const { terminal } = setting
  const found = findRunbook(name)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.failed)
  const { runbook } = found
  const { program, diagnostics } = await compileFile(runbook)
  if (program === null || hasErrors(diagnostics)) {
    terminal.write(diagnosticsText(diagnostics, runbook, terminal))
    return EXIT.failed
  }
  const vars = parseVars(options.var ?? [])
  if ('problem' in vars) return complain(terminal, vars.problem, EXIT.usage)
  const order: StartOrder = {
    runbook,
    dir: process.cwd(),
    base: options.base ?? null,
    issue: options.issue ?? null,
    vars: vars.values,
  }
  const trace = options.trace === undefined ? null : resolve(options.trace)
  if (trace !== null && options.detach === true) return complain(terminal, DETACHED_TRACE, EXIT.usage)
  const place = await hostFor(setting, { detach: options.detach === true, trace })
  if ('problem' in place) return complain(terminal, place.problem, EXIT.failed)
  try {
    const started = await place.operations.start(order)
    if ('problems' in started) {
      terminal.write(terminal.paint('red', 'The run was not started:'))
      for (const problem of started.problems) terminal.write(`  ${terminal.paint('red', '✗')} ${problem}`)
      return EXIT.failed
    }
    if (options.json === true) terminal.write(JSON.stringify(started))
    else if (place.unconfined !== null)
      terminal.write(terminal.paint('yellow', `${place.unconfined} ${WITH_YOUR_RIGHTS}`))
    if (options.detach === true) {
      if (options.json !== true)
        terminal.write(
          `${started.run}\n${terminal.paint('dim', `watch it: signalbox attach ${started.run}`)}`,
        )
      return EXIT.ok
    }
    return await watch({ operations: place.operations, id: started.run, cursor: fromTheStart() }, setting)
  } finally {
    await place.close()
  }
}

export async function attach(prefix: string, setting: Setting): Promise<number> {
  const place = await hostFor(setting, { detach: false, trace: null })
  if ('problem' in place) return complain(setting.terminal, place.problem, EXIT.failed)
  try {
    const found = await place.operations.find(prefix)
    if ('problem' in found) return complain(setting.terminal, found.problem, EXIT.usage)
    return await watch({ operations: place.operations, id: found.run, cursor: fromTheStart() }, setting)
  } finally {
    await place.close()
  }
}

interface Watching {
  readonly operations: Operations
  readonly id: string
  readonly cursor: Cursor
}

const fromTheStart = (): Cursor => ({ version: 0, startedAt: null })

async function watch({ operations, id, cursor }: Watching, setting: Setting): Promise<number> {
  const { terminal, environment, signal } = setting
  const { paint } = terminal
  const home = homeAt(environment.home)
  const kept = paint('dim', `\n${id} is kept as it is. To go on: signalbox attach ${id}`)
  try {
    const code = await followRun({
      operations,
      run: id,
      terminal,
      log: logFile(home.logs, id),
      answers: personHere() ?? 'elsewhere',
      signal,
      cursor,
    })
    if (code === EXIT.interrupted) terminal.write(kept)
    else if (code !== EXIT.waiting)
      terminal.write(paint('dim', `\nsignalbox show ${id} tells the whole story.`))
    return code
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
  }
  if (existsSync(home.stopped)) {
    terminal.write(`\nSignalbox was stopped.${kept}`)
    return EXIT.interrupted
  }
  // The host was another command's, and that has ended: the run goes on here.
  const place = await hostFor(setting, { detach: false, trace: null })
  if ('problem' in place) return complain(terminal, place.problem, EXIT.failed)
  try {
    return await watch({ operations: place.operations, id, cursor }, setting)
  } finally {
    await place.close()
  }
}

interface Place {
  readonly operations: Operations
  /** Why nothing holds agents here; null where something does, or another process knows. */
  readonly unconfined: string | null
  close(): Promise<void>
}

/** The running host, else this process, else (detached) one in the background. */
async function hostFor(
  { environment, version }: Setting,
  { detach, trace }: { readonly detach: boolean; readonly trace: string | null },
): Promise<Place | { readonly problem: string }> {
  for (let tries = 0; ; tries++) {
    const found = await findHost(environment)
    if (found !== null && trace !== null) return { problem: tracedElsewhere(found.url, trace) }
    if (found !== null) return { operations: createRemote(found), unconfined: null, close: async () => {} }
    if (detach) {
      const started = await startBackgroundHost(environment)
      if ('problem' in started) return started
      continue
    }
    const { becomeHost } = await import('../hosting/hosting.ts')
    const hosting: Hosting | { problem: string } | null = await becomeHost({
      environment,
      version,
      port: 0,
      work: true,
      trace,
    })
    if (hosting !== null) return hosting
    if (tries >= MOST_TRIES)
      return { problem: 'Another process is the host and does not answer. signalbox doctor tells more.' }
    await new Promise((done) => setTimeout(done, AGAIN_MS))
  }
}

const DETACHED_TRACE =
  '--trace keeps what passes here, and a detached run is hosted elsewhere: signalbox up --trace DIR, then signalbox run --detach.'

const tracedElsewhere = (url: string, trace: string): string =>
  `The host at ${url} has the agents, and only it sees their wire. Either: signalbox down, and this again; or: signalbox down, signalbox up --trace ${trace}, and this without --trace.`

const MOST_TRIES = 100
const AGAIN_MS = 50

const FOLDER = '.signalbox'
const ENDINGS = /\.(?:yaml|yml|hcl|ts)$/

/** A path, or the name of a runbook of this project. */
function findRunbook(name: string): { readonly runbook: string } | { readonly problem: string } {
  const places = [name, ...['yaml', 'yml', 'hcl', 'ts'].map((ending) => join(FOLDER, `${name}.${ending}`))]
  const runbook = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true)
  if (runbook !== undefined) return { runbook: resolve(runbook) }
  // What is clearly a path is told about as one.
  if (ENDINGS.test(name) || basename(name) !== name) return { runbook: resolve(name) }
  const known = runbooksHere()
  const near = orNear(name, known)
  const others = near === '.' && known.length > 0 ? ` There are: ${list(known)}.` : ''
  return {
    problem: `There is no runbook "${name}", neither a file of that name nor one in ${FOLDER}/${near}${others}`,
  }
}

const runbooksHere = (): string[] =>
  existsSync(FOLDER)
    ? readdirSync(FOLDER)
        .filter((file) => ENDINGS.test(file) && file !== 'config.yaml')
        .map((file) => file.replace(ENDINGS, ''))
    : []

function parseVars(given: readonly string[]): { values: Record<string, string> } | { problem: string } {
  const values: Record<string, string> = {}
  for (const text of given) {
    const cut = text.indexOf('=')
    if (cut < 1) return { problem: `--var takes NAME=VALUE, not "${text}".` }
    values[text.slice(0, cut)] = text.slice(cut + 1)
  }
  return { values }
}
