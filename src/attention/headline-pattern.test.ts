import { expect, it } from 'vitest'
import { headlinePattern } from './headline-pattern.ts'

it.each([
  ['Update lockfile 12?', 'Update lockfile {number}?'],
  ['Update to v1.2.3, or 2.0?', 'Update to {number}, or {number}?'],
  ['Merge #123?', 'Merge #{number}?'],
  ['Revert 4ae13c6?', 'Revert {id}?'],
  ['Go on with 6eqv5a8c and ENG-12?', 'Go on with {id} and {id}?'],
  ['Write to src/a/b.ts and ./c?', 'Write to {path} and {path}?'],
  ['Read /etc/hosts or ~/x?', 'Read {path} or {path}?'],
  ['Keep "main" and `dev`?', 'Keep {quoted} and {quoted}?'],
  // What somebody says is not a name, and neither are these.
  ['Take "the fast way"?', 'Take "the fast way"?'],
  ['Ship and/or wait?', 'Ship and/or wait?'],
  ['Use utf8 and h2?', 'Use utf8 and h2?'],
  ["Don't it's fine?", "Don't it's fine?"],
  ['Which store for sessions?', 'Which store for sessions?'],
  // Nobody can write one of ours.
  ['Update lockfile {number}?', 'Update lockfile {{number}}?'],
])('%s', (headline, pattern) => {
  expect(headlinePattern(headline)).toBe(pattern)
})
