import { expect, it } from 'vitest'
import { errorReport } from './error-report.ts'

it('[K6] says what was thrown and where, and nothing of where that lies', () => {
  const error = new TypeError('nobody thought of this')
  const [first, ...places] = errorReport(error).split('\n')
  expect(first).toBe('TypeError: nobody thought of this')
  expect(places[0]).toMatch(/^ {4}at .*error-report\.test\.ts:\d+:\d+\)?$/)
  expect(errorReport(error)).not.toContain(import.meta.dirname)
  error.stack = `TypeError: x\n    at settle (/home/me/.npm/lib/signalbox/dist/main.js:10:20)\n    at async file:///home/me/dist/b.js:1:2`
  expect(errorReport(error).split('\n').slice(1)).toEqual([
    '    at settle (main.js:10:20)',
    '    at async b.js:1:2',
  ])
})

it('is short, whatever was thrown', () => {
  expect(errorReport('x'.repeat(100_000)).length).toBeLessThanOrEqual(4100)
  expect(errorReport(null)).toBe('null')
})
