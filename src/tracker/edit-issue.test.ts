import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editIssue, type IssueEdit } from './edit-issue.ts'
import { FILE, LINE, lost, trackerWith } from './folder.fixture.ts'
import type { Issue } from './issue.ts'
import { issueText } from './issue-text.ts'
import { isRefused } from './refusal.ts'
import { bareLine, linesOf } from './text-lines.ts'
import { withFiles } from './tracker.ts'

const OTHERS = { '2.md': '# Two\n', '3.md': '# Three\n' }

function edited(text: string, edit: IssueEdit): string {
  const made = editIssue(trackerWith({ ...OTHERS, '1.md': text }), { id: '1', edit })
  if (isRefused(made)) throw new Error(`${made.code}: ${made.problem}`)
  return made.text
}

function read(text: string): Issue {
  const tracker = trackerWith({ ...OTHERS, '1.md': text })
  const issue = tracker.byId.get('1')
  if (issue === undefined) throw new Error(JSON.stringify(tracker.problems))
  return issue
}

const refusedAs = (text: string, edit: IssueEdit): string => {
  const made = editIssue(trackerWith({ ...OTHERS, '1.md': text }), { id: '1', edit })
  return isRefused(made) ? made.code : 'accepted'
}

describe('an edit of the front matter', () => {
  it.each<[string, string, IssueEdit, string]>([
    ['a value', 'status: Todo', { status: 'Done' }, 'status: Done'],
    ['a value with a remark', 'Status :  "Todo"   # soon', { status: 'Done' }, 'Status :  Done   # soon'],
    ['no value yet', 'status:', { status: 'Done' }, 'status: Done'],
    ['a remark alone', 'status: # which?', { status: 'Done' }, 'status: Done # which?'],
    ['a title to be quoted', 'title: x', { title: 'a: "b"' }, 'title: "a: \\"b\\""'],
    [
      'a list in brackets',
      'labels: [a, "b"] # some',
      { addLabels: ['c, d'] },
      'labels: [a, b, "c, d"] # some',
    ],
    [
      'a list with dashes',
      'labels:\n  - a # one\n  - b',
      { addLabels: ['c'] },
      'labels:\n  - a # one\n  - b\n  - c',
    ],
    ['one of a list with dashes', 'labels:\n- a\n- b # two', { removeLabels: ['a'] }, 'labels:\n- b # two'],
    ['the last of a list with dashes', 'labels:\n- a', { removeLabels: ['a'] }, 'labels: []'],
    ['a list with commas', 'depends_on: 2', { addDependencies: ['3'] }, 'depends_on: [2, 3]'],
    ['what it has', 'labels: [ a ,b ]', { addLabels: ['a'] }, 'labels: [ a ,b ]'],
    ['what it has not', 'labels: [ a ]', { removeLabels: ['x'] }, 'labels: [ a ]'],
    ['the parent away', 'parent: 2\nz: 1', { parent: '' }, 'z: 1'],
    ['a new key', 'z: 1', { parent: '2' }, 'z: 1\nparent: 2'],
  ])('[I2] changes its own lines: %s', (_, before, edit, after) => {
    const around = (inner: string): string => `---\n# first\n${inner}\nown: |\n  - x\n---\n\nBody  \n\n\n`
    // What is added comes last.
    const expected =
      before === 'z: 1' ? '---\n# first\nz: 1\nown: |\n  - x\nparent: 2\n---\n\nBody  \n\n\n' : around(after)
    expect(edited(around(before), edit)).toBe(expected)
  })

  it('[I2] makes one where there is none', () => {
    expect(edited('\ufeff# One\r\n\r\ntext', { status: 'Done' })).toBe(
      '\ufeff---\r\nstatus: Done\r\n---\r\n\r\n# One\r\n\r\ntext',
    )
    expect(edited('', { status: 'Done' })).toBe('---\nstatus: Done\n---\n\n')
  })

  it('[I2] changes the title where it stands', () => {
    expect(edited('# Old\n\ntext\n', { title: 'New' })).toBe('# New\n\ntext\n')
    expect(edited('---\ntitle: Old\n---\n# Heading\n', { title: 'New' })).toBe(
      '---\ntitle: New\n---\n# Heading\n',
    )
  })

  it.each<[string, IssueEdit]>([
    ['dependency-missing', { addDependencies: ['9'] }],
    ['dependency-cycle', { addDependencies: ['1'] }],
    ['issue-not-found', { parent: '9' }],
    ['parent-cycle', { parent: '1' }],
    ['text-empty', { title: ' \u0000 ' }],
    ['text-too-long', { title: 'x'.repeat(301) }],
    ['text-empty', { comment: { at: '', by: 'x', text: ' \n' } }],
    ['criterion-not-found', { check: ['2'] }],
    ['criterion-not-found', { check: ['nothing like it'] }],
  ])('[I8] is refused as %s', (code, edit) => {
    expect(refusedAs('## Acceptance criteria\n- [ ] one\n', edit)).toBe(code)
  })

  it('[I8] may not close a circle over others', () => {
    const tracker = trackerWith({ '1.md': '', '2.md': '---\ndepends-on: [1]\nparent: 1\n---\n' })
    expect(editIssue(tracker, { id: '1', edit: { addDependencies: ['2'] } })).toMatchObject({
      code: 'dependency-cycle',
    })
    expect(editIssue(tracker, { id: '1', edit: { parent: '2' } })).toMatchObject({ code: 'parent-cycle' })
  })
})

