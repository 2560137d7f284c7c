/** A runbook on disk → compiled. TypeScript runbooks run in a process of their own, with a limit on everything. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type Compiled, compileSource, type Source } from '../runbook/compile.ts'
import { createReport, type Report } from '../runbook/report.ts'
import { decodeUtf8 } from '../runbook/source-text.ts'
import { readBeside, readBytes } from './files.ts'

const START = { line: 1, column: 1 }

export async function compileFile(file: string): Promise<Compiled> {
  const report = createReport(file)
  const source = await readSource(file, report)
  if (source === null) return { file, program: null, diagnostics: report.diagnostics }
  return compileSource(source, readBeside)
}

async function readSource(file: string, report: Report): Promise<Source | null> {
  const read = readBytes(file)
  if (read.kind === 'unreadable') {
    report.add({ code: 'unreadable', at: START, path: '', message: `${file} ${read.why}.`, help: HELP })
    return null
  }
  if (/\.[cm]?[jt]s$/.test(file)) return evaluate(file, report)
  const text = decodeUtf8(read.bytes, report)
  return text === null ? null : { file, text }
}

const HELP = 'Name a runbook: a .yaml, .yml, .hcl or .ts file.'
const TIMEOUT_MS = 20_000
const PIPES_MS = 500
const LARGEST = 4 * 1024 * 1024

/** Built, this page stands in dist/ or dist/cli/; from the sources, the build stands beside them. */
function loaderPath(): string {
  const places = ['./load-typescript.js', './cli/load-typescript.js', '../../dist/cli/load-typescript.js']
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((place) => existsSync(place))
  if (found === undefined) throw new Error('Signalbox is not built: run npm run build')
  return found
}

async function evaluate(file: string, report: Report): Promise<Source | null> {
  const wrong = (message: string): null => {
    const help = 'Export the flow: export default runbook({ … }).'
    report.add({ code: 'typescript', at: START, path: '', message: `${file} ${message}`, help })
    return null
  }
  const { ended, value, trouble } = await loaded(resolve(file))
  if (ended === 'late') return wrong(`did not finish within ${TIMEOUT_MS / 1000} seconds.`)
  if (ended !== 0) return wrong(`could not be run: ${firstLines(trouble.text) || `it ended with ${ended}`}`)
  if (value.overflowed) return wrong(`exports more than ${LARGEST / 1024 / 1024} MiB.`)
  if (value.text === '') return wrong('exports nothing by default.')
  const exported = parsed(value.text)
  return exported === undefined
    ? wrong('wrote something else where its value goes.')
    : { file, value: exported }
}

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
  const timer = setTimeout(() => {
    late = true
    end()
  }, TIMEOUT_MS)
  const [value, trouble] = [collect(child.stdio[3] as Readable), collect(child.stderr as Readable)]
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

const firstLines = (text: string): string => text.trim().split('\n').slice(0, 3).join(' ').slice(0, 500)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
