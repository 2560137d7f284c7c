/**
 * The head of an issue's file: `key: value`, `key: [a, b]` and lists with dashes, between two lines of three dashes.
 * It looks like YAML and is deliberately less: what an issue needs can be read at a glance, and anything else is told
 * with its line instead of being guessed at.
 */

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, string | readonly string[]>
  readonly body: string
}

export function parseFrontMatter(text: string): FrontMatter | { readonly problem: string } {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return { fields: new Map(), body: lines.join('\n').trim() }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  if (end < 0) return wrong(1, 'The front matter is never closed. End it with a line "---".')

  const fields = new Map<string, string | string[]>()
  let key: string | null = null
  for (let at = 1; at < end; at++) {
    const line = lines[at] ?? ''
    if (/^\s*(#|$)/.test(line)) continue
    const item = /^\s*-(?:\s+(.*))?$/.exec(line)
    const pair = /^([A-Za-z_][\w-]*)\s*:(?:\s+(.*))?$/.exec(line)
    if (item !== null) {
      const list: string | string[] | undefined = key === null ? undefined : fields.get(key)
      const value = scalar(item[1] ?? '')
      if (key === null || (typeof list === 'string' && list !== ''))
        return wrong(at + 1, 'This list item belongs to no key. Write "key:" on the line before.')
      if (value === null) return wrong(at + 1, 'A quotation mark is missing at the end.')
      fields.set(key, [...(typeof list === 'string' || list === undefined ? [] : list), value])
    } else if (pair !== null) {
      key = (pair[1] ?? '').toLowerCase()
      if (fields.has(key)) return wrong(at + 1, `"${key}" is given twice. Keep one.`)
      const value = fieldOf(pair[2] ?? '')
      if (value === null) return wrong(at + 1, 'A bracket or a quotation mark is missing at the end.')
      fields.set(key, value)
    } else return wrong(at + 1, `"${line.trim().slice(0, 60)}" is not "key: value".`)
  }
  return {
    fields,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

const wrong = (line: number, what: string): { problem: string } => ({ problem: `line ${line}: ${what}` })

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

/** A value on one line, in quotation marks where it would be read as something else. */
export const written = (value: string): string =>
  /^[\p{L}\p{N}][^#:"'\p{Cc}\u2028\u2029]*$/u.test(value) && value === value.trim()
    ? value
    : JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))