describe('criteria', () => {
  const text =
    '---\nstatus: Todo\n---\n## Acceptance criteria\n- [ ] It is fast\n- [x] It is small\n* [ ] It is\n  tested\n'
  const marks = (edit: IssueEdit): string =>
    read(edited(text, edit))
      .criteria.map(({ isMet }) => (isMet ? 'x' : '.'))
      .join('')

  it('[I4] are checked by number, by text, or all', () => {
    expect(marks({ check: ['1'] })).toBe('xx.')
    expect(marks({ check: ['it is TESTED'] })).toBe('.xx')
    expect(marks({ check: ['fast', '3'], uncheck: ['small'] })).toBe('x.x')
    expect(marks({ check: ['all'] })).toBe('xxx')
    expect(refusedAs(text, { check: ['it is'] })).toBe('criterion-not-found')
  })

  it('[I6] the status follows them', () => {
    expect(read(edited(text, { check: ['1'] })).status).toBe('In Progress')
    const done = edited(text, { check: ['all'] })
    expect(read(done).status).toBe('Done')
    expect(read(edited(done, { uncheck: ['2'] })).status).toBe('In Progress')
    expect(read(edited(text, { uncheck: ['2'] })).status).toBe('Todo')
  })
})

const comment = { at: '2026-05-08 13:02 UTC', by: 'alice', text: 'Fine.' }

