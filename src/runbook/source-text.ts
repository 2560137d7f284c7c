/**
 * The bytes of a file as text. Decoded by hand, because this area knows no TextDecoder, and because the author is
 * told which byte is wrong and where it stands; a replacement character would only confuse whatever reads it next.
 */
import type { Position } from '../model/diagnostic.ts'
import type { Report } from './report.ts'

/** Null where the bytes are not UTF-8; the first wrong one is reported. A byte order mark is left out. */
export function decodeUtf8(bytes: Uint8Array, report: Report): string | null {
  let text = ''
  for (let at = hasByteOrderMark(bytes) ? 3 : 0; at < bytes.length; ) {
    const character = characterAt(bytes, at)
    if (character === null) {
      report.add({
        code: 'not-utf8',
        at: endOf(text),
        path: '',
        message: `The byte ${hex(bytes[at]!)} is not UTF-8.`,
        help: 'Save the file as UTF-8.',
      })
      return null
    }
    text += String.fromCodePoint(character.codePoint)
    at += character.length
  }
  return text
}

const hasByteOrderMark = ([first, second, third]: Uint8Array): boolean =>
  first === 0xef && second === 0xbb && third === 0xbf

/** Null where no character begins, or one that begins is not gone on with as it must. */
function characterAt(bytes: Uint8Array, at: number): { codePoint: number; length: number } | null {
  const first = bytes[at]!
  if (first < 0x80) return { codePoint: first, length: 1 }
  if (first < 0xc2 || first > 0xf4) return null
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  let codePoint = first & (0x7f >> length)
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0
    const [least, most] = (index === 1 ? SECOND.get(first) : undefined) ?? CONTINUATION
    if (byte < least || byte > most) return null
    codePoint = (codePoint << 6) | (byte & 0x3f)
  }
  return { codePoint, length }
}

const CONTINUATION = [0x80, 0xbf] as const

/** First bytes that allow less for the second: the rest would be overlong, half a pair, or beyond Unicode. */
const SECOND: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
])

const endOf = (text: string): Position => ({
  line: text.split('\n').length,
  column: text.length - text.lastIndexOf('\n'),
})

const hex = (byte: number): string => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`
