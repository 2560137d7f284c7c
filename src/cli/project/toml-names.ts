/**
 * The names of all tables and keys in a text of TOML, or the line where it cannot be one. Only so much is read of it as
 * tells whether a table can be added at its end; values are passed over.
 */

export type TomlNames = { readonly names: readonly (readonly string[])[] } | { readonly badLine: number }

export function tomlNames(text: string): TomlNames {
  const names: string[][] = []
  let table: string[] = []
  let at = read(GAP, text, text.startsWith('\ufeff') ? 1 : 0).end
  while (at < text.length) {
    const header = read(HEADER, text, at)
    if (header.text !== '') {
      table = partsOf(header.text.replaceAll(/^\[{1,2}|\]{1,2}$/g, ''))
      names.push(table)
      at = header.end
    } else {
      const key = read(KEY, text, at)
      const value = key.text === '' ? null : endOfValue(text, key.end)
      if (value === null) return { badLine: text.slice(0, at).split('\n').length }
      names.push([...table, ...partsOf(key.text.replace(/=$/, ''))])
      at = value
    }
    const rest = read(REST, text, at)
    if (rest.end < text.length && text[rest.end] !== '\n')
      return { badLine: text.slice(0, rest.end).split('\n').length }
    at = read(GAP, text, rest.end).end
  }
  return { names }
}

const NAME = `(?:[\\w-]+|"(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*')`
const PATH = `[ \\t]*${NAME}(?:[ \\t]*\\.[ \\t]*${NAME})*[ \\t]*`
/** What stands between statements. */
const GAP = /(?:\s|#[^\n]*)*/y
const HEADER = new RegExp(`\\[\\[${PATH}\\]\\]|\\[${PATH}\\]`, 'y')
const KEY = new RegExp(`${PATH}=`, 'y')
const REST = /[ \t]*(?:#[^\n]*)?\r?/y

function read(pattern: RegExp, text: string, at: number): { readonly text: string; readonly end: number } {
  pattern.lastIndex = at
  const found = pattern.exec(text)?.[0] ?? ''
  return { text: found, end: at + found.length }
}

const partsOf = (path: string): string[] =>
  [...path.matchAll(new RegExp(NAME, 'g'))].map(([name]) => name.replaceAll(/^["']|["']$/g, ''))

const STRINGS = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y
const WORD = /[^\s#,"'[\]{}]+/y

/** Null where it does not end. */
function endOfValue(text: string, from: number): number | null {
  let depth = 0
  let at = read(/[ \t]*/y, text, from).end
  const begin = at
  while (at < text.length) {
    if (depth > 0) at = read(GAP, text, at).end
    const char = text[at] ?? ''
    if (char === '[' || char === '{') depth++
    if (char === ']' || char === '}') depth--
    const end = '[]{}'.includes(char) && char !== '' ? at + 1 : endOfWord(text, at, depth)
    if (end === null || depth < 0) return null
    at = end
    if (depth === 0) {
      const more = read(/[ \t]*/y, text, at).end
      // A date and a time may stand apart.
      if (!/[\w+-]/.test(text[more] ?? '')) return at > begin ? at : null
      at = more
    }
  }
  return depth === 0 && at > begin ? at : null
}

function endOfWord(text: string, at: number, depth: number): number | null {
  if (depth > 0 && text[at] === ',') return at + 1
  const string = read(STRINGS, text, at)
  if (string.text !== '') return string.end
  if (text[at] === '"' || text[at] === "'") return null
  const word = read(WORD, text, at)
  return word.text === '' ? null : word.end
}
