/**
 * The bytes of a file as text. Of what is not UTF-8 the author is told the byte and where it stands; a replacement
 * character would only confuse whatever reads it next.
 */
import type { Position } from '../model/diagnostic.ts'
import type { Report } from './report.ts'

/** Every host has it, and it touches nothing; but its types come only with those of a whole world. */
declare class TextDecoder {
  constructor(label: 'utf-8', options: { readonly fatal: true; readonly ignoreBOM: true })
  decode(bytes: Uint8Array, options?: { readonly stream: boolean }): string
}

/** Null where the bytes are not UTF-8; the first wrong one is reported. A byte order mark is left out. */
export function decodeUtf8(bytes: Uint8Array, report: Report): string | null {
  const content = hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes
  try {
    return strictDecoder().decode(content)
  } catch {
    const { text, length } = untilWrong(content)
    report.add({
      code: 'not-utf8',
      at: endOf(text),
      path: '',
      message: `The byte ${hex(content[length]!)} is not UTF-8.`,
      help: 'Save the file as UTF-8.',
    })
    return null
  }
}

const hasByteOrderMark = ([first, second, third]: Uint8Array): boolean =>
  first === 0xef && second === 0xbb && third === 0xbf

const strictDecoder = (): TextDecoder => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Told byte by byte, a decoder gives every whole character before it comes to the wrong one. */
function untilWrong(bytes: Uint8Array): { readonly text: string; readonly length: number } {
  const decoder = strictDecoder()
  let [text, length] = ['', 0]
  try {
    for (let at = 1; at <= bytes.length; at++) {
      const character = decoder.decode(bytes.subarray(at - 1, at), { stream: true })
      text += character
      if (character !== '') length = at
    }
  } catch {
    // Where it ends too soon there is nothing to catch.
  }
  return { text, length }
}

const endOf = (text: string): Position => ({
  line: text.split('\n').length,
  column: text.length - text.lastIndexOf('\n'),
})

const hex = (byte: number): string => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`
