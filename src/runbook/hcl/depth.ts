/**
 * How deep the brackets stand. The parser recurses once a bracket, so the bound is what keeps a hostile text from
 * the end of the stack; and of all brackets found open at one place, only the innermost is reported.
 */
import type { Token } from './lexer.ts'
import type { Problems } from './problems.ts'

const DEEPEST = 64

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
])

export interface Depth {
  /** False where this bracket would stand too deep: it is reported, and must be passed over unread. */
  enter(open: Token): boolean
  leave(): void
  /** `found` is the token that cannot stand inside the bracket. */
  unclosed(open: Token, found: Token): void
}

export function createDepth(problems: Problems): Depth {
  let depth = 0
  let foundAt = -1
  return {
    enter: (open) => {
      if (depth < DEEPEST) {
        depth += 1
        return true
      }
      problems.add({
        code: 'too-deep',
        at: open.at,
        path: '',
        message: `Brackets stand in one another at most ${DEEPEST} deep.`,
        help: 'A runbook needs fewer than ten.',
      })
      return false
    },
    leave: () => {
      depth -= 1
    },
    unclosed: (open, found) => {
      if (found.start !== foundAt)
        problems.syntax({
          at: open.at,
          message: `This ${open.value} is never closed.`,
          help: `Write ${CLOSING.get(`${open.value}`)} where it ends.`,
        })
      foundAt = found.start
    },
  }
}