describe('a comment', () => {
  it('[I5] goes to the end of its section, which is made where there is none', () => {
    const once = edited('# One\n\ntext', { comment })
    expect(once).toBe('# One\n\ntext\n\n## Comments\n\n### 2026-05-08 13:02 UTC, alice\n\n> Fine.\n')
    expect(edited(once, { comment: { ...comment, text: 'a\n\nb' } })).toBe(
      `${once}\n### 2026-05-08 13:02 UTC, alice\n\n> a\n>\n> b\n`,
    )
    expect(edited('## Comments\n\n## After\n', { comment })).toBe(
      '## Comments\n\n### 2026-05-08 13:02 UTC, alice\n\n> Fine.\n\n## After\n',
    )
  })

  it.each([
    '---\nstatus: Done\n---',
    '## Acceptance criteria\n- [ ] forged',
    '## Comments\n### 2026-01-01, bob\nforged',
    '### 2026-01-01, bob\n\n> forged',
    '```\nnever closed',
    '<!-- never closed',
    '<!-- /signalbox:sub-issues -->',
    'a\r## Comments\r- [ ] x',
    'a\u2028### 2026-01-01, bob',
    '\u001b]0;title\u0007 and \u202e turned',
  ])('[I3] says what it says and nothing else: %j', (text) => {
    const before = '---\nstatus: Todo\n---\n## Acceptance criteria\n- [ ] one\n'
    const after = read(edited(edited(before, { comment: { ...comment, text } }), { comment }))
    expect(after).toMatchObject({ status: 'Todo', criteria: read(before).criteria })
    expect(after.comments).toHaveLength(2)
    expect(after.comments[1]).toEqual(comment)
    for (const odd of ['\u001b', '\u202e', '\r', '\u2028']) expect(after.comments[0]?.text).not.toContain(odd)
  })

  it('[I3] is made by who made it', () => {
    const after = read(edited('', { comment: { ...comment, by: 'x\n## Acceptance criteria\n- [ ] y ##' } }))
    expect(after.criteria).toEqual([])
    expect(after.comments).toEqual([{ ...comment, by: 'x ## Acceptance criteria - [ ] y' }])
  })

  it('[I5] is one also after what somebody left open', () => {
    const after = read(edited('```\nopen', { comment }))
    expect(after.comments).toEqual([comment])
  })
})

describe('another body', () => {
  const before =
    '---\ntitle: T\n---\n\nOld.\n\n## Acceptance criteria\n\n- [x] one\n\n## Sub-issues\n\n- mine\n\n## Comments\n\n### 2026-01-01, bob\n\nHi\n'

  it('[I2] leaves criteria, sub-issues and comments', () => {
    expect(edited(before, { body: 'New.\n' })).toBe(before.replace('Old.', 'New.'))
    expect(read(edited(before, { body: 'New.\n\n## Acceptance criteria\n- [ ] two' }))).toMatchObject({
      criteria: [{ text: 'two' }],
      comments: [{ by: 'bob', text: 'Hi' }],
    })
  })

  it.each([
    '## Comments\n### 2026-01-01, eve\nforged',
    '```\nopen',
    '<!-- open',
    '## Sub-issues\n<!-- signalbox:sub-issues -->',
  ])('[I3] forges nothing: %j', (body) => {
    const after = read(edited(before, { body }))
    expect(after.comments).toEqual(read(before).comments)
    expect(after.criteria).toEqual(read(before).criteria)
  })

  it('[I3] is no front matter where there was none', () => {
    expect(read(edited('# One\n', { body: '---\nstatus: Done\ntitle: X\n---\n' }))).toMatchObject({
      title: 'One',
      status: 'Todo',
    })
  })
})

const EDIT: fc.Arbitrary<IssueEdit> = fc.oneof(
  fc.constant({}),
  fc.record({ title: fc.constantFrom('New', 'a: b', '#x') }),
  fc.record({ status: fc.constantFrom('Todo', 'In Progress', 'Done') }),
  fc.record({ addLabels: fc.constant(['z']) }),
  fc.record({ removeLabels: fc.constantFrom(['a'], ['b']) }),
  fc.record({ addDependencies: fc.constant(['3']) }),
  fc.record({ removeDependencies: fc.constant(['2']) }),
  fc.record({ parent: fc.constantFrom('', '2') }),
  fc.record({ category: fc.constantFrom('', 'C') }),
  fc.record({ check: fc.constant(['all']) }),
  fc.record({
    comment: fc.record({ at: fc.constant(comment.at), by: fc.string(), text: fc.string({ minLength: 1 }) }),
  }),
)

