import { expect, it } from 'vitest'
import { compileSource } from './compile.ts'

const compile = (step: string) =>
  compileSource({ file: 'a.yaml', text: `runbook: 1\nname: a\nsteps:\n  format: ${step}\n` }, () => ({
    kind: 'unreadable',
    why: '',
  }))
const told = (step: string): string[] =>
  compile(step).diagnostics.map(({ at, code, message }) => `${at.column} ${code} ${message}`)

it('[W5] a check says what it writes, or nothing', () => {
  const written = compile('{ check: make fmt, writes: ["src/**", "!src/gen/**"], next: done }').program
  expect(written?.steps['format']).toMatchObject({ writes: ['src/**', '!src/gen/**'] })
  expect(compile('{ check: make, next: done }').program?.steps['format']).not.toHaveProperty('writes')
})

it('[W21] or that it changes issues', () => {
  const changing = compile('{ check: make, issues: write, next: done }').program
  expect(changing?.steps['format']).toMatchObject({ issues: 'write' })
  expect(compile('{ check: make, next: done }').program?.steps['format']).not.toHaveProperty('issues')
})

it.each([
  [
    '{ check: make, issues: write, writes: ["a"], next: done }',
    '34 wrong-kind A check changes issues or other files, not both.',
  ],
  ['{ check: make, issues: read, next: done }', '34 unknown-value "read" is not a value of `issues`.'],
  ['{ agent: dev, issues: write, next: done }', '25 wrong-kind `issues` means nothing at an agent step.'],
  ['{ check: make, writes: ["../x"], next: done }', '35 bad-pattern "../x" names no file of the worktree.'],
  [
    '{ check: make, writes: ["!/etc/x"], next: done }',
    '35 bad-pattern "!/etc/x" names no file of the worktree.',
  ],
  ['{ check: make, writes: [""], next: done }', '35 bad-pattern This names no file.'],
  [
    '{ check: make, writes: ["${var.x}"], next: done }',
    '35 bad-pattern "${var.x}" looks something up, and what a check may write is fixed.',
  ],
  [
    '{ decide: Now?, writes: ["a"], options: { yes: done, no: abandoned } }',
    '27 wrong-kind `writes` means nothing at a decide step.',
  ],
])('[L2] %s', (step, expected) => {
  expect(told(step)).toContain(expected)
})
