/** A runbook on disk → compiled. TypeScript runbooks run in a process of their own, with a limit on everything. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Position } from '../../model/diagnostic.ts'
import type { KnownProject } from '../../runbook/compile/scope.ts'
import { type Compiled, compileSource, type Source } from '../../runbook/compile.ts'
import { createReport, type Report } from '../../runbook/report.ts'
import { decodeUtf8 } from '../../runbook/source-text.ts'
import { readBeside, readBytes } from '../files.ts'
import { troubleIn } from './typescript-trouble.ts'

const START = { line: 1, column: 1 }

export async function compileFile(
  file: string,
  setting: { readonly project?: KnownProject | null } = {},
): Promise<Compiled> {
  const report = createReport(file)
  const source = await readSource(file, report)
  if (source === null) return { file, program: null, diagnostics: report.diagnostics }
  return compileSource(source, readBeside, setting)
}

async function readSource(file: string, report: Report): Promise<Source | null> {
  const read = readBytes(file)
  if (read.kind === 'unreadable') {
    report.add({ code: 'unreadable', at: START, path: '', message: `${file} ${read.why}.`, help: HELP })
    return null
  }
  if (/\.[cm]?[jt]s$/.test(file)) return evaluate(file, new TextDecoder().decode(read.bytes), report)
  const text = decodeUtf8(read.bytes, report)
  return text === null ? null : { file, text }
}

const HELP = 'Name a runbook: a .yaml, .yml, .hcl or .ts file.'
/** For the program that runs it to be there, on a machine with much to do; and then for the runbook itself. */
const START_MS = 20_000
const RUN_MS = 4_000
const PIPES_MS = 500
const LARGEST = 4 * 1024 * 1024

/** Built, this page stands in dist/ or dist/cli/; from the sources, the build stands beside them. */
function loaderPath(): string {
  const places = ['./load-typescript.js', './cli/load-typescript.js', '../../../dist/cli/load-typescript.js']
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((place) => existsSync(place))
  if (found === undefined) throw new Error('Signalbox is not built: run npm run build')
  return found
}

async function evaluate(file: string, source: string, report: Report): Promise<Source | null> {
  const wrong = (message: string, help = HOW_TO_EXPORT, at: Position = START): null => {
    report.add({ code: 'typescript', at, path: '', message: `${file} ${message}`, help })
    return null
  }
  const path = resolve(file)
  const { ended, value, trouble } = await loaded(path)
  if (ended === 'late' && value.text === '')
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
    const told = troubleIn(trouble.text, { path, source })
    return wrong(`could not be run: ${told.message || `it ended with ${ended}`}`, told.help, told.at)
  }
  if (value.overflowed) return wrong(`exports more than ${LARGEST / 1024 / 1024} MiB.`)
  if (value.text.trim() === '') return wrong('exports nothing by default.')
  const exported = parsed(value.text)
  return exported === undefined
    ? wrong('wrote something else where its value goes.')
    : { file, value: exported, source }
}

/** Node's exit code where nothing is left to happen, and something is still awaited. */
const WAITS_IN_VAIN = 13

const HOW_TO_EXPORT = 'Export the flow: export default runbook({ … }).'

interface Collected {
  text: string
  overflowed: boolean
}

interface Loaded {
  /** Exit code, signal, or that it took too long. */
  readonly ended: number | string
  readonly value: Collected
  readonly trouble: Collected
}

/** In a process group of its own, so that nothing it started outlives it. */
async function loaded(path: string): Promise<Loaded> {
  const child = spawn(process.execPath, ['--max-old-space-size=512', loaderPath(), path], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const end = (): void => endGroup(child.pid)
  process.once('exit', end)
  let late = false
  const stop = (): void => {
    late = true
    end()
  }
  let timer = setTimeout(stop, START_MS)
  const [value, trouble] = [collect(child.stdio[3] as Readable), collect(child.stderr as Readable)]
  child.stdio[3]?.once('data', () => {
    clearTimeout(timer)
    timer = setTimeout(stop, RUN_MS)
  })
  const ended = await new Promise<number | string>((done) => {
    let how: number | string = 'an error'
    child.once('error', (error) => done(error.message))
    child.once('exit', (code, signal) => {
      how = late ? 'late' : (code ?? signal ?? how)
      end()
      // Somebody it started in a group of their own may hold its pipes for ever; what it wrote itself is here by then.
      setTimeout(() => done(how), PIPES_MS)
    })
    child.once('close', () => done(how))
  })
  clearTimeout(timer)
  for (const stream of child.stdio) stream?.destroy()
  process.removeListener('exit', end)
  return { ended, value, trouble }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function collect(stream: Readable): Collected {
  const collected: Collected = { text: '', overflowed: false }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    if (collected.text.length + chunk.length > LARGEST) collected.overflowed = true
    else collected.text += chunk
  })
  return collected
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
