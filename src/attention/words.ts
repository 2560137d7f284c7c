/**
 * A text as what stays from one question to the next, and what may change: numbers, ids, paths below the repository's top, and
 * plain names in quotes. Whatever is less than plain (another alphabet, a path that leads out, an option of a command) is no
 * value but a word like any other.
 */
import type { SlotKind } from './slot.ts'

interface Word {
  /** Null: words that stay. */
  readonly kind: SlotKind | null
  readonly text: string
}

export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = []
  const add = (kind: SlotKind | null, found: string): void => {
    const last = words.at(-1)
    if (found === '') return
    if (kind === null && last?.kind === null) words[words.length - 1] = { kind, text: last.text + found }
    else words.push({ kind, text: found })
  }
  let from = 0
  for (const { 0: found, index, groups = {} } of text.matchAll(CHANGING)) {
    const kind = KINDS.find((name) => groups[name] !== undefined)!
    add(null, text.slice(from, index))
    add(kind === 'path' && !leadsInside(found) ? null : kind, found)
    from = index + found.length
  }
  add(null, text.slice(from))
  return words
}

const KINDS: readonly SlotKind[] = ['quoted', 'path', 'id', 'number']

/** One name between quotes: what is in them, the quotes themselves stay. */
const NAME = /[A-Za-z\d][A-Za-z\d._@-]{0,79}/.source
const QUOTED = [
  `(?<=")${NAME}(?=")`,
  `(?<=\`)${NAME}(?=\`)`,
  `(?<=“)${NAME}(?=”)`,
  `(?<=(?<![\\p{L}\\p{N}])')${NAME}(?='(?![\\p{L}\\p{N}]))`,
].join('|')
/** From the root, from here or from home; or with two slashes, or one and a file's name: `and/or` is none. */
const PATH =
  /(?<![\w./~-])(?:(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?|[\w.@-]+\/[\w.@-]+(?:\/[\w.@-]+)+\/?|[\w.@-]+\/[\w@-]+(?:\.\w{1,8})+)(?![\w/])/u
/** Of a commit, a run, an issue: letters and digits mixed as nobody would write a word. */
const ID =
  /(?<![\w-])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}|[A-Z][A-Z\d]{1,9}-\d{1,8}|(?=(?:[a-z]*\d){2})(?=[a-z\d]*\d[a-z])[a-z\d]{8,40})(?![\w-])/u
/** Also in a version: `v1.2.3`. */
const NUMBER = /(?<![\p{L}\p{N}_.-])v?\d{1,15}(?:[.,:]\d{1,15})*(?![\p{L}\p{N}_])/u

const CHANGING = new RegExp(
  [
    `(?<quoted>${QUOTED})`,
    `(?<path>${PATH.source})`,
    `(?<id>${ID.source})`,
    `(?<number>${NUMBER.source})`,
  ].join('|'),
  'gu',
)

/** Below the top of the repository, and its last part is no hidden name. */
function leadsInside(path: string): boolean {
  if (/^[~/]/.test(path)) return false
  const parts = path.replace(/^\.\//, '').replace(/\/$/, '').split('/')
  return parts.every((part) => !/^\.*$/.test(part) && part !== '.git') && /^[\w@]/.test(parts.at(-1)!)
}
