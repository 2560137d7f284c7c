/** The base of a run has moved while it went on. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { LoadedRun } from '../../src/host/runs/loaded-run.ts'
import { bringBase } from '../../src/host/workspace/bring-base.ts'
import { groundAt } from '../../src/host/workspace/ground.ts'
import { confined } from '../../src/host/workspace/repository.fixture.ts'
import { type House, houses } from './host.fixture.ts'
import { eventually, PERSON, type RunInHouse } from './run.fixture.ts'

const openHouse = houses()
const FLOW = `
  agents: { dev: { writes: ["src/**"] } }
  steps:
    build: { agent: dev, gate: { run: '! grep -rn "<<<<" src', expect: none }, options: { ready: sign, stuck: abandoned } }
    sign: { decide: Ship?, options: { yes: done, again: { to: build, max: 1, then: abandoned } } }
`
const READY = { answer: { decision: 'ready' }, via: 'mcp' } as const
const waits = { run: 'while ! test -f ../released; do sleep 0.05; done' }
const ours = { write: { path: 'src/code.ts', text: 'ours\n' } }

const moved = ({ repo }: House, name: string, text: string): string => {
  repo.write(name, text)
  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', `change ${name}`)
  return repo.git('rev-parse', 'main')
}
const release = ({ work }: RunInHouse): void => writeFileSync(join(work.dir, '../released'), '')
const workOf = async (house: House, { id }: RunInHouse) => {
  const host = house.host()
  return host.workOf((await host.runs.load(id))!)
}
const changed = async (house: House, { id }: RunInHouse): Promise<string> => {
  const diff = await house.host().course(PERSON).diff(id, { step: null, steps: false, stat: true })
  return 'parts' in diff ? diff.parts.map(({ text }) => text).join() : diff.problem
}

it.concurrent('[M8] is brought in at once at a person’s step, and the run’s changes are its own still', async () => {
  const house = await openHouse({ runbook: FLOW, doors: true, plays: { build: [[ours, READY]] } })
  const run = await house.start()
  await run.question()
  const course = house.host().course(PERSON)
  expect(await course.update(run.id)).toMatchObject({ state: 'nothing' })
  const tip = moved(house, 'other.txt', 'theirs\n')
  expect(await workOf(house, run)).toMatchObject({ into: 'main', behind: 1, ahead: 1, tip })
  const updated = await course.update(run.id)
  expect(updated).toMatchObject({ state: 'merged', from: 'main', commits: 1 })
  expect(run.work.read('other.txt')).toBe('theirs\n')
  expect(run.work.git('status', '--porcelain')).toBe('')
  expect(await run.all('base.merged')).toMatchObject([{ base: tip, by: PERSON }])
  expect(await workOf(house, run)).toMatchObject({ behind: 0 })
  expect(await changed(house, run)).not.toContain('other.txt')
  expect((await house.host().runs.load(run.id))?.base).toBe(tip)
  // The next agent finds it there, and is blamed for none of it.
  await run.answer({ decision: 'again' })
  await run.until('question.opened', 2)
  expect(await run.all('boundary.held')).toEqual([])
  // What both changed falls to nobody here: nothing is done.
  moved(house, 'src/code.ts', 'theirs\n')
  expect(await course.update(run.id)).toMatchObject({
    code: 'not-updated',
    problem: expect.stringMatching(
      /both changed src\/code\.ts, and no agent is at work[\s\S]*signalbox take/,
    ),
  })
  expect(run.work.read('src/code.ts')).toBe('ours\n')
  await run.answer({ decision: 'yes' })
  expect(await run.end()).toBe('done')
})

it.concurrent('[M8] waits for the end of a turn, and the gate judges the merge', async () => {
  const house = await openHouse({ runbook: FLOW, doors: true, plays: { build: [[ours, waits, READY]] } })
  const run = await house.start()
  await run.until('attempt.began')
  moved(house, 'other.txt', 'theirs\n')
  expect(await house.host().course(PERSON).update(run.id)).toMatchObject({ state: 'asked', agents: ['dev'] })
  expect(run.work.has('other.txt')).toBe(false)
  release(run)
  await run.question()
  const [merged] = await run.all('base.merged')
  const [passed] = await run.all('gate.passed')
  expect(passed?.evidence.commit).toBe(merged?.commit)
  expect(passed?.evidence.diffstat).not.toContain('other.txt')
  expect(await run.all('answer.deferred')).toEqual([])
})

it.concurrent('[M8] leaves what both changed to the agent, with git’s marks, before its answer counts', async () => {
  const resolve = { write: { path: 'src/code.ts', text: 'ours and theirs\n' } }
  const house = await openHouse({
    runbook: FLOW,
    doors: true,
    plays: {
      build: [
        [ours, waits, READY],
        [{ run: 'cp src/code.ts src/seen.txt' }, resolve, { run: "sed -i 's/[<>]//g' src/seen.txt" }, READY],
      ],
    },
  })
  const run = await house.start()
  await run.until('attempt.began')
  const tip = moved(house, 'src/code.ts', 'theirs\n')
  await house.host().course(PERSON).update(run.id)
  release(run)
  await run.question()
  expect(run.prompts()).toHaveLength(2)
  expect(run.prompts()[1]).toMatch(
    /```word by person "alice"\nI brought in what main got since[\s\S]*src\/code\.ts/,
  )
  expect(run.work.read('src/seen.txt')).toMatch(/ours\n=======\ntheirs/)
  expect(await run.all('base.merged')).toMatchObject([{ base: tip, conflicts: ['src/code.ts'] }])
  expect(await run.all('boundary.held')).toEqual([])
  await run.answer({ decision: 'yes' })
  expect(await run.end()).toBe('done')
  const landed = await house
    .host()
    .course(PERSON)
    .land(run.id, { how: 'squash', into: null, unfinished: false, gates: 'put', message: '' })
  expect(landed).toMatchObject({ state: 'landed' })
  expect(house.repo.read('src/code.ts')).toBe('ours and theirs\n')
})

const BOB = { kind: 'person', name: 'bob' } as const

it.concurrent('[M8] is told once where two want it at once', async () => {
  const house = await openHouse({ runbook: FLOW, doors: true, plays: { build: [[ours, READY]] } })
  const run = await house.start()
  await run.question()
  const tip = moved(house, 'other.txt', 'theirs\n')
  const [one, other] = [PERSON, BOB].map((by) => house.host().course(by).update(run.id))
  expect([await one, await other]).toMatchObject([{ state: 'merged', commits: 1 }, { state: 'nothing' }])
  expect(await run.all('base.merged')).toMatchObject([{ base: tip, by: PERSON }])
})

/** As a host leaves it that was killed when all was done, and before the record had it. */
async function bringUntold({ home }: House, loaded: LoadedRun): Promise<void> {
  const { run, placed, commit, base: lastBase } = loaded
  const { branch, base } = placed.placement
  const ground = groundAt(home, placed.placement)
  const place = { ground, branch, lastBase, confined }
  await bringBase({ ...place, run, commit, base, by: BOB, conflicts: 'left' })
}

