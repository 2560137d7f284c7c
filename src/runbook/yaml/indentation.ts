/** Lines that stand at a column where they cannot stand. */
import { list } from '../../model/nearest.ts'
import { brief } from '../language/shape.ts'
import type { Complaint, YamlTrouble } from './complaint.ts'

/** `offset` lies on the line, or at its beginning. */
export function strayIndentation(text: string, offset: number): YamlTrouble | null {
  const above = text.slice(0, offset).split('\n')
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0]!
  above.pop()
  const own = width(line)
  const at = text.lastIndexOf('\n', offset - 1) + 1 + own
  const open = openColumns(above)
  if (open.length === 0) return null
  const same = open.find(({ column }) => column === own)
  if (same?.isItem === true && !/^\s*-(?:\s|$)/.test(line))
    return {
      offset: at,
      message: 'A key stands where the items of a list stand.',
      help: 'Begin it with "- ", or indent it as the key that holds the list.',
    }
  if (same !== undefined) return null
  const columns = open.map(({ column }) => column)
  return {
    offset: at,
    message: `${spaces(own)} before this, and nothing above it that it could belong to stands at that column.`,
    help: `Write it below what it belongs to: there ${list(columns.map(spaces))}.`,
  }
}

/** A line below `key: value` that is indented deeper, and yet is a pair of its own. */
export function deeperLine({
  text,
  start,
  end,
}: Pick<Complaint, 'text' | 'start' | 'end'>): YamlTrouble | null {
  const newline = text.slice(start, end).search(/\n[^\n]*$/)
  const after = newline === -1 ? nextLine(text, start) : start + newline + 1
  if (after === null) return null
  const line = lineAt(text, after)
  const key = /^ *("[^"]*"|'[^']*'|[^\s#:][^:]*?)\s*:(?:\s|$)/.exec(line)
  const first = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const above = /^ *(?:- )*([^\s:][^:]*):\s+$/.exec(first)
  if (key === null || above === null || width(line) <= width(first)) return null
  return {
    offset: after + width(line),
    message: `\`${brief(key[1]!)}\` is indented deeper than \`${brief(above[1]!)}\` above it, which has its value already.`,
    help: `Write both at the same column, ${spaces(width(first))} before each.`,
  }
}

/** Only where the value's own line holds no second colon: then the trouble is there. */
function nextLine(text: string, start: number): number | null {
  const end = text.indexOf('\n', start)
  return end === -1 || /:(?:\s|$)/.test(text.slice(start, end)) ? null : end + 1
}

interface Column {
  readonly column: number
  readonly isItem: boolean
}

/** The columns of the lines that are still open, outermost first. */
function openColumns(lines: readonly string[]): Column[] {
  const found: Column[] = []
  let least = Infinity
  for (const line of lines.toReversed()) {
    const column = width(line)
    if (/^\s*(?:#|$)/.test(line) || column >= least) continue
    found.unshift({ column, isItem: /^\s*-(?:\s|$)/.test(line) })
    least = column
    if (column === 0) break
  }
  return found
}

const width = (line: string): number => line.length - line.trimStart().length

const spaces = (count: number): string => (count === 1 ? '1 space' : `${count === 0 ? 'no' : count} spaces`)

const LONGEST = 300

/** The rest of the line from here; of a line longer than any the beginning. */
export const lineAt = (text: string, offset: number): string =>
  text.slice(offset, offset + LONGEST).split('\n', 1)[0]!
