/** What a TypeScript runbook exports. It runs in a process of its own, with a limit on everything. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch } from '../../drivers/index.ts'
import type { Position } from '../../model/diagnostic.ts'
import type { Source } from '../../runbook/compile.ts'
import type { Report } from '../../runbook/report.ts'
import type { RunbookPlace } from './runbook-files.ts'
import { troubleIn } from './typescript-trouble.ts'

/** For its program to begin, on a machine with much to do; and then for the runbook itself. */
const START_MS = 20_000
const RUN_MS = 4_000
const MAX_VALUE_LENGTH = 4 * 1024 * 1024
const MAX_HEAP_MIB = 512

export async function evaluateTypescript(
  place: RunbookPlace,
  { source, report }: { readonly source: string; readonly report: Report },
): Promise<Source | null> {
  const { file } = report
  const wrong = (message: string, help = HOW_TO_EXPORT, at: Position = { line: 1, column: 1 }): null => {
    report.add({ code: 'typescript', at, path: '', message: `${file} ${message}`, help })
    return null
  }
  const path = realpathSync(join(place.root, ...place.names))
  const { ended, value, isOverflowed, trouble } = await evaluated(path)
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
  return exported === undefined
    ? wrong('wrote something else where its value goes.')
    : { file, value: exported, source }
}

/** Node's exit code where nothing is left to happen, and something is still awaited. */
const WAITS_IN_VAIN = 13

const HOW_TO_EXPORT = 'Export the flow: export default runbook({ … }).'
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
}

/** Descriptor 3 is for its value, so that it may print what it likes. */
const APART = 'exec "$@" 3>&1 1>/dev/null'

async function evaluated(path: string): Promise<Evaluated> {
  const node = [process.execPath, `--max-old-space-size=${MAX_HEAP_MIB}`, loaderPath(), path]
  const running = launch({
    argv: ['/bin/sh', '-c', APART, 'sh', ...node],
    cwd: dirname(path),
    env: {},
    sandbox: null,
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
  return { ended, value, isOverflowed, trouble }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
