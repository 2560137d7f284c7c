/** Red for the right reason, as runners of several languages tell it. */
import { describe, expect, it } from 'vitest'
import { rednessOf } from './red.ts'

const CARGO = `running 3 tests
test tests::adds ... FAILED
test tests::adds_twice ... ok
test old ... ok

---- tests::adds stdout ----
thread 'tests::adds' panicked at src/lib.rs:2:5:
not yet implemented
test result: FAILED. 2 passed; 1 failed;`
const TAP =
  'TAP version 13\nok 1 - old\nnot ok 2 - adds two numbers\n  error: "add is not a function"\n# fail 1'
const SPEC =
  '✔ old (0.5ms)\n\u001b[31m✖ adds two numbers (1.2ms)\u001b[39m\n  TypeError: add is not a function'
const UNITTEST = `F.
======================================================================
FAIL: test_adds (test_sums.TestSums.test_adds)
----------------------------------------------------------------------
AssertionError: None != 3

Ran 2 tests in 0.001s

FAILED (failures=1)`
const PYTEST =
  'test_sums.py::test_old PASSED\ntest_sums.py::test_adds FAILED\nE  AssertionError: assert None == 3'
const GO =
  '=== RUN TestAdds\n--- FAIL: TestAdds (0.00s)\n    sums_test.go:5: got 0\n--- PASS: TestOld (0.00s)\nFAIL'

const MOCHA = `  sums
    ✔ is old
    1) adds two numbers

  1 passing (4ms)
  1 failing

  1) sums
       adds two numbers:
     Error: expected 3
`
const red = (output: string, tests: string[], failure: string, exitCode: number | null = 1) =>
  rednessOf({ exitCode, output }, { tests, failure })

describe('tests are red', () => {
  it.each([
    ['cargo', CARGO, 'tests::adds', 'not yet implemented'],
    ['TAP', TAP, 'adds two numbers', 'add is not a function'],
    ["node's own", SPEC, 'adds two numbers', 'TypeError: add is not a function'],
    ['unittest', UNITTEST, 'test_adds', 'None != 3'],
    ['pytest', PYTEST, 'test_adds', 'assert None == 3'],
    ['go', GO, 'TestAdds', 'got 0'],
    ['mocha', MOCHA, 'adds two numbers', 'expected 3'],
  ])('in the words of %s', (_runner, output, name, failure) => {
    expect(red(output, [name], failure)).toEqual({ kind: 'red' })
  })

  it('also where lines are broken otherwise than was handed over', () => {
    expect(red(PYTEST, ['test_adds'], 'AssertionError:\n  assert None == 3')).toEqual({ kind: 'red' })
  })
})

describe('tests are not red', () => {
  it('[F5] that pass, all of them', () => {
    expect(red('ok 1 - adds', ['adds'], 'x', 0)).toEqual({ kind: 'passes', tests: ['adds'] })
  })

  it('[F5] of which some pass beside others that fail', () => {
    expect(red(CARGO, ['tests::adds', 'tests::adds_twice'], 'not yet implemented')).toEqual({
      kind: 'passes',
      tests: ['tests::adds_twice'],
    })
    expect(red(GO, ['TestAdds', 'TestOld'], 'got 0')).toEqual({ kind: 'passes', tests: ['TestOld'] })
  })

  it('[F5] that fail in another way', () => {
    expect(red(CARGO, ['tests::adds'], 'assertion `left == right` failed')).toMatchObject({
      kind: 'otherwise',
    })
  })

  it('that the runner never names', () => {
    expect(red('error: could not compile', ['adds'], 'could not compile', 101)).toMatchObject({
      why: expect.stringContaining('No line of the runner says that these failed: adds.'),
    })
    expect(red(CARGO, ['add'], 'not yet implemented')).toMatchObject({ kind: 'otherwise' })
  })

  it('that could not be run, or of which none is named', () => {
    expect(red('sh: nope: not found', ['adds'], 'not found', 127)).toMatchObject({ kind: 'otherwise' })
    expect(red(CARGO, [' '], 'not yet implemented')).toMatchObject({ why: 'No test was named in `tests`.' })
  })
})
