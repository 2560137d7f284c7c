/**
 * A text that must go, in the forms in which it may stand somewhere: as it is, escaped within JSON (also within JSON that is
 * itself a text), percent-encoded, and within Base64, whichever bytes stand before it there. Each is replaced by a mark.
 */
import type { Edit } from '../../journal/index.ts'

export const MARK = '[erased]'

/** Shorter ones stand in what they have nothing to do with. */
export const SHORTEST = 6

export function createEdit(texts: readonly string[]): Edit {
  const spellings = [...new Set(texts.flatMap(spellingsOf))].sort((a, b) => b.length - a.length)
  const inJson = spellings.map(escaped)
  const inBytes = spellings.map((spelling) => Buffer.from(spelling))
  const without = (text: string): string =>
    spellings.reduce((rest, spelling) => rest.replaceAll(spelling, MARK), text)
  /** What somebody made no JSON of in the store is a text like any other. */
  const withoutInJson = (text: string): string => {
    try {
      return JSON.stringify(JSON.parse(text, (_, value: unknown) => edited(value, without)))
    } catch {
      return inJson.reduce((rest, spelling) => rest.replaceAll(spelling, MARK), text)
    }
  }
  return {
    text: (text) => (inJson.some((spelling) => text.includes(spelling)) ? withoutInJson(text) : null),
    bytes: (bytes) => {
      const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (!inBytes.some((spelling) => given.includes(spelling))) return null
      // One byte a character: whatever is no text stays as it is.
      const rest = inBytes.reduce(
        (text, spelling) => text.replaceAll(spelling.toString('latin1'), MARK),
        given.toString('latin1'),
      )
      return Buffer.from(rest, 'latin1')
    },
  }
}

function edited(value: unknown, without: (text: string) => string): unknown {
  if (typeof value === 'string') return without(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [without(key), inner]))
}

/** As bytes, longest first: for files. */
export const spelledBytes = (texts: readonly string[]): readonly Buffer[] =>
  [...new Set(texts.flatMap(spellingsOf))]
    .sort((a, b) => b.length - a.length)
    .map((text) => Buffer.from(text))

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

const ascii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Half a character at either end is left out, for it tells nothing, and is spelled in as many ways as there are of cutting
 * one; in the middle it stands as it is, or as the mark that is written in its place.
 */
const spellingsOf = (text: string): string[] => {
  const whole = text.replaceAll(HALVES_AT_THE_ENDS, '')
  const forms = [whole, wellFormed(whole), whole.normalize('NFC'), whole.normalize('NFD')]
  return [...new Set(forms)].flatMap(spellingsOfOne)
}

/** As bytes have it. */
const wellFormed = (text: string): string => Buffer.from(text).toString()

const HALVES_AT_THE_ENDS = /^[\p{Cs}\uFFFD]+|[\p{Cs}\uFFFD]+$/gu

function spellingsOfOne(text: string): string[] {
  const once = escaped(text)
  const twice = escaped(once)
  const percent = encodeURIComponent(wellFormed(text))
  return [
    text,
    once,
    twice,
    escaped(twice),
    ascii(once),
    ascii(once).replaceAll(/\\u[\da-f]{4}/g, (letter) => `\\u${letter.slice(2).toUpperCase()}`),
    percent,
    percent.replaceAll(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()),
    inFileName(text),
    ...withinBase64(text),
  ].filter((spelling) => spelling.length >= SHORTEST)
}

/** As git quotes it. */
const inFileName = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\${byte.toString(8)}`))
    .join('')

/** The letters that depend on the text alone, for each of the three places it can begin at. */
function withinBase64(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((before) => {
    const letters = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const own = letters.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    // A short one would stand in many things by chance.
    return own.length < 12 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
