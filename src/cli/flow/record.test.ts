/** What the commands of a flow make of a run's record: seals, tasks, what has no tests, and the summary. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { contextText } from './context.ts'
import { tasks as holdTasks, rest, seal } from './papers.ts'
import { answer, checked, entered, gatePassed, left, recordOf } from './record.fixture.ts'
import { sealOf, sealsOf, sealText } from './seal.ts'
import { summaryText } from './summary.ts'
import { parseTasks, remainingTasks } from './tasks.ts'
import { untestedIn } from './untested.ts'

describe('a seal', () => {
  it('[F3] is the same for what says the same, however it is set', () => {
    const plan = sealOf('plan.md', '# Plan\n\nAdd a *check*.\n')
    expect(sealOf('plan.md', '# PLAN:\nAdd  a check')).toMatchObject({ words: plan.words })
    expect(sealOf('plan.md', '# PLAN:\nAdd  a check').bytes).not.toBe(plan.bytes)
    expect(sealOf('plan.md', '# Plan\n\nAdd two checks.\n').words).not.toBe(plan.words)
  })

  it('[F3] counts where its own gate printed it, and nowhere else', () => {
    const [real, forged] = ['real', 'forged'].map((text) => sealOf('tasks.json', text))
    const events = [
      entered('split'),
      gatePassed(`task 1: a\n${sealText(real!)}\n`),
      entered('implement'),
      gatePassed(`my tests print\n${sealText(forged!)}\n`),
    ]
    expect(sealsOf(events, { name: 'tasks.json', steps: ['split'] })).toEqual([real])
    expect(sealsOf(events, { name: 'plan.md', steps: ['split', 'implement'] })).toEqual([])
  })
})

const task = (title: string, more: object = {}) => ({
  title,
  description: 'Do it.',
  criteria: ['It is done'],
  files: ['src/a.js'],
  context: 'There is src/a.js.',
  contracts: 'None',
  plan: 'As planned.',
  tests: 'A unit test.',
  ...more,
})

describe('tasks', () => {
  it('[F4] that lack something are told all of it at once', () => {
    const read = parseTasks(
      JSON.stringify([task('One'), task('one ', { criteria: [], depends_on: [2] }), 'three']),
    )
    expect(read).toEqual({
      problems: expect.arrayContaining([
        'Task 2: `criteria` must be a list of texts, with at least one.',
        'Task 2: `depends_on` must be a list of the numbers of tasks before it.',
        'Task 2 has the title of another one.',
        'Task 3: `title` must be a text that says something.',
      ]),
    })
    const long = [task('One'), task('x'.repeat(301))]
    expect(parseTasks(JSON.stringify(long))).toEqual({
      problems: ['Task 2: `title` has at most 300 characters.'],
    })
    expect(parseTasks('[]')).toMatchObject({ problems: [expect.stringContaining('at least one')] })
    expect(parseTasks('{')).toMatchObject({ problems: [expect.stringContaining('not JSON')] })
  })

  it('[F4] all but the first are left, numbered among themselves, and none that was filed before', () => {
    const read = parseTasks(
      JSON.stringify([
        task('One'),
        task('Two', { depends_on: [1] }),
        task('Three', { depends_on: [1, 2] }),
        task('Four', { depends_on: [2, 3] }),
      ]),
    )
    const tasks = 'tasks' in read ? read.tasks : []
    const told = (filed: string[]) =>
      remainingTasks(tasks, new Set(filed)).map(({ title, dependsOn }) => [title, dependsOn])
    expect(told([])).toEqual([
      ['Two', []],
      ['Three', [1]],
      ['Four', [1, 2]],
    ])
    expect(told(['three'])).toEqual([
      ['Two', []],
      ['Four', [1]],
    ])
  })
})

describe('papers', () => {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-papers-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const paper = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const list = JSON.stringify([task('One'), task('Two')])
  const handed = (values: Record<string, string | string[]>) =>
    ({
      type: 'answer.given',
      at: 0,
      member: 0,
      gated: true,
      answer: answer('several', { handoff: { name: 'task', version: 1, quality: 'full', values } }),
    }) as const
  /** What it says and with which code it ends, given what happened so far. */
  const said = async (act: (terminal: ReturnType<typeof openPaper>['terminal']) => Promise<number>) => {
    const { terminal, out, err } = openPaper()
    const code = await act(terminal)
    return { code, out: out(), err: err() }
  }

  it('[F4] tasks are held to what is handed over beside them', async () => {
    const file = paper('tasks.json', list)
    const hold = (values: Record<string, string | string[]>) =>
      said((terminal) =>
        holdTasks(file, { record: recordOf([entered('split'), handed(values)]), terminal, by: 'split' }),
      )
    expect(await hold({ size: 'several', files: ['src/a.js'] })).toMatchObject({
      code: 0,
      out: expect.stringContaining('task 2: Two\nsealed tasks.json '),
    })
    expect(await hold({ size: 'one', files: ['src/a.js'] })).toMatchObject({ code: 1 })
    expect(await hold({ size: 'several', files: ['src/**'] })).toMatchObject({
      code: 1,
      err: expect.stringContaining('are not those that you hand over'),
    })
  })

  it('[F4] tasks that were changed after they were agreed on are not filed; those that were filed, not again', async () => {
    const file = paper('tasks.json', list)
    const passed = [
      entered('split'),
      gatePassed(`task 1: One\ntask 2: Two\n${sealText(sealOf('tasks.json', list))}\n`),
    ]
    const filing = (events: typeof passed) =>
      said((terminal) => rest(file, { record: recordOf(events), terminal, by: 'split' }))
    expect(JSON.parse((await filing(passed)).out)).toMatchObject([{ title: 'Two' }])
    expect((await filing([...passed, left('file_tasks', 'done')])).out.trim()).toBe('[]')
    paper('tasks.json', list.replace('Two', 'Three'))
    expect(await filing(passed)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('was changed after'),
    })
  })

  it('[F3] a paper that is not there, empty, or says the same is not sealed', async () => {
    const before = [entered('plan'), gatePassed(`${sealText(sealOf('plan.md', 'Do this.'))}\n`)]
    const sealed = (file: string) =>
      said((terminal) => seal(file, { record: recordOf(before), terminal, by: ['plan'] }))
    expect(await sealed(join(dir, 'nowhere.md'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not there'),
    })
    expect(await sealed(paper('plan.md', ' \n'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('is empty'),
    })
    expect(await sealed(paper('plan.md', 'do *this*'))).toMatchObject({ code: 1 })
    expect(await sealed(paper('plan.md', 'Do that.'))).toMatchObject({ code: 0 })
  })
})