it.concurrent('[W7] what a killed host brought in is told by the next update, which brings in the rest', async () => {
  const house = await openHouse({
    runbook: FLOW,
    doors: true,
    plays: {
      build: [
        [ours, READY],
        [{ write: { path: 'src/code.ts', text: 'both\n' } }, READY],
      ],
    },
  })
  const run = await house.start()
  await run.question()
  const first = moved(house, 'src/code.ts', 'theirs\n')
  const loaded = await house.host().runs.load(run.id)
  await house.restart(() => bringUntold(house, loaded!))
  const second = moved(house, 'other.txt', 'theirs\n')
  expect(await house.host().course(PERSON).update(run.id)).toMatchObject({ state: 'merged', commits: 1 })
  expect(await run.all('base.merged')).toMatchObject([
    { base: first, by: BOB, conflicts: ['src/code.ts'] },
    { base: second, by: PERSON },
  ])
  await run.answer({ decision: 'again' })
  await run.until('question.opened', 2)
  expect(run.prompts()[1]).toMatch(
    /```word by person "bob"\nI brought in what main got since[\s\S]*src\/code\.ts/,
  )
  expect(await run.all('boundary.held')).toEqual([])
})

it.concurrent('[W7] what a killed host brought in is told where its agent breaks off', async () => {
  const house = await openHouse({
    runbook: FLOW,
    doors: true,
    plays: { build: [[ours, waits, { crash: 7 }]] },
  })
  const run = await house.start()
  await run.until('attempt.began')
  await eventually(() => run.work.read('src/code.ts')).toBe('ours\n')
  moved(house, 'other.txt', 'theirs\n')
  const loaded = await house.host().runs.load(run.id)
  await house.restart(() => bringUntold(house, loaded!))
  release(run)
  await run.question()
  expect(await run.all('base.merged')).toMatchObject([{ by: BOB }])
  expect(await run.all('boundary.held')).toEqual([])
  expect(await changed(house, run)).not.toContain('other.txt')
})
