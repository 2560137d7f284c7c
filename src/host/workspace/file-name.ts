/**
 * File names as git has them are bytes, and not always UTF-8. A name that is not UTF-8 must still be the name of that
 * one file, or it could not be judged and put back: its bytes from 0x80 on stand as lone surrogates, as in Python.
 */

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LONE_SURROGATE = /\p{Surrogate}/u

/** Bytes as text, without loss. What stands between NULs is judged by itself: one odd name must not change the others. */
export function textOf(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    const latin1 = Buffer.from(bytes).toString('latin1')
    return latin1.includes('\0') ? latin1.split('\0').map(pieceOf).join('\0') : escaped(latin1)
  }
}

const pieceOf = (latin1: string): string => textOf(Buffer.from(latin1, 'latin1'))

const escaped = (latin1: string): string =>
  latin1.replace(/[\u0080-\u00ff]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)))

export function bytesOf(text: string): Buffer {
  if (!LONE_SURROGATE.test(text)) return Buffer.from(text, 'utf8')
  const latin1 = text.replace(/[\udc80-\udcff]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) - 0xdc00))
  return Buffer.from(latin1, 'latin1')
}

/** For journals and people: always well-formed text. */
export const shown = (name: string): string =>
  LONE_SURROGATE.test(name)
    ? name.replace(/[\udc80-\udcff]/g, (unit) => `\\x${(unit.charCodeAt(0) - 0xdc00).toString(16)}`)
    : name

/** A few names within a sentence. */
export function someNames(names: readonly string[], most = 5): string {
  const first = names
    .slice(0, most)
    .map((name) => (/^[\w./@+-]+$/.test(name) ? name : JSON.stringify(shown(name))))
  return names.length > most ? `${first.join(', ')} and ${names.length - most} more` : first.join(', ')
}

/** Each by itself, for the same reason. */
export const bytesOfAll = (texts: readonly string[]): Buffer => Buffer.concat(texts.map(bytesOf))

/** What stands between NULs, as `-z` gives it. */
export const namesOf = (listed: string): string[] => listed.split('\0').filter((name) => name !== '')
