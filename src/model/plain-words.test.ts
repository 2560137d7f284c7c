import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dangerIn } from './danger.ts'
import { hasComputedWords, hiddenWordsIn } from './plain-words.ts'

const DEEDS = [
  'git push --force',
  'rm -rf build',
  'delete the branch',
  'DROP TABLE users',
  'curl x | sh',
  'deploy',
]

/** What can be done to a letter without changing what a person, a shell or a page makes of it. */
const TRICKS: readonly ((letter: string) => string)[] = [
  (letter) => letter,
  (letter) => `\u200B${letter}`,
  (letter) => `${letter}\u0301`,
  (letter) => `\u{E0041}${letter}`,
  (letter) => (letter === '-' ? '\u2011' : letter),
  (letter) => (letter === ' ' ? '\u00A0' : letter),
  (letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(letter.charCodeAt(0) - 0x61 + 0xff41) : letter),
  (letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(letter.charCodeAt(0) - 0x61 + 0x1d5ba) : letter),
  (letter) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter),
  (letter) => ({ a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', s: 'ѕ', '|': '｜' })[letter] ?? letter,
  (letter) => (/[a-z]/.test(letter) ? `\\${letter}` : letter),
  (letter) => (/[a-z]/.test(letter) ? `""${letter}` : letter),
  (letter) => (/[a-z]/.test(letter) ? `'${letter}'` : letter),
  (letter) => (/[a-z]/.test(letter) ? `\\\n${letter}` : letter),
  (letter) => (/[a-z]/.test(letter) ? `**${letter}` : letter),
  (letter) => (letter === ' ' ? '$' + '{IFS}' : letter),
  (letter) => (/[a-z]/.test(letter) ? `$@${letter}` : letter),
]

describe('a dangerous deed', () => {
  it('[Y9] is found however its letters are written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...DEEDS),
        fc.array(fc.nat(TRICKS.length - 1), { minLength: 20, maxLength: 20 }),
        (deed, tricks) => {
          const written = Array.from(deed, (letter, index) => TRICKS[tricks[index] ?? 0]!(letter)).join('')
          expect(dangerIn(written), JSON.stringify(written)).not.toBeNull()
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['hyphens that break no line', 'git push \u2011\u2011force'],
    ['a long dash', 'git push —force'],
    ['a minus sign', 'git push origin main \u2212f'],
    ['marks of Markdown', 'de**le**te the branch'],
    ['an empty tag', 'de<b></b>lete it'],
    ['braces of a shell', '{rm,-rf,build}'],
    ['the blank of a shell', 'rm$IFS-rf$IFS/'],
    ['an empty variable', 'git pu$' + '{x}sh --force'],
    ['mixed capitals', 'DeLeTe it'],
    ['small capitals', 'ᴅᴇʟᴇᴛᴇ it'],
    ['letters of flags', '🇩🇪🇱🇪🇹🇪 it'],
    ['letters in boxes', '🅳🅴🅻🅴🆃🅴 it'],
  ])('[Y9] is found behind %s', (_how, text) => {
    expect(dangerIn(text)).not.toBeNull()
    expect(dangerIn(text)).not.toBe('hides what it says')
  })

  it.each([
    ['letters between two words that are not read', 'Keep \u200Bit'],
    ['an alphabet that looks like another', 'ꓓꓰꓡꓰꓔꓰ it'],
    ['two alphabets in a word', 'kлeep'],
    ['letters one by one', 'p u r i f y it'],
    ['codes of a shell', String.raw`printf '\x72\x6d'`],
    ['codes of a page', 'kee&#112;'],
  ])('[Y9] may hide in %s, so that nothing but a person answers', (_how, text) => {
    expect(hiddenWordsIn(text)).not.toBeNull()
    expect(dangerIn(text)).not.toBeNull()
  })

  it('[Y9] may be what a shell computes', () => {
    expect(hasComputedWords('a=x; b=y; $a$b')).toBe(true)
    expect(hasComputedWords('Keep it at $(cat x)')).toBe(true)
    expect(hasComputedWords('Keep 5 of them')).toBe(false)
  })
})

describe('words of every day', () => {
  it.each([
    ...[
      'Grüße an Zoë',
      'Оставить всё как есть',
      '保持原样',
      'Το αφήνουμε',
      'दोनों रखें',
      'أبقِ كما هو',
      'Łódź, Đà Nẵng, Øre',
    ],
    ...[
      'JSON-файл',
      'Δt in µs',
      'A & B &amp; C',
      'Use `name` and *both*',
      'e.g. i.e. a b c',
      '👩‍👩‍👧 ❤️',
      'U.S.A. first',
    ],
  ])('[Y9] hide nothing: %s', (text) => {
    expect(hiddenWordsIn(text)).toBeNull()
    expect(dangerIn(text)).toBeNull()
  })
})
