/**
 * What a TypeScript runbook exports. It is a program of whoever wrote the repository, so it runs in a sandbox: without a
 * network and an environment, with the repository to read and nothing to write, for a few seconds and within so much
 * memory. What it gives is JSON on a pipe, and is judged as any text of a stranger.
 */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  emptySandbox,
  findUntried,
  launch,
  NO_LIMITS,
  type Sandbox,
  type SandboxEngine,
} from '../../drivers/index.ts'
import type { Position } from '../../model/diagnostic.ts'
import type { Source } from '../../runbook/compile.ts'
import type { Report } from '../../runbook/report.ts'
import { readConfig } from '../config/config.ts'
import { type Environment, readEnvironment } from '../environment.ts'
import { ignoredBeside } from './ignored-files.ts'
import type { RunbookFilePlace } from './runbook-files.ts'
import { troubleIn } from './typescript-trouble.ts'

/** For its program to begin, on a machine with much to do; and then for the runbook itself. */
const START_MS = 20_000
const RUN_MS = 4_000
const MAX_VALUE_LENGTH = 4 * 1024 * 1024
/** Many times the largest runbook. To judge more would keep a host busy for seconds. */
const MAX_VALUES = 100_000
const MAX_HEAP_MIB = 512
const LIMITS = {
  ...NO_LIMITS,
  processes: 128,
  openFiles: 4096,
  memoryBytes: 2 ** 30,
  fileBytes: 2 ** 26,
  temporaryBytes: 2 ** 26,
}

export async function evaluateTypescript(
  place: RunbookFilePlace,
  { source, report }: { readonly source: string; readonly report: Report },
): Promise<Source | null> {
  const { file } = report
  const wrong = (message: string, help = HOW_TO_EXPORT, at: Position = { line: 1, column: 1 }): null => {
    report.add({ code: 'typescript', at, path: '', message: `${file} ${message}`, help })
    return null
  }
  const path = realpathSync(join(place.root, ...place.names))
  const done = await heldEvaluation(path, place, readEnvironment(process.env))
  if ('why' in done)
    return wrong(`is TypeScript, which is run in a sandbox to be read. ${done.why}`, WITHOUT_SANDBOX)
  const { ended, value, isOverflowed, trouble } = done
  if (ended === 'late' && value === '')
    return wrong(`could not be started within ${START_MS / 1000} seconds.`)
  if (ended === 'late')
    return wrong(
      `ran for ${RUN_MS / 1000} seconds and had not come to an end, so it was stopped.`,
      'Look for a loop that never ends, or something that is waited for: a runbook only says what there is.',
    )
  if (ended === WAITS_IN_VAIN)
    return wrong(
      'waits for something that can no longer come.',
      'A runbook only says what there is: wait for nothing in it.',
    )
  if (ended !== 0) {
    const told = troubleIn(trouble, { path, source })
    return wrong(`could not be run: ${told.message || `it ended with ${ended}`}`, told.help, told.at)
  }
  if (isOverflowed) return wrong(`exports more than ${MAX_VALUE_LENGTH / 1024 / 1024} MiB.`)
  if (value.trim() === '') return wrong('exports nothing by default.')
  const exported = parsed(value)
  if (exported === undefined) return wrong('wrote something else where its value goes.')
  if (holdsMoreThan(MAX_VALUES, exported))
    return wrong(`exports more than ${MAX_VALUES.toLocaleString('en')} values.`)
  return { file, value: exported, source }
}

/** Node's exit code where nothing is left to happen, and something is still awaited. */
const WAITS_IN_VAIN = 13

const HOW_TO_EXPORT = 'Export the flow: export default runbook({ … }).'
const WITHOUT_SANDBOX =
  'Install a sandbox (signalbox doctor), write the runbook in YAML, or accept that it runs with your rights: `sandbox: off` in your own config.'

async function heldEvaluation(
  path: string,
  place: RunbookFilePlace,
  { home, configDir, searchPath, variables }: Environment,
): Promise<Evaluated | { readonly why: string }> {
  const isAccepted = readConfig({ configDir, repo: null }).config.sandbox.use === 'off'
  if (isAccepted) return evaluated(path, null)
  const found = await findUntried(searchPath)
  const sandbox =
    'why' in found ? null : await sandboxFor(path, place, { ...found, hidden: [home, configDir] })
  if (sandbox !== null && 'why' in sandbox) return sandbox
  const done = sandbox === null ? null : await evaluated(path, sandbox)
  if (done !== null && done.neverBegun === null) return done
  // In a sandbox no second one can be made, and what is called in a run is held by that of the run.
  if (variables['SIGNALBOX_RUN'] !== undefined) return evaluated(path, null)
  return 'why' in found ? found : { why: done?.neverBegun ?? '' }
}

