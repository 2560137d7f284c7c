/**
 * Whether tests are red for the right reason: each new one fails, and as it was handed over. A test that passes while the work is
 * not done says nothing about the work, however many others fail beside it.
 *
 * Runners have no common language, but all of them name a test and how it went on one line: `test a ... FAILED`, `not ok 1 - a`,
 * `--- FAIL: a`, `FAILED a.py::a`, `✖ a`, `FAIL: a (…)`, `1) a`.
 */
import { stripVTControlCharacters } from 'node:util'

export type Redness =
  | { readonly kind: 'red' }
  /** Those pass without the work; all of them where no test failed. */
  | { readonly kind: 'passes'; readonly tests: readonly string[] }
  | { readonly kind: 'otherwise'; readonly why: string }

export interface TestRun {
  readonly exitCode: number | null
  readonly output: string
}

export interface HandedOverTests {
  readonly tests: readonly string[]
  readonly failure: string
}

export function rednessOf({ exitCode, output }: TestRun, { tests, failure }: HandedOverTests): Redness {
  const names = tests.map((test) => test.trim()).filter((test) => test !== '')
  if (names.length === 0) return { kind: 'otherwise', why: 'No test was named in `tests`.' }
  if (exitCode === 0) return { kind: 'passes', tests: names }
  if (exitCode === null || exitCode >= CANNOT_RUN)
    return { kind: 'otherwise', why: `The tests could not be run (exit code ${exitCode}).` }
  const lines = stripVTControlCharacters(output).split('\n')
  const passing = names.filter((name) => verdictOn(lines, name) === 'passed')
  if (passing.length > 0) return { kind: 'passes', tests: passing }
  const unnamed = names.filter((name) => verdictOn(lines, name) === 'unknown')
  if (unnamed.length > 0)
    return {
      kind: 'otherwise',
      why: `No line of the runner says that these failed: ${unnamed.join(', ')}. Name them in \`tests\` as it prints them.`,
    }
  if (!squeezed(lines.join('\n')).includes(squeezed(failure)))
    return { kind: 'otherwise', why: `They fail, and nowhere stands what was handed over: ${failure}` }
  return { kind: 'red' }
}

/** From there on a shell says that a command is not there, may not be executed, or was killed. */
const CANNOT_RUN = 126

const FAILED = /\b(?:FAIL(?:ED|URE)?|ERROR|not ok|failed|panicked)\b|[✖✕✗✘×]|^\s*\d+\)\s/
const PASSED = /\bPASS(?:ED)?\b|\.\.\. ok$|^\s*ok\b|[✔✓√]/

/** Of all lines that name it the one that says it failed has the word. */
function verdictOn(lines: readonly string[], name: string): 'failed' | 'passed' | 'unknown' {
  const about = lines.filter((line) => names(line, name))
  if (about.some((line) => FAILED.test(line.replaceAll(name, '')))) return 'failed'
  return about.some((line) => PASSED.test(line.replaceAll(name, ''))) ? 'passed' : 'unknown'
}

/** As a whole: `adds` is not `adds_twice`. */
function names(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1))
    if (!LETTER.test(line[at - 1] ?? '') && !LETTER.test(line[at + name.length] ?? '')) return true
  return false
}

const LETTER = /[\p{L}\p{N}_]/u
const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
