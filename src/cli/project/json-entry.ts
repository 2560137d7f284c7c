/** A JSON file of an agent's, with one entry of ours and everything else as it was. */
import { isDeepStrictEqual } from 'node:util'
import type { EditedFile } from './edited-file.ts'
import { type JsonMember, withMember, withoutMember } from './json-member.ts'

export interface JsonEntry extends JsonMember {
  /** `jsonc`: with comments, and commas after the last member. */
  readonly syntax: 'json' | 'jsonc'
}

export interface Force {
  readonly force: boolean
}

/** From what is there, null for nothing. */
export function withEntry(text: string | null, entry: JsonEntry, { force }: Force): EditedFile {
  if (text === null) return { kind: 'new', text: `${JSON.stringify(nested(entry), null, 2)}\n` }
  const there = entryIn(text, entry)
  if ('why' in there) return { kind: 'malformed', why: there.why }
  if (isDeepStrictEqual(there.value, entry.value)) return { kind: 'present' }
  if (there.value !== undefined && !force)
    return { kind: 'kept', why: 'it has another "signalbox"; --force replaces that' }
  return { kind: 'changed', text: withMember(text, entry) }
}

export function withoutEntry(text: string | null, entry: JsonEntry, { force }: Force): EditedFile {
  if (text === null) return { kind: 'absent' }
  const there = entryIn(text, entry)
  if ('why' in there) return { kind: 'malformed', why: there.why }
  if (there.value === undefined) return { kind: 'absent' }
  if (!isDeepStrictEqual(there.value, entry.value) && !force)
    return { kind: 'kept', why: 'its "signalbox" is another; --force removes that' }
  const left = withoutMember(text, entry.path)
  return left === null ? { kind: 'emptied' } : { kind: 'changed', text: left }
}

const nested = ({ path, value }: JsonMember): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)

function entryIn(
  text: string,
  { path, syntax }: JsonEntry,
): { readonly value: unknown } | { readonly why: string } {
  const parsed = parse(text, syntax)
  if ('why' in parsed) return parsed
  if (!isObject(parsed.value)) return { why: 'it should hold one object' }
  let value: unknown = parsed.value
  for (const [depth, key] of path.entries()) {
    if (!isObject(value)) return { why: `\`${path.slice(0, depth).join('.')}\` in it should be an object` }
    value = Object.hasOwn(value, key) ? value[key] : undefined
    if (value === undefined) return { value }
  }
  return { value }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(
  text: string,
  syntax: JsonEntry['syntax'],
): { readonly value: unknown } | { readonly why: string } {
  const plain = text.replace(/^\ufeff/, '')
  try {
    return { value: JSON.parse(syntax === 'json' ? plain : withoutComments(plain)) }
  } catch (error) {
    return { why: `it is not JSON (${(error as Error).message.split('\n')[0]})` }
  }
}

const STRING = '"(?:[^"\\\\]|\\\\.)*"'
const COMMENTS = new RegExp(`${STRING}|//[^\\n]*|/\\*[\\s\\S]*?\\*/`, 'g')
const LAST_COMMAS = new RegExp(`${STRING}|,(?=\\s*[}\\]])`, 'g')

const withoutComments = (text: string): string =>
  text
    .replaceAll(COMMENTS, (found) => (found.startsWith('"') ? found : ' '))
    .replaceAll(LAST_COMMAS, (found) => (found.startsWith('"') ? found : ''))
