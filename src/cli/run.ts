/** `signalbox run` and `signalbox attach`: a run watched from here, hosted from here where nobody else does it. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { homeAt } from '../host/home.ts'
import { logFile } from '../host/log.ts'
import type { Operations, StartOrder } from '../host/operations.ts'
import { hasErrors } from '../model/diagnostic.ts'
import { startBackgroundHost } from './background.ts'
import { complain } from './complaint.ts'
import { findHost } from './connect.ts'
import { diagnosticsText } from './diagnostics-text.ts'
import type { Environment } from './environment.ts'
import { EXIT } from './exit.ts'
import { type Cursor, followRun } from './follow-run.ts'
import type { Hosting } from './hosting.ts'
import { ConnectionError, createRemote } from './remote.ts'
import { compileFile } from './sources.ts'
import type { Terminal } from './terminal.ts'

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
  const runbook = findRunbook(name)
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
  const place = await hostFor(setting, { detach: options.detach === true, trace: options.trace ?? null })
  if ('problem' in place) return complain(terminal, place.problem, EXIT.failed)
  try {
    const started = await place.operations.start(order)
    if ('problems' in started) {
      terminal.write(terminal.paint('red', 'The run was not started:'))
      for (const problem of started.problems) terminal.write(`  ${terminal.paint('red', '✗')} ${problem}`)
      return EXIT.failed
    }
    if (options.json === true) terminal.write(JSON.stringify(started))
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
      answers: process.stdin.isTTY === true && process.stdout.isTTY === true ? 'ask' : 'elsewhere',
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
  close(): Promise<void>
}

/** The running host, else this process, else (detached) one in the background. */
async function hostFor(
  { environment, version }: Setting,
  { detach, trace }: { readonly detach: boolean; readonly trace: string | null },
): Promise<Place | { readonly problem: string }> {
  for (let tries = 0; ; tries++) {
    const found = await findHost(environment)
    if (found !== null) return { operations: createRemote(found), close: async () => {} }
    if (detach) {
      const started = await startBackgroundHost(environment)
      if ('problem' in started) return started
      continue
    }
    const { becomeHost } = await import('./hosting.ts')
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

const MOST_TRIES = 100
const AGAIN_MS = 50

/** A path, or the name of a runbook of this project. */
function findRunbook(name: string): string {
  const places = [
    name,
    ...['yaml', 'yml', 'hcl', 'ts'].map((ending) => join('.signalbox', `${name}.${ending}`)),
  ]
  return resolve(
    places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true) ?? name,
  )
}

function parseVars(given: readonly string[]): { values: Record<string, string> } | { problem: string } {
  const values: Record<string, string> = {}
  for (const text of given) {
    const cut = text.indexOf('=')
    if (cut < 1) return { problem: `--var takes NAME=VALUE, not "${text}".` }
    values[text.slice(0, cut)] = text.slice(cut + 1)
  }
  return { values }
}
