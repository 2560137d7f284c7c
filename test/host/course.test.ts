/** People change a run's course while an agent is at work. */
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'
import { eventually, PERSON, questionsIn } from './run.fixture.ts'

const openHouse = houses()
const FLOW = `
  steps:
    work: { agent: dev, next: other }
    other: { agent: dev, next: done }
`
const busy = [
  [
    { write: { path: 'begun.txt', text: '1' } },
    { spawn: 'while :; do date >> late.txt; sleep 0.02; done' },
    { hang: true },
  ],
] as const

it.concurrent('[D9] cancel ends the agent and everything it started, at once', async () => {
  const house = await openHouse({ runbook: FLOW, plays: { work: busy } })
  const run = await house.start()
  await eventually(() => run.work.has('late.txt')).toBe(true)
  await run.tell({ type: 'run.cancel', reason: 'no longer needed' })
  expect(await run.end()).toBe('cancelled')
  await eventually(() => house.running()).toEqual([])
  // It stops at a commit: what was done is there.
  await run.until('work.committed')
  expect(run.work.git('status', '--porcelain')).toBe('')
})

it.concurrent('move and retry let nobody begin before the one at work is gone', async () => {
  const house = await openHouse({
    runbook: FLOW,
    plays: {
      'work#1': busy,
      work: busy,
      other: [[{ run: 'wc -l < late.txt > one; sleep 0.3; wc -l < late.txt > two' }]],
    },
  })
  const run = await house.start()
  await eventually(() => run.work.has('late.txt')).toBe(true)
  await run.tell({ type: 'run.retry', reason: 'again' })
  await run.until('attempt.began', 2)
  await run.tell({ type: 'run.move', to: 'other', reason: 'enough' })
  expect(await run.end()).toBe('done')
  expect(run.work.read('one')).toBe(run.work.read('two'))
  expect((await run.all('run.moved')).map(({ from, to }) => [from, to])).toEqual([
    ['work', 'work'],
    ['work', 'other'],
  ])
  expect(new Set((await run.all('session.opened')).map(({ session }) => session)).size).toBe(3)
})

it.concurrent('cancel reaches a check, a gate and a question too', async () => {
  const house = await openHouse({
    runbook: `
      vars: { way: { required: true } }
      steps:
        turn: { check: 'exit \${var.way}', options: { a: { to: check, exit: 1 }, b: { to: gate, exit: 2 }, c: { to: ask, exit: other } } }
        check: { check: 'touch \${run.worktree}/here; sleep 300', next: done }
        gate: { agent: dev, gate: { run: 'touch \${run.worktree}/here; sleep 300', expect: none }, next: done }
        ask: { decide: Really?, context: 'touch \${run.worktree}/here', options: { yes: done, no: abandoned } }
    `.replaceAll('ask', 'person'),
    plays: { gate: [[{ say: 'FINISHED' }]] },
  })
  for (const way of ['1', '2', '3']) {
    const run = await house.start({ vars: { way } })
    await eventually(() => run.work.has('here')).toBe(true)
    if (way === '3') await run.question()
    await run.tell({ type: 'run.cancel', reason: '' })
    expect(await run.end()).toBe('cancelled')
    expect(await questionsIn(house.host(), run.id)).toEqual([])
  }
  await eventually(() => house.running()).toEqual([])
})

it.concurrent('[W8] the runbook a run began with is the one it keeps', async () => {
  const path = '.signalbox/flow.yaml'
  const house = await openHouse({
    runbook: FLOW,
    files: { [path]: FLOW },
    plays: { work: [[{ hang: true }]] },
  })
  const run = await house.start({ runbook: path })
  await run.until('attempt.began')
  house.repo.write(path, 'steps: { nothing: { check: false, next: abandoned } }')
  await house.restart(() => house.rehearse({ work: [[{ say: 'FINISHED' }]], other: [[{ say: 'FINISHED' }]] }))
  expect(await run.end()).toBe('done')
  expect((await run.all('visit.entered')).map(({ step }) => step)).toEqual(['work', 'other'])
})

it.concurrent('[W6] discard removes worktree and branch, and keeps the record and everything that was put aside', async () => {
  const house = await openHouse({
    runbook: 'steps: { work: { agent: dev, options: { ready: done, stuck: abandoned } } }',
    plays: {
      work: [
        [
          { write: { path: '.signalbox/run/why.md', text: 'The API is gone' } },
          { answer: { decision: 'stuck', notes: 'Nothing to build on' }, via: 'file' },
        ],
      ],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  const { branch } = (await run.until('run.placed')).placement
  expect(await house.host().discard(run.id, { by: PERSON, unmerged: true })).toEqual({ discarded: true })
  expect(run.work.has('.')).toBe(false)
  expect(house.repo.git('branch', '--list', branch)).toBe('')
  const left = await run.until('visit.left')
  expect([left.outcome, left.answer?.notes]).toEqual(['stuck', 'Nothing to build on'])
  expect(await run.kept((await run.until('artifact.kept')).digest)).toBe('The API is gone')
  await run.until('run.discarded')
})

it.concurrent('discard of a run that was cancelled in the middle keeps what its agent had put aside', async () => {
  const house = await openHouse({
    runbook: FLOW,
    plays: { work: [[{ write: { path: '.signalbox/run/why.md', text: 'Half way' } }, { hang: true }]] },
  })
  const run = await house.start()
  await eventually(() => run.work.has('.signalbox/run/why.md')).toBe(true)
  expect(await house.host().discard(run.id, { by: PERSON, unmerged: true })).toMatchObject({
    problem: expect.stringContaining('still going on'),
  })
  await run.tell({ type: 'run.cancel', reason: '' })
  expect(await house.host().discard(run.id, { by: PERSON, unmerged: true })).toEqual({ discarded: true })
  expect(await run.kept((await run.until('artifact.kept')).digest)).toBe('Half way')
  expect(run.work.has('.')).toBe(false)
})
