/**
 * Whether a text stands in some bytes, in whatever form: the second opinion after erasing. `spellings.ts` writes a text in each
 * known form and looks for those bytes. This goes the other way: it decodes what it reads, form within form, and compares text.
 */

const MAX_DEPTH = 4
/** Words are as long as this, too, and each run of letters is decoded in several ways. */
const MIN_RUN = 12
/** Base64 and hex, also broken into lines. */
const ENCODED_RUN = new RegExp(`[A-Za-z0-9+/_-]{${MIN_RUN},}(?:\\r?\\n[A-Za-z0-9+/_-]{2,})*`, 'g')
/** Letters and digits that were escaped without need. */
const ESCAPED_LETTER = /\\u00[3-7]|\\u\{|\\x[3-7]|\\[01][0-7]{2}|%[3-7]|=[3-7]|&#/i

export type TextFinder = (bytes: Uint8Array) => boolean

export function createTextFinder(texts: readonly string[]): TextFinder {
  const needles = texts.map((text) => ({ text: folded(text), anchors: anchorsOf(text) }))
  return (given) => {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    const latin1 = bytes.toString('latin1')
    const all = ESCAPED_LETTER.test(latin1) ? [bytes, Buffer.from(unescaped(latin1), 'latin1')] : [bytes]
    return needles.some(({ text, anchors }) =>
      all.some((each) => surroundings(each, anchors).some((part) => holds(part, text, MAX_DEPTH))),
    )
  }
}

function holds(bytes: Buffer, text: string, depth: number): boolean {
  const latin1 = bytes.toString('latin1')
  for (const plain of [bytes.toString('utf8'), latin1, ...inUtf16(bytes)])
    if (folded(plain).includes(text)) return true
  if (depth <= 0) return false
  const decoded = unescaped(latin1)
  if (decoded !== latin1 && holds(Buffer.from(decoded, 'latin1'), text, depth - 1)) return true
  const runs = latin1.match(ENCODED_RUN) ?? []
  return runs.some((run) => decodings(run).some((inner) => holds(inner, text, depth - 2)))
}

/** One form for each character, however it is composed. */
const folded = (text: string): string => text.normalize('NFKC')

function inUtf16(bytes: Buffer): string[] {
  if (!bytes.includes(0)) return []
  const even = bytes.subarray(0, bytes.length & ~1)
  const odd = bytes.subarray(1, 1 + ((bytes.length - 1) & ~1))
  return [even, odd]
    .flatMap((each) => [each, Buffer.from(each).swap16()])
    .map((each) => each.toString('utf16le'))
}

const MIN_ANCHOR = 4
const MAX_ANCHOR = 16

/**
 * The longest run of plain letters of a text, as most encodings write it: decoding everything would take hours. Null where a
 * text has none, and everything has to be decoded.
 */
function anchorsOf(text: string): readonly Buffer[] | null {
  const [longest = ''] = (text.match(/[A-Za-z0-9]+/g) ?? []).toSorted((a, b) => b.length - a.length)
  if (longest.length < MIN_ANCHOR) return null
  const anchor = Buffer.from(longest.slice(0, MAX_ANCHOR))
  const wide = Buffer.from(anchor.toString(), 'utf16le')
  const hex = anchor.toString('hex')
  const base64 = inBase64(anchor)
  return [
    ...[anchor, wide, Buffer.from(wide).swap16(), Buffer.from(hex), Buffer.from(hex.toUpperCase())],
    ...[...base64, ...base64.flatMap(inBase64)].filter(({ length }) => length >= MIN_ANCHOR),
  ]
}

/** The letters that depend on these bytes alone, for each of the three places they can begin at. */
const inBase64 = (bytes: Buffer): Buffer[] =>
  [0, 1, 2].map((before) => {
    const letters = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return Buffer.from(
      letters.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
    )
  })

const AROUND = 8192

/** The parts of some bytes that have an anchor. */
function surroundings(bytes: Buffer, anchors: readonly Buffer[] | null): Buffer[] {
  if (anchors === null) return [bytes]
  const found: [number, number][] = []
  for (const anchor of anchors)
    for (let at = bytes.indexOf(anchor); at !== -1; at = bytes.indexOf(anchor, at + AROUND))
      found.push([Math.max(0, at - AROUND), at + 2 * AROUND])
  const parts: [number, number][] = []
  for (const [from, to] of found.sort(([a], [b]) => a - b)) {
    const last = parts.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else parts.push([from, to])
  }
  return parts.map(([from, to]) => bytes.subarray(from, to))
}

/** Escapes of JSON and of programs, percent, quoted-printable, of HTML, and of git's file names; as bytes in latin1. */
function unescaped(latin1: string): string {
  if (!/[\\%=&]/.test(latin1)) return latin1
  return latin1
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/\\u\{?([\da-f]{4,6})\}?(?:\\u([\da-f]{4}))?/gi, (_, high: string, low?: string) =>
      utf8(low === undefined ? letter(high) : letter(high) + letter(low)),
    )
    .replaceAll(/(?:\\x|%|=)([\da-f]{2})/gi, (_, byte: string) =>
      String.fromCharCode(Number.parseInt(byte, 16)),
    )
    .replaceAll(/\\([0-3][0-7]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 8)))
    .replaceAll(/&#(x?)([\da-f]{1,6});/gi, (_, hex: string, digits: string) =>
      utf8(letter(Number.parseInt(digits, hex === '' ? 10 : 16).toString(16))),
    )
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name])
    .replaceAll(/\\([nrtbf"'\\/])/g, (_, sign: string) => SIGNS[sign] ?? sign)
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" } as const
const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

function letter(hex: string): string {
  const point = Number.parseInt(hex, 16)
  return point > 0x10ffff ? '' : String.fromCodePoint(point)
}

/** A run of letters may begin in the middle of something else, so it is read from each place in a group. */
function decodings(run: string): Buffer[] {
  const letters = run.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  const inHex = /^(?:[\da-f]{2}){6,}/i.exec(letters)?.[0]
  return [
    ...[0, 1, 2, 3].map((from) => Buffer.from(letters.slice(from), 'base64')),
    ...(inHex === undefined ? [] : [Buffer.from(inHex, 'hex'), Buffer.from(letters.slice(1), 'hex')]),
  ]
}
