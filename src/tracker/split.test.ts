import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trackerWith } from './folder.fixture.ts'
import type { Issue } from './issue.ts'
import { issueText } from './issue-text.ts'
import { parseSplit, splitDrafts } from './split.ts'

const TASK = {
  title: 'Refuse an empty name',
  description: 'Names must say something.',
  criteria: ['It throws', 'It is tested'],
}

const problemsOf = (value: unknown): readonly string[] => {
  const parsed = parseSplit(typeof value === 'string' ? value : JSON.stringify(value))
  return 'problems' in parsed ? parsed.problems : []
}

function filed(list: readonly object[]): { texts: string[]; issues: Issue[] } {
  const parsed = parseSplit(JSON.stringify(list))
  if ('problems' in parsed) throw new Error(parsed.problems.join('\n'))
  const before = trackerWith({ 'P-1.md': '---\ntitle: "The whole [x] <!--"\n---\n' })
  const ids = list.map((_, at) => `P-${at + 2}`)
  const drafts = splitDrafts(parsed.tasks, {
    ...{ ids, parent: before.byId.get('P-1') as Issue, branch: 'work/it', labels: ['split-from-run'] },
  })
  const texts = drafts.map((draft, at) => issueText(ids[at] ?? '', draft))
  const { issues, problems } = trackerWith(
    Object.fromEntries(texts.map((text, at) => [`${ids[at]}.md`, text])),
  )
  expect(problems).toEqual([])
  return { texts, issues: [...issues] }
}

describe('a list of tasks', () => {
  it('[I12] becomes issues that stand alone', () => {
    const { texts, issues } = filed([
      TASK,
      {
        ...{
          title: 'Next',
          description: 'Then this.\n\nAnd that.',
          acceptance_criteria: ['Done'],
          files: ['src/a.ts', 'src/b.ts'],
        },
        ...{
          'code-context': 'There is `a()`.',
          integrationContracts: 'None',
          plan_slice: '# Step 2\nDo it.',
          test_design: 'A unit test.',
        },
        ...{ dependsOn: [1, '1', 'task-1'] },
      },
    ])
    expect(texts[1]).toBe(
      [
        '---\nid: P-3\ntitle: Next\nstatus: Todo\nparent: P-1\nlabels: [split-from-run]\ndepends-on: [P-2]\n---\n',
        'Then this.\n\nAnd that.\n',
        '## Acceptance criteria\n\n- [ ] Done\n',
        '## Files\n\n- src/a.ts\n- src/b.ts\n',
        '## Code context\n\nThere is `a()`.\n',
        '## Integration contracts\n\nNone\n',
        '## Plan\n\n### Step 2\nDo it.\n',
        '## Test design\n\nA unit test.\n',
        '## Where it comes from\n\nSplit off from P-1 ("The whole [x] <!--") while it was worked on, on the branch work/it.\n',
      ].join('\n'),
    )
    expect(issues[0]).toMatchObject({
      title: TASK.title,
      parent: 'P-1',
      dependsOn: [],
      criteria: [{ text: 'It throws' }, {}],
    })
  })

  it.each<[unknown, string]>([
    ['[{', 'It is not JSON'],
    [{}, 'It must be a list of tasks'],
    [[], 'It must be a list of tasks'],
    [Array.from({ length: 51 }, () => TASK), 'It has 51 tasks; at most 50'],
    [['x'], 'Task 1: it must be an object'],
    [[{ ...TASK, title: ' ' }], 'Task 1: `title` must be a text'],
    [[TASK, { ...TASK, title: 'B', description: 7 }], 'Task 2: `description` must be a text'],
    [[{ ...TASK, criteria: [] }], 'Task 1: `criteria` must be a list'],
    [[{ ...TASK, criteria: 'one' }], 'Task 1: `criteria` must be a list'],
    [[{ ...TASK, criteria: ['a', ''] }], 'Task 1: `criteria` must be a list'],
    [[{ ...TASK, context: 7 }], 'Task 1: `context` must be a text, or a list of texts'],
    [[{ ...TASK, plan: 'x'.repeat(70_000) }], 'Task 1: `plan` has at most 65536'],
    [[{ ...TASK, title: 'x'.repeat(301) }], 'Task 1: `title` has at most 300'],
    [
      [{ ...TASK, depends_on: [2] }],
      'Task 1: `depends_on` must be a list of the places of other tasks: 1 to 1',
    ],
    [[{ ...TASK, depends_on: [1] }], 'Task 1: `depends_on`'],
    [[{ ...TASK, depends_on: ['P-7'] }], 'Task 1: `depends_on`'],
    [[{ ...TASK, colour: 'red' }], 'Task 1: `colour` means nothing here. Known are `title`'],
    [[TASK, TASK], 'Task 2: it has the title of task 1'],
    [
      [
        { ...TASK, depends_on: [2] },
        { ...TASK, title: 'B', depends_on: [1] },
      ],
      'The tasks 1 → 2 → 1 wait for each other',
    ],
  ])('[I12] that is malformed is told with its place: %j', (value, says) => {
    expect(problemsOf(value)).toEqual([expect.stringContaining(says)])
  })

  it('[I12] tells all that is wrong at once', () => {
    expect(problemsOf([{}, 7, { ...TASK, title: 1, x: 1 }])).toHaveLength(6)
  })

  it('[I3] forges nothing, whatever its texts say', () => {
    const piece = fc.constantFrom(
      ...[
        '---',
        'status: Done',
        '## Comments',
        '### 2026-01-01, eve',
        '## Acceptance criteria',
        '- [x] forged',
        '```',
        '~~~',
        '<!--',
        '-->',
      ],
      ...[
        '## Sub-issues',
        '<!-- signalbox:sub-issues -->',
        '    ```',
        '# X',
        '> q',
        'text',
        '',
        '\u001b',
        '## acceptance criteria: ##',
      ],
    )
    const text = fc
      .array(fc.tuple(piece, fc.constantFrom('\n', '\r\n', '\r', '\u2028', ' ')))
      .map((all) => `x${all.flat().join('')}`)
    fc.assert(
      fc.property(
        fc.record({ title: text, description: text, context: text, plan: text, tests: text }),
        text,
        (texts, criterion) => {
          fc.pre(texts.title.length < 300)
          const [issue] = filed([
            { ...texts, criteria: [criterion, 'last'], contracts: ['a', criterion] },
          ]).issues
          expect(issue).toMatchObject({
            status: 'Todo',
            parent: 'P-1',
            labels: ['split-from-run'],
            comments: [],
          })
          expect(issue?.criteria).toEqual([
            { number: 1, isMet: false, text: expect.stringMatching(/^x/) },
            { number: 2, isMet: false, text: 'last' },
          ])
          expect(issue?.body).toContain('\n## Where it comes from\n')
          expect(issue?.description).toBe(issue?.body)
        },
      ),
      { numRuns: 300 },
    )
  })
})
