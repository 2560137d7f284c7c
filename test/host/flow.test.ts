/** The rows of the matrix of `issue-to-commit` that touch issues, on a real host: what is in their files afterwards. */
import { expect, it } from 'vitest'
import type { LandOrder } from '../../src/model/api/course.ts'
import {
  expectEnd,
  flowHouses,
  flowProgram,
  issue,
  plan,
  says,
  split,
  tracked,
  verdict,
  write,
} from './flow.fixture.ts'
import { PERSON } from './run.fixture.ts'

const openHouse = flowHouses()
const test = 'node --test'
const begin = (id: string) => ({ program: flowProgram(), vars: { issue: id } })

const JAVASCRIPT = {
  'package.json': '{ "name": "sample", "type": "module" }\n',
  'src/greet.js': 'export const greet = (name) => `Hello ${name}`\n',
  'test/greet.test.js':
    "import { strictEqual } from 'node:assert'\nimport { test } from 'node:test'\nimport { greet } from '../src/greet.js'\ntest('greets', () => strictEqual(greet('Ada'), 'Hello Ada'))\n",
}
const REFUSES = `import { throws } from 'node:assert'
import { test } from 'node:test'
import { greet } from '../src/greet.js'
test('refuses an empty name', () => throws(() => greet(''), RangeError))
`
const GREET = `export const greet = (name) => {
  if (name === '') throw new RangeError('name is empty')
  return \`Hello \${name}\`
}
`
const refusesEmptyName = {
  write_tests: [
    [
      write('test/refuses.test.js', REFUSES),
      says({ state: 'ready', tests: ['refuses an empty name'], failure: 'Missing expected exception' }),
    ],
  ],
  implement: [[write('src/greet.js', GREET), says({ decision: 'complete' })]],
}

it.concurrent('[F2] rows 1 to 4: what is no place, not clean, waits or is not there is not begun, and nothing is changed', async () => {
  const house = await openHouse({
    test,
    files: {
      ...JAVASCRIPT,
      'TODO/1.md': issue('One', { more: 'depends-on: [2]\n' }),
      'TODO/2.md': issue('Two'),
    },
    plays: {},
  })
  const ends = async (id: string, end: string, program = flowProgram()) =>
    expectEnd(await house.start({ ...begin(id), program }), end)
  const unlooked = flowProgram((text) =>
    text.replace('signalbox issue preflight ${var.issue}', 'test -n ${var.issue}'),
  )
  await Promise.all([ends('9', 'not_a_place'), ends('1', 'not_ready'), ends('9', 'no_issue', unlooked)])
  house.repo.write('src/greet.js', 'dirty\n')
  expect((await house.problems(begin('2'))).join()).toContain('not committed')
  expect(house.repo.git('branch', '--list', 'signalbox/issues')).toBe('')
})