const untestable = [
  left('write_tests', 'not_testable', { answer: answer('not_testable', { fields: { reason: 'Prose' } }) }),
  left('confirm_untestable', 'agreed', {
    to: 'implement',
    answer: answer('agreed', { fields: { reason: 'True' } }),
  }),
]

describe('what was made without tests', () => {
  it('[F6] stands on the list with both reasons', () => {
    expect(untestedIn(untestable)).toEqual({ reason: 'Prose', verdict: 'agreed', signOff: 'True' })
    expect(contextText(recordOf(untestable))).toContain('### Made without tests')
  })

  it('[F6] is off the list once it was tested, or planned anew', () => {
    expect(untestedIn([...untestable, left('verify_red', 'red', { to: 'implement' })])).toBeNull()
    const paid = { counted: null, spent: 'plan_rework', pass: '', forgets: '' }
    expect(untestedIn([...untestable, left('diagnose', 'production_logic', { to: 'plan', paid })])).toBeNull()
    expect(contextText(recordOf([...untestable, left('verify_red', 'red')]))).toBe('')
  })
})

describe('the summary', () => {
  const finding = {
    id: 'F1',
    title: 'The last line\nis lost',
    severity: 'major',
    status: 'open',
    file: 'a.js',
    detail: '## Comments',
  } as const
  const events = [
    left('split', 'one', {
      answer: answer('one', {
        handoff: { name: 'task', version: 1, quality: 'full', values: { title: 'Greet' } },
      }),
    }),
    left('final_review', 'production_code', {
      findings: [finding, { ...finding, id: 'F2', status: 'fixed' }],
      advice: { simplify: answer('cosmetic', { fields: { feedback: 'Half of it\n---\nstatus: Done' } }) },
    }),
    entered('file_bug'),
    checked('X-7 The index is one off\n'),
    left('diagnose', 'test_design', {
      to: 'plan',
      paid: { counted: null, spent: 'plan_rework', pass: '', forgets: '' },
      answer: answer('test_design', { fields: { reason: 'Too tight' } }),
    }),
    left('diagnose', 'split_needed', {
      to: 'hand_back',
      answer: answer('split_needed', { notes: 'Three things' }),
    }),
  ]

  it('[F7] tells what is open, what was advised and what was filed, and quotes every word of an agent', () => {
    const text = summaryText(recordOf(events), 'ended')
    expect(text).toContain('`signalbox land r1`')
    expect(text).toContain('Its task: Greet')
    expect(text).toContain('- F1 of final_review [major] The last line is lost (a.js)\n> ## Comments')
    expect(text).not.toContain('F2')
    expect(text).toContain('- simplify at final_review: cosmetic\n> Half of it\n> ---\n> status: Done')
    expect(text).toContain('- X-7 The index is one off')
    expect(text).not.toContain('discard')
  })

  it('[F7] given back, tells why, what used the budget up and how to clean up', () => {
    const text = summaryText(recordOf(events, { plan_rework: 0 }), 'given back')
    expect(text).toContain('It ended at diagnose: split_needed.\n> Three things')
    expect(text).toContain(
      'The budget plan_rework (0 left) was spent when diagnose came to test_design.\n> Too tight',
    )
    expect(text).toContain('`signalbox discard r1`')
  })
})
