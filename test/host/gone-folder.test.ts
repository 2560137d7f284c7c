/** A client outside asks to be resumed in a folder that is gone when somebody answers. */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { houses } from './host.fixture.ts'
import { eventually, PERSON } from './run.fixture.ts'

const openHouse = houses()

it('[Q16] an answer whose command has no folder is not delivered and not acknowledged; it is tried again', async () => {
  const house = await openHouse({ runbook: 'steps: { work: { agent: dev, next: done } }' })
  const desk = house.host().decisions(PERSON)
  const cwd = join(house.ground, 'elsewhere')
  mkdirSync(cwd)
  const made = await desk.create({
    payload: EXAMPLE_DECISION,
    asker: { agent: 'client', program: '', version: '', model: '' },
    door: 'cli',
    repo: house.repo.dir,
    resume: { argv: ['touch', 'resumed'], cwd },
  })
  if ('problem' in made) throw new Error(made.problem)
  rmSync(cwd, { recursive: true })
  const answer = { pick: 'sqlite', note: '', fields: {}, edited: null, digest: null, together: false }
  expect(await desk.answer(made.id, answer)).toMatchObject({ answered: [made.id] })
  const record = async () => {
    const shown = await desk.show(made.id)
    if ('problem' in shown) throw new Error(shown.problem)
    return shown
  }
  await eventually(async () => (await record()).delivery.failures).toBe(1)
  expect((await record()).stages.map(({ status }) => status)).not.toContain('acknowledged')
  expect((await record()).stages.map(({ status }) => status)).not.toContain('delivered')
  expect((await record()).delivery.trouble).toBe(
    `The folder in which its command is run is not there: ${cwd}`,
  )
  mkdirSync(cwd)
  house.clock.advance(60_000)
  await eventually(() => existsSync(join(cwd, 'resumed'))).toBe(true)
  await eventually(async () => (await record()).status).toBe('acted')
})
