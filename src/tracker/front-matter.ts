/**
 * The head of an issue's file: `key: value`, `key: [a, b]` and lists with dashes, between two lines of three dashes.
 * It looks like YAML and is deliberately less: what an issue needs can be read at a glance, and what of it is wrong is told
 * with its line instead of being guessed at. Keys that are none of ours are kept as they are, whatever they hold.
 */
import { bareLine, isBlank } from './text-lines.ts'

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, FrontMatterField>
  /** The line that closes it; null where there is none. */
  readonly closedAt: number | null
  /** Where the body begins. */
  readonly bodyAt: number
}

export interface FrontMatterField {
  readonly value: string | readonly string[]
  /** The line of its key. */
  readonly at: number
  /** The lines of its items, where it is a list with dashes. */
  readonly items: readonly number[]
}

interface GrowingField extends FrontMatterField {
  value: string | string[]
  readonly items: number[]
}

/** Those that mean something to us. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['id', 'title', 'status', 'parent', 'category'],
  ...['labels', 'label', 'depends-on', 'depends_on'],
])

export function parseFrontMatter(lines: readonly string[]): FrontMatter | { readonly problem: string } {
  const bare = (at: number): string => bareLine(lines[at] ?? '')
  if (bare(0).trimEnd() !== '---') return { fields: new Map(), closedAt: null, bodyAt: 0 }
  const closedAt = lines.findIndex((_, at) => at > 0 && bare(at).trimEnd() === '---')
  if (closedAt < 0) return wrong(0, 'The front matter is never closed. End it with a line "---".')

  const fields = new Map<string, GrowingField>()
  let key: string | null = null
  for (let at = 1; at < closedAt; at++) {
    const line = bare(at)
    if (/^\s*#/.test(line) || isBlank(line)) continue
    const pair = /^([A-Za-z_][\w-]*)\s*:(?:\s+(.*))?$/.exec(line)
    const item = /^\s*-(?:\s+(.*))?$/.exec(line)
    const field: GrowingField | undefined = key === null ? undefined : fields.get(key)
    if (pair !== null) {
      key = (pair[1] ?? '').toLowerCase()
      if (fields.has(key)) return wrong(at, `"${key}" is given twice. Keep one.`)
      const value = fieldOf(pair[2] ?? '')
      if (value === null && KNOWN.has(key))
        return wrong(at, 'A bracket or a quotation mark is missing at the end.')
      fields.set(key, { value: value ?? '', at, items: [] })
    } else if (item !== null && key !== null && field !== undefined && takesItems(field)) {
      const value = scalar(item[1] ?? '')
      if (value === null && KNOWN.has(key)) return wrong(at, 'A quotation mark is missing at the end.')
      if (typeof field.value === 'string') field.value = []
      field.value.push(value ?? '')
      field.items.push(at)
    } else if (key !== null && !KNOWN.has(key) && /^[\s-]/.test(line)) continue
    else if (item !== null)
      return wrong(at, 'This list item belongs to no key. Write "key:" on the line before.')
    else return wrong(at, `"${line.trim().slice(0, 60)}" is not "key: value".`)
  }
  return { fields, closedAt, bodyAt: closedAt + 1 }
}

const wrong = (at: number, what: string): { problem: string } => ({ problem: `line ${at + 1}: ${what}` })

const takesItems = ({ value, items }: GrowingField): boolean => value === '' || items.length > 0

/** Null for something that was opened and not closed. */
function fieldOf(text: string): string | string[] | null {
  const bare = text.trim()
  if (!bare.startsWith('[')) return scalar(bare)
  const inner = /^\[(.*)\]\s*(?:#.*)?$/.exec(bare)?.[1]
  if (inner === undefined) return null
  const items = splitList(inner).map(scalar)
  return items.includes(null) ? null : items.filter((item) => item !== null && item !== '').map(String)
}

/** At commas, but not within quotation marks. */
const splitList = (text: string): string[] => text.match(/(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*'|[^,])+/g) ?? []

function scalar(text: string): string | null {
  const bare = text.trim()
  if (bare.startsWith('"')) {
    const quoted = /^("(?:\\.|[^"\\])*")\s*(?:#.*)?$/.exec(bare)?.[1]
    return quoted === undefined ? null : unquoted(quoted)
  }
  if (bare.startsWith("'"))
    return /^'((?:''|[^'])*)'\s*(?:#.*)?$/.exec(bare)?.[1]?.replaceAll("''", "'") ?? null
  return bare.replace(/(?:^|\s)#.*$/, '').trimEnd()
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

const unquoted = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code?: string, character?: string) =>
      code === undefined
        ? (ESCAPES[character ?? ''] ?? character ?? '')
        : String.fromCharCode(parseInt(code, 16)),
    )
