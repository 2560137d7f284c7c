/** A runbook on disk → compiled. */
import { type Place, pathOf } from '../../host/inside/place.ts'
import { MAX_FILE_BYTES, readInside } from '../../host/inside/read-inside.ts'
import type { KnownProject, ReadFile } from '../../runbook/compile/scope.ts'
import { type Compiled, compileSource, type Source } from '../../runbook/compile.ts'
import { createReport, type Report } from '../../runbook/report.ts'
import { decodeUtf8 } from '../../runbook/source-text.ts'
import { ignoredAmong } from './ignored-files.ts'
import { placeOfFile, type RunbookFilePlace, readerAt } from './runbook-files.ts'

export async function compileFile(
  file: string,
  setting: { readonly project?: KnownProject | null } = {},
): Promise<Compiled> {
  const report = createReport(file)
  const place = placeOfFile(file)
  const source = 'why' in place ? unreadable(place.why, report) : await readSource(place, report)
  if (source === null || 'why' in place) return { file, program: null, diagnostics: report.diagnostics }
  const read: Place[] = []
  const compiled = compileSource(
    source,
    readerAt(place, (each) => read.push(each)),
    setting,
  )
  const ignored = place.isInRepository ? await ignoredAmong(place, read) : { paths: new Set<string>() }
  return 'paths' in ignored && ignored.paths.size === 0
    ? compiled
    : compileSource(source, readerWithout(place, ignored), setting)
}

/** Asked again with the answer in hand: which files it names is known only once it is compiled. */
function readerWithout(place: RunbookFilePlace, ignored: Awaited<ReturnType<typeof ignoredAmong>>): ReadFile {
  let last: string | null = null
  const read = readerAt(place, (each) => {
    last = pathOf(each)
  })
  return (path, from) => {
    last = null
    const found = read(path, from)
    if (last === null) return found
    if ('problem' in ignored) return { kind: 'unreadable', why: `is not read, because ${ignored.problem}` }
    return ignored.paths.has(last) ? { kind: 'unreadable', why: IGNORED } : found
  }
}

const IGNORED = 'is ignored by git, so nobody else has it. A runbook names files that are committed'

async function readSource(place: RunbookFilePlace, report: Report): Promise<Source | null> {
  const { file } = report
  const read = readInside(place, { maxBytes: MAX_FILE_BYTES })
  if ('why' in read) return unreadable(read.why, report)
  if (/\.[cm]?[jt]s$/.test(file)) {
    const { evaluateTypescript } = await import('./evaluate-typescript.ts')
    return evaluateTypescript(place, { source: new TextDecoder().decode(read.bytes), report })
  }
  const text = decodeUtf8(read.bytes, report)
  return text === null ? null : { file, text }
}

function unreadable(why: string, report: Report): null {
  const help = 'Name a runbook: a .yaml, .yml, .hcl or .ts file.'
  report.add({
    code: 'unreadable',
    at: { line: 1, column: 1 },
    path: '',
    message: `${report.file} ${why}.`,
    help,
  })
  return null
}
