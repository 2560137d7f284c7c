import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReport } from './report.ts'
import { decodeUtf8 } from './source-text.ts'

function decode(bytes: Uint8Array) {
  const report = createReport('flow.yaml')
  const text = decodeUtf8(bytes, report)
  return { text, diagnostics: report.diagnostics }
}

const bytesOf = (...parts: (string | number)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : [part])),
  )

describe('decoding', () => {
  it('[L3] reads what is UTF-8 and refuses what is not, as the platform does', () => {
    const strict = new TextDecoder('utf-8', { fatal: true })
    const expected = (bytes: Uint8Array): string | null => {
      try {
        return strict.decode(bytes)
      } catch {
        return null
      }
    }
    const broken = fc
      .tuple(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 4 }), fc.string({ unit: 'binary' }))
      .map(([before, middle, after]) => bytesOf(before, ...middle, after))
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), broken), (bytes) => {
        const { text, diagnostics } = decode(bytes)
        expect(text).toBe(expected(bytes))
        expect(diagnostics.map(({ code }) => code)).toEqual(text === null ? ['not-utf8'] : [])
      }),
      { numRuns: 2_000 },
    )
  })

  it('leaves a byte order mark out, and only at the beginning', () => {
    expect(decode(bytesOf(0xef, 0xbb, 0xbf, 'runbook: 1')).text).toBe('runbook: 1')
    expect(decode(bytesOf('a', 0xef, 0xbb, 0xbf)).text).toBe('a\ufeff')
  })

  it.each([
    ['a byte of Latin-1', bytesOf('name: caf', 0xe9, '\n'), '1:10', '0xE9'],
    ['the first of two', bytesOf('a\n', 0xff, '\n', 0xff), '2:1', '0xFF'],
    ['UTF-16', bytesOf(0xff, 0xfe, 'r', 0), '1:1', '0xFF'],
    ['what comes after other characters', bytesOf('a\r\né😀', 0x80), '2:4', '0x80'],
    ['a character that is cut short by the end', bytesOf('ab', 0xe2, 0x82), '1:3', '0xE2'],
    ['one that is written too long', bytesOf(0xc0, 0xaf), '1:1', '0xC0'],
    ['half a pair', bytesOf('x', 0xed, 0xa0, 0x80), '1:2', '0xED'],
    ['what is beyond Unicode', bytesOf(0xf4, 0x90, 0x80, 0x80), '1:1', '0xF4'],
  ])('[L2] says where %s stands', (_, bytes, place, byte) => {
    const { text, diagnostics } = decode(bytes)
    expect(text).toBeNull()
    expect(diagnostics.map(({ at, message }) => [`${at.line}:${at.column}`, message])).toEqual([
      [place, `The byte ${byte} is not UTF-8.`],
    ])
  })
})
