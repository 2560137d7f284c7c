/** What a person does with a run's work: they look at it, land it, discard it. */
import { expect, it } from 'vitest'
import type { LandOrder } from '../../src/model/api/course.ts'
import { type House, houses } from './host.fixture.ts'
import { PERSON, type RunInHouse } from './run.fixture.ts'

const openHouse = houses()
const FLOW = `
  steps:
    plan: { agent: dev, next: build }
    build: { agent: dev, gate: '! grep -rn broken .', next: done }
`
const PLAYS = {
  plan: [[{ write: { path: 'plan.md', text: 'the plan\n' } }, { say: 'Planned.' }]],
  build: [[{ write: { path: 'src/code.ts', text: 'better code\n' } }, { say: 'FINISHED' }]],
} as const
const ORDER: LandOrder = { how: 'merge', into: null, unfinished: false, gates: 'put', message: '' }

async function ended(plays: Parameters<typeof openHouse>[0]['plays'] = PLAYS) {
  const house = await openHouse({ runbook: FLOW, plays })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  return { house, run }
}

const land = (house: House, { id }: RunInHouse, over: Partial<LandOrder> = {}) =>
  house
    .host()
    .course(PERSON)
    .land(id, { ...ORDER, ...over })

const elsewhere = ({ repo }: House, name: string, text: string): void => {
  repo.write(name, text)
  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', 'meanwhile')
}

it.concurrent('[M2] tells what a run changed, all of it, by step and by file', async () => {
  const { house, run } = await ended()
  const course = house.host().course(PERSON)
  const ALL = { step: null, steps: false, stat: false }
  const texts = async (query: Parameters<typeof course.diff>[1]) => {
    const found = await course.diff(run.id, query)
    if ('problem' in found) throw new Error(found.problem)
    return found.parts.map(({ step, text }) => [step, text])
  }
  expect(await texts(ALL)).toEqual([[null, expect.stringMatching(/\+the plan[\s\S]*-code\n\+better code/)]])
  expect(await texts({ ...ALL, stat: true })).toEqual([
    [null, expect.stringMatching(/plan\.md +\| 1 \+[\s\S]*2 files changed/)],
  ])
  expect(await texts({ ...ALL, step: 'build' })).toEqual([['build', expect.not.stringContaining('the plan')]])
  expect((await texts({ ...ALL, steps: true })).map(([step]) => step)).toEqual(['plan', 'build'])
  expect(await course.diff(run.id, { ...ALL, step: 'biuld' })).toMatchObject({
    code: 'unknown-step',
    problem: expect.stringContaining('"build"'),
  })
  expect(await course.diff('gone', ALL)).toMatchObject({ code: 'unknown-run' })
})

it.concurrent('[M1] lands what a gate has passed on, in the checkout of the branch, and the record says so', async () => {
  const { house, run } = await ended()
  const landed = await land(house, run)
  expect(landed).toMatchObject({ state: 'landed', into: 'main', how: 'fast-forward', gates: 1 })
  expect(house.repo.read('src/code.ts')).toBe('better code\n')
  expect(await run.all('run.landed')).toMatchObject([{ by: PERSON, into: 'main', how: 'fast-forward' }])
  expect(await house.host().discard(run.id, { by: PERSON, unmerged: false })).toEqual({ discarded: true })
  expect(await run.all('run.discarded')).toMatchObject([{ by: PERSON }])
  expect(await land(house, run)).toMatchObject({ code: 'gone' })
})

it.concurrent('[M1] puts the gate to the merged commit, and moves nothing where it fails there', async () => {
  const { house, run } = await ended()
  elsewhere(house, 'other.txt', 'broken by somebody else\n')
  const before = house.repo.git('rev-parse', 'main')
  expect(await land(house, run)).toMatchObject({
    code: 'not-landed',
    problem: expect.stringMatching(/gate of build failed on what would be landed[\s\S]*other\.txt/),
  })
  expect(house.repo.git('rev-parse', 'main')).toBe(before)
  expect(await land(house, run, { gates: 'skip' })).toMatchObject({ how: 'merge', gates: 0 })
  expect(house.repo.git('log', '-1', '--format=%s')).toMatch(/^Merge signalbox\/test-/)
})

it.concurrent('[M1] is refused while the run goes on, unless a person says so; a conflict changes nothing', async () => {
  const house = await openHouse({
    runbook: FLOW,
    plays: { ...PLAYS, build: [[{ write: { path: 'a.txt', text: 'ours\n' } }, { hang: true }]] },
  })
  const run = await house.start()
  await run.until('visit.entered', 3)
  expect(await land(house, run)).toMatchObject({ problem: expect.stringContaining('--unfinished') })
  await run.until('attempt.began', 2)
  await run.tell({ type: 'run.cancel', reason: '' })
  await run.until('work.committed', 2)
  elsewhere(house, 'a.txt', 'theirs\n')
  expect(await land(house, run)).toMatchObject({
    code: 'not-landed',
    problem: expect.stringMatching(/both changed a\.txt\. Nothing was moved\. Merge it by hand/),
  })
  expect(house.repo.git('status', '--porcelain')).toBe('')
})

it.concurrent('[M3] discards what is not merged only when told so, and a ref keeps it', async () => {
  const { house, run } = await ended()
  const commit = (await run.until('work.committed', 2)).commit
  const host = house.host()
  expect(await host.discard(run.id, { by: PERSON, unmerged: false })).toMatchObject({
    code: 'unmerged',
    problem: expect.stringContaining(commit),
  })
  expect(run.work.has('src/code.ts')).toBe(true)
  expect(await host.discard(run.id, { by: PERSON, unmerged: true })).toEqual({ discarded: true })
  const [fact] = await run.all('run.discarded')
  expect(fact?.kept?.commit).toBe(commit)
  expect(house.repo.git('branch', '--list', 'signalbox/*')).toBe('')
  expect(house.repo.git('rev-parse', fact!.kept!.ref)).toBe(commit)
  house.repo.git('gc', '-q', '--prune=now')
  expect(house.repo.git('show', `${commit}:plan.md`)).toBe('the plan')
})
