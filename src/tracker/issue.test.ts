import { describe, expect, it } from 'vitest'
import { trackerWith } from './folder.fixture.ts'
import { type Issue, parseIssue } from './issue.ts'
import { circleFrom } from './order.ts'
import { dependencyRefusals, issueIn, nextIssues, unmetDependencies } from './readiness.ts'

function issueOf(text: string): Issue {
  const issue = parseIssue({ id: 'X-1', path: 'TODO/X-1.md', text })
  if ('problem' in issue) throw new Error(issue.problem)
  return issue
}

const said = (text: string): [number, boolean, string][] =>
  issueOf(text).criteria.map((each) => [each.number, each.isMet, each.text])

describe('an issue', () => {
  it('[I1] is what its front matter, its criteria and its comments say', () => {
    expect(
      issueOf(
        [
          '\ufeff---',
          'id: X-1',
          'title: "A: thing"  # for now',
          'status: In Progress',
          'parent: X-0',
          'labels: [bug, "a, b"]',
          'depends-on:',
          '  - X-2',
          'category: Parser',
          'estimate: 3d',
          '---',
          '',
          'Do it.',
          '',
          '## Acceptance criteria',
          '',
          '- [x] It works',
          '- [ ] It is',
          '  tested',
          '',
          '## Sub-issues',
          '- X-9',
          '',
          '## Comments',
          '',
          '### 2026-05-08 13:02 UTC, alice',
          '',
          '> Looks good.',
          '',
        ].join('\r\n'),
      ),
    ).toEqual({
      id: 'X-1',
      title: 'A: thing',
      status: 'In Progress',
      parent: 'X-0',
      labels: ['bug', 'a, b'],
      dependsOn: ['X-2'],
      category: 'Parser',
      criteria: [
        { number: 1, text: 'It works', isMet: true },
        { number: 2, text: 'It is tested', isMet: false },
      ],
      comments: [{ at: '2026-05-08 13:02 UTC', by: 'alice', text: 'Looks good.' }],
      description: 'Do it.\n\n## Acceptance criteria\n\n- [x] It works\n- [ ] It is\n  tested',
      body: expect.stringMatching(/^Do it\.[\s\S]*> Looks good\.$/),
      path: 'TODO/X-1.md',
    })
  })

  it('[I1] needs none of that', () => {
    expect(issueOf('# Title\n\ntext')).toMatchObject({
      title: 'Title',
      status: 'Todo',
      labels: [],
      criteria: [],
    })
    expect(issueOf('')).toMatchObject({ title: 'X-1', body: '', comments: [] })
  })

  it('[I1] that says to be another is told', () => {
    expect(parseIssue({ id: 'X-1', path: 'TODO/X-1.md', text: '---\nid: X-2\n---\n' })).toEqual({
      problem: expect.stringContaining('says that its id is X-2'),
    })
  })
})

describe('criteria', () => {
  it('[I4] are the checkboxes under their heading, and no others', () => {
    const text = [
      '- [ ] before',
      '## Acceptance Criteria:',
      'Some words.',
      '* [X] star',
      '1. [ ] number',
      '  - [ ] nested',
      '- no box',
      '- [] no box',
      '```',
      '- [ ] in a block',
      '```',
      '<!--',
      '- [ ] in a remark',
      '-->',
      '> - [ ] quoted',
      '### More of them',
      '- [ ] below a lesser heading',
      '- [ ] with a block',
      '    ```',
      '    - [ ] in an inner block',
      '    ```',
      '## Notes',
      '- [ ] after',
      '## Comments',
      '### Acceptance criteria',
      '- [ ] in a comment',
    ].join('\n')
    expect(said(text)).toEqual([
      [1, true, 'star'],
      [2, false, 'number'],
      [3, false, 'nested'],
      [4, false, 'below a lesser heading'],
      [5, false, 'with a block'],
    ])
  })

  it('[I4] of all sections called so count', () => {
    const text =
      '## Acceptance criteria\n- [x] a\n## Other\n# Acceptance criteria\n- [ ] b\n## Acceptance criteria\n- [ ] c'
    expect(said(text).map(([, , each]) => each)).toEqual(['a', 'b', 'c'])
  })
})

describe('comments', () => {
  it('[I5] are read as people write them, too', () => {
    const text = [
      '## Comments',
      'An old one.',
      '### 2026-05-08 — bob',
      'Two',
      '',
      '> lines',
      '### Somebody',
      '```',
      '### 2026-01-01, nobody',
      '```',
      '#### below',
    ].join('\n')
    expect(issueOf(text).comments).toEqual([
      { at: '', by: '', text: 'An old one.' },
      { at: '2026-05-08', by: 'bob', text: 'Two\n\n> lines' },
      { at: '', by: 'Somebody', text: '```\n### 2026-01-01, nobody\n```\n#### below' },
    ])
  })
})

describe('dependencies', () => {
  const files = {
    'A-1.md': '---\nstatus: DONE\n---\n',
    'A-2.md': '---\nstatus: In Progress\n---\n',
    'A-3.md': '---\ndepends-on: [A-1, A-2, A-9]\n---\n',
    'A-4.md': '---\ndepends-on: [A-5]\n---\n',
    'A-5.md': '---\ndepends-on: [A-6]\n---\n',
    'A-6.md': '---\ndepends-on: [A-4]\n---\n',
    'A-7.md': '---\ndepends-on: [A-1]\n---\n',
    'A-8.md': '---\nbroken\n---\n',
  }
  const tracker = trackerWith(files)
  const codes = (id: string): string[] =>
    dependencyRefusals(issueIn(tracker, id) as Issue, tracker).map(({ code }) => code)

  it('[W2] keep an issue waiting', () => {
    expect(unmetDependencies(issueIn(tracker, 'A-3') as Issue, tracker)).toEqual([
      { id: 'A-2', why: 'A-2 is In Progress' },
      { id: 'A-9', why: 'A-9 has no file that can be read' },
    ])
  })

  it('[I8] are refused by what is wrong with them', () => {
    expect(codes('A-3')).toEqual(['dependency-missing', 'dependency-unmet'])
    expect(codes('A-4')).toEqual(['dependency-cycle', 'dependency-unmet'])
    expect(codes('A-7')).toEqual([])
    expect(circleFrom('A-4', (id) => tracker.byId.get(id)?.dependsOn ?? [])).toEqual([
      'A-4',
      'A-5',
      'A-6',
      'A-4',
    ])
    expect(issueIn(tracker, 'A-8')).toMatchObject({ code: 'issue-malformed' })
    expect(issueIn(tracker, 'A-77')).toMatchObject({ code: 'issue-not-found' })
  })

  it('[I9] say what is next: parts of what is under way first, and no whole before its parts', () => {
    const ids = ({ ready, waiting, underWay }: ReturnType<typeof nextIssues>) =>
      [ready, waiting, underWay].map((each) => each.map(({ id }) => id))
    expect(
      ids(
        nextIssues(
          trackerWith({
            '1.md': '',
            '2.md': '---\nstatus: in-progress\n---\n',
            '3.md': '---\nparent: 2\n---\n',
            '4.md': '---\nparent: 1\ndepends-on: [3]\n---\n',
            '10.md': '',
            '11.md': '---\nstatus: done\n---\n',
          }),
        ),
      ),
    ).toEqual([['3', '10'], ['1', '4'], ['2']])
  })
})
