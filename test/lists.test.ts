/** Lists that tests cite by number stand in the docs, and nothing in them is without a test. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const tests = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '*.test.ts', 'test/agents/**.ts'],
  {
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  .filter((file) => file !== 'test/lists.test.ts')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

const numbers = (text: string, pattern: RegExp): number[] =>
  [...new Set([...text.matchAll(pattern)].map(([, number]) => Number(number)))].toSorted((a, b) => a - b)

describe.each([
  { file: 'docs/field.md', from: '# What others shipped', cited: /\bFIELD (\d+)/g },
  { file: 'docs/agents.md', from: '## What a driver must expect', cited: /\[agents (\d+)\]/g },
])('$file', ({ file, from, cited }) => {
  const [, list = ''] = readFileSync(file, 'utf8').split(from)
  const listed = numbers(list, /^(\d+)\. /gm)

  it('is numbered without a gap', () => {
    expect(listed.length).toBeGreaterThan(10)
    expect(listed).toEqual(listed.map((_, index) => index + 1))
  })

  it('has every number that a test cites, and a test for every number', () => {
    expect(numbers(tests, cited)).toEqual(listed)
  })
})
