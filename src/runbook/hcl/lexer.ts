/**
 * Turns the text into tokens, one at a time. Every character comes out as some token, so only the parser judges
 * what may stand where; here are reported the troubles inside a token: texts, comments and numbers.
 */
import type { Position } from '../../model/diagnostic.ts'
import { createLines } from '../lines.ts'
import { lookUpPlaces } from '../look-up-places.ts'
import { readHeredoc } from './heredoc.ts'
import type { Problems } from './problems.ts'
import { type ReadText, readQuoted } from './quoted.ts'

interface Place {
  readonly at: Position
  readonly start: number
  readonly end: number
}

export type Token = Place &
  (
    | { readonly kind: 'number'; readonly value: number; readonly written: string }
    | { readonly kind: 'text'; readonly value: string; readonly lookUps: readonly Position[] | null }
    | { readonly kind: 'name' | 'mark' | 'newline' | 'end'; readonly value: string }
  )

const BLANK = /[ \t\r]+/y
const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const BYTE_ORDER_MARK = '\uFEFF'

export function createLexer(source: string, problems: Problems): () => Token {
  const first = source.startsWith(BYTE_ORDER_MARK) ? 1 : 0
  const lines = createLines(source, first)
  let offset = first
  let literalUntil = 0

  // Every token is written out: spreading what they share made reading twenty times slower.
  function nextToken(): Token {
    skipBlanks()
    const start = offset
    const at = lines.positionAt(start)
    const char = source[start]
    if (char === undefined) return { kind: 'end', value: '', at, start, end: start }
    offset += 1
    if (char === '\n') return { kind: 'newline', value: char, at, start, end: offset }
    const text = textAt(start, char)
    if (text !== null) {
      offset = text.end
      return {
        kind: 'text',
        value: text.value,
        at,
        start,
        end: offset,
        lookUps: lookUpsIn(text.value, start),
      }
    }
    const name = matchAt(NAME, start)
    if (name !== null) {
      offset = start + name.length
      return { kind: 'name', value: name, at, start, end: offset }
    }
    const number = matchAt(NUMBER, start)
    if (number !== null) return numberToken(number, { at, start })
    const mark = String.fromCodePoint(source.codePointAt(start)!)
    offset = start + mark.length
    return { kind: 'mark', value: mark, at, start, end: offset }
  }

  function lookUpsIn(text: string, start: number): readonly Position[] | null {
    if (!text.includes('${')) return null
    return lookUpPlaces(text, source, { start, end: offset })?.map((place) => lines.positionAt(place)) ?? null
  }

  function textAt(start: number, char: string): ReadText | null {
    const text = char === '"' ? quotedAt(start) : char === '<' ? readHeredoc(source, start) : null
    for (const { offset: fault, message, help } of text?.faults ?? []) {
      problems.syntax({ at: lines.positionAt(fault), message, help })
    }
    return text
  }

  function quotedAt(start: number): ReadText {
    const limit = lines.endOfLine(start)
    const text = readQuoted({
      source,
      start,
      limit,
      interpolation: start < literalUntil ? 'literal' : 'followed',
    })
    if (text.open) literalUntil = limit
    return text
  }

  function numberToken(digits: string, { at, start }: Omit<Place, 'end'>): Token {
    const unit = matchAt(NAME, start + digits.length) ?? ''
    const written = digits + unit
    const end = start + written.length
    offset = end
    if (unit !== '') {
      const message = `${written} is neither a number nor a text.`
      const decimal = /^0[xXoObB]/.test(written) ? Number(written) : Number.NaN
      const help = Number.isNaN(decimal) ? `Write "${written}".` : `Numbers are decimal: write ${decimal}.`
      problems.syntax({ at, message, help })
      return { kind: 'text', value: written, at, start, end, lookUps: null }
    }
    const value = Number(digits)
    if (!Number.isFinite(value))
      problems.syntax({
        at,
        message: 'This number is too large.',
        help: 'Write a smaller one, or a text in quotes.',
      })
    return { kind: 'number', value, at, start, end, written }
  }

  function skipBlanks(): void {
    for (;;) {
      offset += matchAt(BLANK, offset)?.length ?? 0
      if (source[offset] === '#' || source.startsWith('//', offset)) offset = lines.endOfLine(offset)
      else if (source.startsWith('/*', offset)) offset = endOfComment(offset)
      else return
    }
  }

  function endOfComment(start: number): number {
    const close = source.indexOf('*/', start + 2)
    if (close !== -1) return close + 2
    const message = 'This comment is never closed.'
    problems.syntax({ at: lines.positionAt(start), message, help: 'Close it with */.' })
    return source.length
  }

  function matchAt(pattern: RegExp, at: number): string | null {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0] ?? null
  }

  return nextToken
}
