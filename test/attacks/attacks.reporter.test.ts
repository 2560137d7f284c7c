/** What fails CI though no test failed. */
import { expect, it } from 'vitest'
import { attackFiles, wrongWith } from './attacks.reporter.ts'

const held = { name: 'held', state: 'passed', deeds: 2 }

it('has nothing to say where every attack took place', () => {
  const results = attackFiles().map((file) => ({ file, tests: [held] }))
  expect(results.length).toBeGreaterThan(10)
  expect(wrongWith(results, attackFiles())).toEqual([])
})

it('names what was not run, has no test, was skipped, or passed without a deed', () => {
  const results = [
    { file: 'empty.test.ts', tests: [] },
    { file: 'skipped.test.ts', tests: [held, { name: 'first', state: 'skipped', deeds: 0 }] },
    { file: 'hollow.test.ts', tests: [{ name: 'second', state: 'passed', deeds: 0 }] },
    { file: 'failed.test.ts', tests: [{ name: 'third', state: 'failed', deeds: 0 }] },
  ]
  expect(wrongWith(results, ['gone.test.ts', 'empty.test.ts'])).toEqual([
    'gone.test.ts was not run',
    'empty.test.ts has no attack',
    'skipped.test.ts: "first" was skipped',
    'hollow.test.ts: "second" passed without an attack',
  ])
})
