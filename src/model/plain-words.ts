/**
 * What a text says, whatever letters it is written in. Rules that look for words in an agent's text (`danger.ts`) look at
 * two readings: as prose, with identifiers taken apart, and bare, as a shell or a Markdown page takes it, where marks inside
 * a word vanish. What cannot be brought to plain words is reported, so that the rules need not guess.
 */
import { hasUnseen } from './visible-text.ts'

/** Each is one line of plain letters with single blanks. */
export function readingsOf(text: string): { readonly prose: string; readonly bare: string } {
  const plain = withPlainLetters(text)
  const parted = plain.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return { prose: spaced(parted), bare: spaced(withoutMarks(plain)) }
}

/** Why these words cannot be read reliably; null where they can. */
export function hiddenWordsIn(text: string): string | null {
  if (hasUnseen(text)) return 'has characters that cannot be seen'
  const letters = text.normalize('NFKC')
  if (UNUSUAL_LETTER.test(letters.normalize('NFKD').replaceAll(/\p{M}/gu, ''))) return 'has unusual letters'
  for (const [word] of letters.matchAll(/\p{L}{4,}/gu))
    if (/\p{Script=Latin}/u.test(word) && LOOKALIKE_ALPHABET.test(word)) return 'mixes alphabets in a word'
  if (SPELLED_OUT.test(letters)) return 'spells words out letter by letter'
  return ENCODED.test(letters) ? 'has encoded characters' : null
}

/** A shell puts other words in their place: what it runs does not stand there. */
export const hasComputedWords = (text: string): boolean => /\$[\w({@*'"]/.test(text.normalize('NFKC'))

const withPlainLetters = (text: string): string =>
  text
    // Written so, a blank looks empty and is a letter or a sign to everybody else.
    .replaceAll(/[\u2800\u3164\uFFA0\u115F\u1160]/g, ' ')
    .normalize('NFKD')
    .replaceAll(/\p{Cf}|\p{M}|[\u{E0000}-\u{E0FFF}]/gu, '')
    .replaceAll(/[^\0-~]/gu, (letter) => PLAIN.get(letter) ?? dash(letter) ?? enclosed(letter) ?? letter)

/** What a shell and Markdown take out of a word, or put a blank for. */
const withoutMarks = (text: string): string =>
  text
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll(/\$(?:\{IFS[^}]*\}|IFS)/g, ' ')
    .replaceAll(/\$\{[^}]{0,200}\}|\$\(\)|\$(?:\w+|[@*#?!-])/g, '')
    .replaceAll(/<[^<>]{0,200}>/g, '')
    .replaceAll(/[{},]/g, ' ')
    .replaceAll(/[\\'"`$*_~]/g, '')

const spaced = (text: string): string => text.replaceAll(/[\s_*`]+/gu, ' ')

/** A long dash often stands where two short ones were typed. */
const dash = (letter: string): string | undefined =>
  /[\u2013-\u2015\u2E3A\u2E3B]/.test(letter)
    ? '--'
    : /[\p{Pd}\u2212\u2043\u02D7\u2796]/u.test(letter)
      ? '-'
      : undefined

/** Letters in circles and squares, and those that flags are made of. */
function enclosed(letter: string): string | undefined {
  const code = letter.codePointAt(0) ?? 0
  const first = [0x1f150, 0x1f170, 0x1f1e6].find((start) => code >= start && code < start + LETTERS.length)
  return first === undefined ? undefined : LETTERS[code - first]
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Of other alphabets and of phonetic writing, by the letter that each is taken for; and signs likewise. */
const PLAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑᴀ',
    b: 'ЬвʙƀᏏ',
    c: 'сϲςᴄ',
    d: 'ԁđᴅɗ',
    e: 'еєεᴇɛ',
    f: 'ꜰƒ',
    g: 'ɡցɢ',
    h: 'һհнħʜ',
    i: 'іιıɪ',
    j: 'јᴊ',
    k: 'кκᴋ',
    l: 'ӏӀłʟ',
    m: 'мμᴍ',
    n: 'пոηɴ',
    o: 'оοσօøᴏ',
    p: 'рρᴘ',
    q: 'ԛ',
    r: 'гʀ',
    s: 'ѕꜱ',
    t: 'тτŧᴛ',
    u: 'սυᴜʋ',
    v: 'νѵᴠ',
    w: 'ԝաᴡ',
    x: 'хχ',
    y: 'уүγʏ',
    z: 'ᴢζƶ',
    A: 'АΑ',
    B: 'ВΒ',
    C: 'СϹ',
    D: 'Đ',
    E: 'ЕΕ',
    H: 'НΗ',
    I: 'ІΙ',
    J: 'Ј',
    K: 'КΚ',
    L: 'Ł',
    M: 'МΜ',
    N: 'Ν',
    O: 'ОΟՕØ',
    P: 'РΡ',
    S: 'Ѕ',
    T: 'ТΤ',
    U: 'Ս',
    V: 'Ѵ',
    X: 'ХΧ',
    Y: 'ҮΥ',
    Z: 'Ζ',
    "'": '‘’‚‛′‵ˈʹʼ´',
    '"': '“”„‟″«»',
    '/': '⁄∕⧸╱',
    '\\': '⧵∖⧹',
    '|': '∣ǀ❘│⏐',
    '+': '➕',
    $: '💲',
  }).flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)),
)

const LOOKALIKE_ALPHABET = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u

/** Alphabets that people write to each other in. Others have letters that look like Latin ones and are no language of a card. */
const USUAL = [
  ...[
    'Latin',
    'Cyrillic',
    'Greek',
    'Armenian',
    'Georgian',
    'Han',
    'Hiragana',
    'Katakana',
    'Hangul',
    'Bopomofo',
  ],
  ...[
    'Arabic',
    'Hebrew',
    'Thai',
    'Lao',
    'Khmer',
    'Myanmar',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
    'Oriya',
  ],
  ...[
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Ethiopic',
    'Mongolian',
    'Tibetan',
    'Common',
    'Inherited',
  ],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('')

/** Phonetic letters are Latin by name. */
const UNUSUAL_LETTER = new RegExp(`(?![${USUAL}])\\p{L}|[\\u0250-\\u02AF\\u1D00-\\u1DBF\\uA720-\\uA7FF]`, 'u')

const SPELLED_OUT = /(?<![\p{L}\p{N}])(?:\p{L}[ .·_-]){3,}\p{L}(?![\p{L}\p{N}])/u

/** As a shell (`$'\x72'`) or a page (`&#114;`) reads them. */
const ENCODED =
  /\\x[0-9a-f]{2}|\\u\{?[0-9a-f]{2}|\\[0-7]{3}|&(?!(?:amp|lt|gt|quot|nbsp);)#?\w{2,};|\bbase64 (?:-d|--decode)/iu
