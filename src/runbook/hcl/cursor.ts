/**
 * The parser's place in the tokens: a little looking ahead, and the three ways of getting past a fault. Each of
 * them counts brackets and never recurses, so a hostile text is passed over in one sweep.
 */
import { createLexer, type Token } from './lexer.ts'
import type { Problems } from './problems.ts'

export interface TokenCursor {
  peek(ahead?: number): Token
  next(): Token
  isMark(mark: string, ahead?: number): boolean
  /** The text between two offsets, as written. */
  slice(start: number, end: number): string
  skipNewlines(): void
  /** Whether the next token is the first of its line. */
  startsLine(): boolean
  /** Past the fault to the end of its line, or before the } of the block around it. */
  skipLine(): void
  /** Past the fault to the end of one field of an object. */
  skipField(): void
  /** Past the bracket that closes the one already taken; stays before a } that belongs to something else. */
  skipPast(close: string): void
}

export function createCursor(source: string, problems: Problems): TokenCursor {
  const lex = createLexer(source, problems)
  const ahead: Token[] = []
  let last: Token | undefined

  function peek(count = 0): Token {
    while (ahead.length <= count) ahead.push(problems.isFull() ? endAfter(ahead.at(-1) ?? last) : lex())
    return ahead[count]!
  }

  function next(): Token {
    const token = peek()
    ahead.shift()
    last = token
    return token
  }

  const isMark = (mark: string, count = 0): boolean => {
    const token = peek(count)
    return token.kind === 'mark' && token.value === mark
  }

  function skipNewlines(): void {
    while (peek().kind === 'newline') next()
  }

  /** Takes tokens until one outside all brackets is wanted; a } that closes nothing opened here always ends it. */
  function skipUntil(wanted: (token: Token) => boolean): void {
    let depth = 0
    for (;;) {
      const token = peek()
      if (token.kind === 'end') return
      if (depth === 0 && (wanted(token) || isMark('}'))) return
      if (opens(token)) depth += 1
      else if (closes(token)) depth = Math.max(0, depth - 1)
      next()
    }
  }

  return {
    peek,
    next,
    isMark,
    slice: (start, end) => source.slice(start, end),
    skipNewlines,
    startsLine: () => last === undefined || last.kind === 'newline',
    skipLine: () => skipUntil((token) => token.kind === 'newline'),
    skipField: () =>
      skipUntil((token) => token.kind === 'newline' || (token.kind === 'mark' && token.value === ',')),
    skipPast: (close) => {
      skipUntil((token) => token.kind === 'mark' && token.value === close)
      if (isMark(close)) next()
    },
  }
}

export const opens = (token: Token): boolean =>
  token.kind === 'mark' && (token.value === '{' || token.value === '[' || token.value === '(')

export const closes = (token: Token): boolean =>
  token.kind === 'mark' && (token.value === '}' || token.value === ']' || token.value === ')')

function endAfter(token: Token | undefined): Token {
  const end = token?.end ?? 0
  return { kind: 'end', value: '', at: token?.at ?? { line: 1, column: 1 }, start: end, end }
}
