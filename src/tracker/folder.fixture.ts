/** A folder of issues, as texts; and texts as nobody would write them on purpose. */
import fc from 'fast-check'
import { findingOutdatedLists } from './lists.ts'
import { type IssueTracker, readTracker, wholeOf, withFiles } from './tracker.ts'

export const trackerWith = (files: Readonly<Record<string, string>>): IssueTracker =>
  readTracker({ folder: 'TODO', files: new Map(Object.entries(files)) })

/** As it is once its lists were made. */
export const withLists = (tracker: IssueTracker): IssueTracker =>
  withFiles(tracker, wholeOf(findingOutdatedLists(tracker)))

export const LINE = fc.constantFrom(
  ...[
    '---',
    'title: x',
    'status: Todo',
    'labels: [a]',
    'labels:',
    '  - b',
    '# remark',
    '',
    '  ',
    '\t',
    'own: 1',
    'depends-on: [2]',
  ],
  ...[
    '# One',
    '## Acceptance criteria',
    '- [ ] a',
    '- [x] b',
    '* [ ] c',
    '## Comments',
    '### 2026-01-01, bob',
    '> q',
    '```',
    '<!--',
    '-->',
  ],
  ...[
    '## Sub-issues',
    '<!-- signalbox:sub-issues -->',
    '<!-- /signalbox:sub-issues -->',
    'Some text  ',
    '\u001b odd \u202e',
  ],
)
const END = fc.constantFrom('\n', '\n', '\r\n')
export const FILE = fc
  .tuple(fc.constantFrom('', '\ufeff'), fc.array(fc.tuple(LINE, END), { maxLength: 30 }), fc.boolean())
  .map(([mark, lines, isCut]) => {
    const text = lines.map(([line, end]) => line + end).join('')
    return mark + (isCut ? text.replace(/\r?\n$/, '') : text)
  })

/** Lines of the one that a shortest difference to the other takes away. */
export function lost(before: readonly string[], after: readonly string[]): string[] {
  const rows = after.length + 1
  const same = Array.from({ length: (before.length + 1) * rows }, () => 0)
  const at = (x: number, y: number): number => same[x * rows + y] ?? 0
  for (let x = before.length - 1; x >= 0; x--)
    for (let y = after.length - 1; y >= 0; y--)
      same[x * rows + y] =
        before[x] === after[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1))
  const gone: string[] = []
  let y = 0
  for (const [x, line] of before.entries()) {
    while (y < after.length && line !== after[y] && at(x, y + 1) >= at(x + 1, y)) y++
    if (line === after[y]) y++
    else gone.push(line)
  }
  return gone
}
