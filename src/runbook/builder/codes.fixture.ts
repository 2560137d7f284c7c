/** What the compiler of runbooks says of a value: for what the types refuse, it has a word as well. */
import { compileSource } from '../compile.ts'

export const codesOf = (value: unknown): string[] =>
  compileSource({ file: 'x.ts', value }, () => ({
    kind: 'unreadable',
    why: 'does not exist',
  })).diagnostics.map(({ code }) => code)