it.concurrent('[F2] rows 5, 6, 13, 15, 40 to 43 and 45: begun, split, filed by label, commented, and still in progress', async () => {
  const house = await openHouse({
    test,
    files: { ...JAVASCRIPT, 'TODO/1.md': issue('Refuse bad names', { criteria: 2 }) },
    plays: {
      // Row 6: nobody reviews what is not there; and a plan that is sent back must change.
      plan: [[says({ handoff: { summary: 'Nothing on disk' } })], plan('Refuse what is empty.')],
      'plan#2': [plan('Refuse WHAT is empty!'), plan('Refuse what is empty, then what is too long.')],
      'review_plan#1@check': [
        verdict('needs_work', {
          feedback: 'What of long names?',
          findings: [{ title: 'Long names are not planned' }],
        }),
      ],
      'review_plan#2@check': [verdict('acceptable', { findings: [{ id: 'F1', status: 'fixed' }] })],
      'review_plan@simplify': [
        verdict('needs_work', { feedback: 'One check would do', findings: [{ title: 'One check' }] }),
      ],
      // Row 13: tasks that say less than they must are not taken.
      split: [
        [
          write('.signalbox/run/tasks.json', '[{"title":"x"}]'),
          says({ handoff: { size: 'several', title: 'x', files: ['src/greet.js'], scaffold: 'no' } }),
        ],
        split([
          { title: 'Refuse an empty name', files: ['src/greet.js'] },
          { title: 'Refuse a long name', files: ['src/greet.js'], depends_on: [1] },
          { title: 'Say so in the guide', files: ['README.md'], depends_on: [2] },
        ]),
      ],
      ...refusesEmptyName,
      'follow_ups#1': [[says({ left: 'bug', title: '--json is greeted', body: 'greet("--json") is odd.' })]],
      'follow_ups#2': [[says({ left: 'followup', title: 'Blank names', body: 'They pass.' })]],
      'follow_ups#3': [[says({ left: 'tech_debt', title: 'No clock', body: 'Pass one in.' })]],
      'final_review@simplify': [
        verdict('production_code', { feedback: 'Half of it could go', findings: [{ title: 'Too much' }] }),
      ],
    },
  })
  const run = await house.start(begin('1'))
  await expectEnd(run, 'partly')

  const gates = await run.all('gate.failed')
  expect(gates.map(({ evidence }) => evidence.output)).toEqual([
    expect.stringContaining('plan.md is not there'),
    expect.stringContaining('plan.md says what it said when it was sent back'),
    expect.stringContaining('Task 1: `criteria` must be a list'),
  ])
  const parent = tracked(house, 'TODO/1.md')
  expect(parent).toContain('status: In Progress')
  expect(parent).toMatch(/- \[x\] Criterion 1\n- \[ \] Criterion 2/)
  expect(parent).toContain(`signalbox land ${run.id}`)
  expect(parent).toContain('> Half of it could go')
  const filed = ['2', '3', '4', '5', '6'].map((id) => tracked(house, `TODO/${id}.md`))
  const labels = ['split-from-run', 'split-from-run', 'bug', 'followup', 'tech-debt']
  for (const [index, label] of labels.entries()) {
    expect(filed[index]).toContain(label)
    expect(filed[index]).toMatch(/^parent: "?1"?$/m)
    expect(filed[index]).toContain('status: Todo')
  }
  expect(filed[0]).toContain('Refuse a long name')
  expect(filed[1]).toMatch(/^depends-on: \[?"?2/m)
  expect(filed[2]).toContain('--json is greeted')
  expect(filed.join()).not.toContain('Half of it could go')
  // The base and the run's branch have none of it.
  expect(house.repo.git('ls-tree', '--name-only', 'main', 'TODO/')).toBe('TODO/1.md')
  expect(run.work.git('diff', '--name-only', 'main', 'HEAD').split('\n').sort()).toEqual([
    'src/greet.js',
    'test/refuses.test.js',
  ])

  // What was agreed on paper does not stand in the way of the work.
  const order: LandOrder = { how: 'merge', into: null, unfinished: false, gates: 'put', message: '' }
  const landed = await house.host().course(PERSON).land(run.id, order)
  expect(landed).toMatchObject({ state: 'landed', into: 'main', gates: 3, issues: 6, issuesWait: null })
  expect(house.repo.read('src/greet.js')).toBe(GREET)
})

it.concurrent('[F7] row 46: what fails is given back, with why and how to clean up; row 44: the next run knows it, and is done', async () => {
  const house = await openHouse({
    test,
    files: { ...JAVASCRIPT, 'TODO/1.md': issue('Refuse bad names') },
    plays: {
      split: [split([{ title: 'Refuse an empty name', files: ['src/greet.js'] }])],
      ...refusesEmptyName,
      implement: [[says({ decision: 'incomplete', hint: 'split_needed' })]],
      diagnose: [verdict('split_needed', { reason: 'Three things in one' })],
    },
  })
  const first = await house.start(begin('1'))
  await expectEnd(first, 'given_back')
  const given = tracked(house, 'TODO/1.md')
  expect(given).toContain('status: Todo')
  expect(given).toContain('> Three things in one')
  expect(given).toContain(`signalbox discard ${first.id}`)
  expect((await first.all('artifact.kept')).map(({ name }) => name)).toContain('summary.md')

  house.rehearse({
    plan: [plan('Only what is empty.')],
    review_plan: [verdict('acceptable')],
    split: [split([{ title: 'Refuse an empty name', files: ['src/greet.js'] }])],
    ...refusesEmptyName,
    final_review: [verdict('acceptable')],
    follow_ups: [[says({ left: 'nothing' })]],
    criteria: [[says({ met: ['1', '99', '--body'] })]],
  })
  const second = await house.start(begin('1'))
  await expectEnd(second, 'done')
  expect(second.prompts()[0]).toContain('Three things in one')
  const done = tracked(house, 'TODO/1.md')
  expect(done).toContain('status: Done')
  expect(done).toContain('> Three things in one')
  // It stands on what the run before it left, which waits as well.
  const order: LandOrder = { how: 'squash', into: null, unfinished: false, gates: 'put', message: '' }
  expect(await house.host().course(PERSON).land(second.id, order)).toMatchObject({
    state: 'landed',
    issuesWait: null,
  })
  expect(house.repo.read('TODO/1.md').trimEnd()).toBe(done.trimEnd())
})

it.concurrent('[F7] what could not even be begun is told, and stays what it was', async () => {
  const house = await openHouse({
    test: 'exit 1',
    files: { ...JAVASCRIPT, 'TODO/1.md': issue('Refuse bad names', { status: 'Done' }) },
    plays: {},
  })
  await expectEnd(await house.start(begin('1')), 'given_back')
  const told = tracked(house, 'TODO/1.md')
  expect(told).toContain('status: Done')
  expect(told).toContain('> It ended at stub.trial: unexpected.')
})
