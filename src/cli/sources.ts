/** A runbook on disk → compiled. TypeScript runbooks run in a process of their own, with a limit on everything. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
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
  const child = spawn(process.execPath, ['--max-old-space-size=512', loaderPath(), resolve(file)], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  const [value, trouble] = [collect(child.stdio[3]), collect(child.stderr)]
  const code = await new Promise<number | null>((done) => {
    child.once('error', () => done(null))
    child.once('close', (exit) => done(exit))
  })
  const wrong = (message: string): null => {
    report.add({
      code: 'typescript',
      at: START,
      path: '',
      message,
      help: 'Export the flow: export default runbook({ … }).',
    })
    return null
  }
  if (code === null) return wrong(`${file} did not finish within ${TIMEOUT_MS / 1000} seconds.`)
  if (code !== 0)
    return wrong(`${file} could not be run: ${trouble().trim().slice(0, 2000) || `exit code ${code}`}`)
  const text = value()
  if (text.length > LARGEST) return wrong(`${file} exports more than ${LARGEST / 1024 / 1024} MiB.`)
  if (text === '') return wrong(`${file} exports nothing by default.`)
  return { file, value: JSON.parse(text) }
}

function collect(stream: unknown): () => string {
  const chunks: Buffer[] = []
  let size = 0
  const readable = stream as NodeJS.ReadableStream
  readable.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= LARGEST + 1) chunks.push(chunk)
  })
  return () => Buffer.concat(chunks).toString('utf8')
}