describe('whatever the file', () => {
  it('[I2] an edit changes at most the lines that it is about, and nothing is written as it was', () => {
    fc.assert(
      fc.property(FILE, EDIT, (text, edit) => {
        const tracker = trackerWith({ ...OTHERS, '1.md': text })
        fc.pre(tracker.byId.has('1'))
        const made = editIssue(tracker, { id: '1', edit })
        if (isRefused(made)) return
        if (Object.keys(edit).length === 0) expect(made.text).toBe(text)
        const gone = lost(
          linesOf(text.slice(text.startsWith('\ufeff') ? 1 : 0)),
          linesOf(made.text.slice(text.startsWith('\ufeff') ? 1 : 0)),
        )
        const touched = gone.filter((line, index) => line.endsWith('\n') || index < gone.length - 1)
        for (const line of touched) expect(bareLine(line)).toMatch(touches(edit))
        // What was said is what is read, and the same again changes nothing.
        const after = withFiles(tracker, new Map([['1.md', made.text]]))
        expect(after.problems).toEqual([])
        const again = editIssue(after, { id: '1', edit })
        if (edit.comment === undefined) expect(isRefused(again) ? again : again.text).toBe(made.text)
      }),
      { numRuns: 600 },
    )
  })

  it('[I3] a comment or a body adds no criterion, no other comment and no key', () => {
    const hostile = fc
      .array(fc.tuple(LINE, fc.constantFrom('\n', '\r', '\r\n', '\u2028')))
      .map((all) => `x${all.flat().join('')}`)
    fc.assert(
      fc.property(FILE, hostile, (text, said) => {
        const tracker = trackerWith({ ...OTHERS, '1.md': text })
        const before = tracker.byId.get('1')
        fc.pre(before !== undefined)
        const after = read(edited(text, { comment: { ...comment, text: said } }))
        const { body: _, description: __, comments, ...rest } = after
        expect(comments).toHaveLength((before?.comments.length ?? 0) + 1)
        const { body: ___, description, comments: ____, ...was } = before as Issue
        expect(rest).toEqual(was)
        expect(after.description).toContain(description)
        const made = read(
          issueText('1', { title: 'T', body: said, parent: '', labels: [], dependsOn: [], category: '' }),
        )
        expect(made).toMatchObject({ title: 'T', status: 'Todo', labels: [], dependsOn: [], comments: [] })
        const bodied = read(edited(text, { body: said }))
        expect(bodied).toMatchObject({
          status: before?.status,
          comments: before?.comments,
          labels: before?.labels,
        })
      }),
      { numRuns: 300 },
    )
  })
})

describe('a file that somebody means ill with', () => {
  it.each([
    ['## Sub-issues\n', '## Comments\n', '# Acceptance criteria\n## Comments\n'],
    ['- [ ] x\n', '  b\n', '```\n', '<!--\n', '### a\n', '>\n'].map(
      (each) => `## Acceptance criteria\n${each}`,
    ),
    ['#', '`', ' ', '<!--', '    ~~~\n  x\n'],
  ])('[I2] is soon read and changed: %j', (...shapes) => {
    for (const shape of shapes) {
      const text = shape.repeat(Math.floor(100_000 / shape.length))
      const begun = performance.now()
      const edit = { comment: { ...comment, text: `x${text}` }, body: text, addLabels: ['z'], title: 'q' }
      expect(read(edited(text, edit)).labels).toEqual(['z'])
      // Going through all of it for each of its lines would take minutes.
      expect(performance.now() - begun).toBeLessThan(10_000)
    }
  })
})

/** What a line says that an edit may change. */
function touches(edit: IssueEdit): RegExp {
  if (edit.title !== undefined) return /^(title:|# )/
  if (edit.status !== undefined) return /^status:/
  if (edit.addLabels !== undefined || edit.removeLabels !== undefined) return /^(labels:|\s+- b)/
  if (edit.addDependencies !== undefined || edit.removeDependencies !== undefined) return /^depends-on:/
  if (edit.check !== undefined) return /^(status:|. \[ \])/
  return /^$^/
}
