import { describe, expect, it } from 'vitest'
import { troubleIn } from './typescript-trouble.ts'

const source = "import { a } from './a.ts'\n\n  throw new Error('gone')\n"
const told = (printed: string) => {
  const { message, at } = troubleIn(printed, { path: '/flows/x.ts', source })
  return `${at.line}:${at.column} ${message}`
}

describe('a TypeScript runbook that could not be run', () => {
  it.each([
    ['Error: ParseError: Unexpected token  \n /flows/x.ts:3:8\n', '3:9 Unexpected token.'],
    ['Error: gone\n    at f (/flows/x.ts:3:40)\n    at /flows/x.ts:9:1\n', '3:3 gone'],
    ['TypeError: no\n    at g (/flows/other.ts:7:1)\n    at /flows/x.ts:3:1\n', '3:3 TypeError: no'],
    [
      "Error: Cannot find module './a.ts'\nRequire stack:\n- /flows/x.ts\n    at x (node:internal:1:1)\n    at /flows/x.ts:1:215\n",
      "1:1 Cannot find module './a.ts'.",
    ],
    ['Error: gone\n    at node:internal/x:1:1\n', '1:1 gone'],
    ['only words', '1:1 only words'],
    ['', '1:1 '],
  ])('[L18] is told at its line: %j', (printed, expected) => {
    expect(told(printed)).toBe(expected)
  })
})
