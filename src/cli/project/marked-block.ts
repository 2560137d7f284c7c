/**
 * A block of lines between two marks, in a text that is otherwise somebody else's. It stands at the end, and goes without
 * a trace: an empty line before it, and whether a line end comes after it, tell how the text ended before.
 */
import type { EditedFile } from './edited-file.ts'

export interface MarkedBlock {
  readonly begin: string
  readonly lines: readonly string[]
  readonly end: string
}

export function withBlock(text: string | null, block: MarkedBlock): EditedFile {
  const { begin, lines, end } = block
  const written = (eol: string): string => [begin, ...lines, end].join(eol)
  if (text === null) return { kind: 'new', text: `${written('\n')}\n` }
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const place = placeOf(text, block)
  if (place === 'broken') return { kind: 'malformed', why: BROKEN }
  if (place !== null) {
    const now = text.slice(0, place.start) + written(eol) + text.slice(place.end)
    return now === text ? { kind: 'present' } : { kind: 'changed', text: now }
  }
  const added =
    text === '' || text.endsWith('\n')
      ? `${text}${eol}${written(eol)}${eol}`
      : `${text}${eol}${eol}${written(eol)}`
  return { kind: 'changed', text: added }
}

export function withoutBlock(text: string | null, block: Pick<MarkedBlock, 'begin' | 'end'>): EditedFile {
  const place = text === null ? null : placeOf(text, block)
  if (text === null || place === null) return { kind: 'absent' }
  if (place === 'broken') return { kind: 'malformed', why: BROKEN }
  const before = text.slice(0, place.start)
  const after = text.slice(place.end)
  if (before === '' && /^\r?\n$/.test(after)) return { kind: 'emptied' }
  const [eol = ''] = /^\r?\n/.exec(after) ?? []
  const left = eol === '' ? before.replace(/\r?\n\r?\n$/, '') : before.replace(/(^|\n)\r?\n$/, '$1')
  return { kind: 'changed', text: left + after.slice(eol.length) }
}

const BROKEN = 'of the marks around what Signalbox wrote there, one is missing or stands twice'

function placeOf(
  text: string,
  { begin, end }: Pick<MarkedBlock, 'begin' | 'end'>,
): { readonly start: number; readonly end: number } | 'broken' | null {
  const [begins, ends] = [linesThatAre(text, begin), linesThatAre(text, end)]
  if (begins.length === 0 && ends.length === 0) return null
  const [from, to] = [begins[0], ends[0]]
  if (begins.length !== 1 || ends.length !== 1 || from === undefined || to === undefined || to < from)
    return 'broken'
  return { start: from, end: to + end.length }
}

/** Where they begin. */
function linesThatAre(text: string, line: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(line); at !== -1; at = text.indexOf(line, at + 1)) {
    const next = text.slice(at + line.length, at + line.length + 2)
    const isBegin = at === 0 || text[at - 1] === '\n' || text.slice(0, at) === '\ufeff'
    if (isBegin && (next === '' || /^\r?\n/.test(next))) found.push(at)
  }
  return found
}