async function sandboxFor(
  path: string,
  place: RunbookFilePlace,
  { engine, hidden }: { readonly engine: SandboxEngine; readonly hidden: readonly string[] },
): Promise<Sandbox | { readonly why: string }> {
  const root = realpathSync(place.root)
  const own = ownFiles()
  const beside = place.isInRepository ? await ignoredBeside(place) : { paths: new Set<string>() }
  if ('problem' in beside) return { why: `${beside.problem}.` }
  const ignored = [...beside.paths]
    .map((name) => join(root, name).replace(/\/$/, ''))
    .filter((each) => !own.includes(each))
  const shown = ignored.length > MAX_HIDDEN ? dirname(path) : root
  return {
    ...emptySandbox(engine),
    system: 'libraries',
    readable: [...own, ...(place.isAlone ? [path] : [shown, ...packagesAround(path, root)])],
    hidden: [...hidden, join(root, '.git'), ...ignored.filter((each) => each.startsWith(`${shown}/`))],
    limits: LIMITS,
  }
}

/** More could not be named on a command line. Then only the runbook's folder is shown. */
const MAX_HIDDEN = 500

/** Installed packages may be elsewhere, behind a link of the user's. */
function packagesAround(path: string, root: string): string[] {
  const found: string[] = []
  for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules')
    if (existsSync(packages) && basename(realpathSync(packages)) === 'node_modules') found.push(packages)
  }
  return found
}

/** The program that runs it, and what that is made of. */
function ownFiles(): string[] {
  const built = dirname(dirname(loaderPath()))
  const found = [process.execPath, built, join(dirname(built), 'package.json')]
  for (let folder = dirname(built); ; folder = dirname(folder)) {
    const loader = join(folder, 'node_modules/jiti')
    if (existsSync(loader)) return [...found, loader]
    if (folder === dirname(folder)) return found
  }
}

/** Built, this page stands in dist/ or dist/cli/; from the sources, the build stands beside them. */
function loaderPath(): string {
  const places = ['./load-typescript.js', './cli/load-typescript.js', '../../../dist/cli/load-typescript.js']
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((place) => existsSync(place))
  if (found === undefined) throw new Error('Signalbox is not built: run npm run build')
  return found
}

interface Evaluated {
  /** Exit code, signal, or that it took too long. */
  readonly ended: number | string
  readonly value: string
  readonly isOverflowed: boolean
  readonly trouble: string
  /** Why its sandbox could not be made; null where it was. */
  readonly neverBegun: string | null
}

/** Descriptor 3 is for its value, so that it may print what it likes. */
const APART = 'exec "$@" 3>&1 1>/dev/null'

async function evaluated(path: string, sandbox: Sandbox | null): Promise<Evaluated> {
  const node = [process.execPath, `--max-old-space-size=${MAX_HEAP_MIB}`, loaderPath(), path]
  const running = launch({
    argv: ['/bin/sh', '-c', APART, 'sh', ...node],
    cwd: dirname(path),
    env: {},
    sandbox,
  })
  running.stdin.end()
  let value = ''
  let isOverflowed = false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    const limit = (ms: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => resolve('late'), ms)
    }
    limit(START_MS)
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      // The loader writes a blank just before the runbook begins.
      if (value === '') limit(RUN_MS)
      isOverflowed ||= value.length + text.length > MAX_VALUE_LENGTH
      if (!isOverflowed) value += text
    })
  })
  const exit = await Promise.race([running.exited, late])
  clearTimeout(timer)
  await running.stop(0)
  await running.closed
  const trouble = exit === 'late' ? '' : (exit.error ?? exit.overLimit ?? running.stderrTail())
  const ended = exit === 'late' ? exit : (exit.code ?? exit.signal ?? trouble)
  const neverBegun = exit === 'late' || value !== '' ? null : exit.error
  return { ended, value, isOverflowed, trouble, neverBegun }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function holdsMoreThan(most: number, value: unknown): boolean {
  const left = [value]
  for (let count = 0; left.length > 0; count++) {
    if (count > most || left.length > most) return true
    const next = left.pop()
    if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) left.push(each)
  }
  return false
}
