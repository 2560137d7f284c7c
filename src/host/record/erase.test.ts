/** What goes with a decision, and what an order to erase is refused for; on a journal in memory. */
import { expect, it } from 'vitest'
import { createMemoryJournal } from '../../journal/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { homeAt } from '../machine/home.ts'
import { openQuietHost } from '../quiet-host.fixture.ts'
import { ALICE } from '../runs/runs.fixture.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'

const ORDER = { also: [], reason: 'private', dry: false }

function open() {
  const journal = createMemoryJournal()
  const host = openQuietHost({
    journal,
    home: homeAt(temporaryFolder()),
    clock: createManualClock(1000),
    onBug: (error) => {
      throw error
    },
  })
  return { journal, host, desk: host.decisions(ALICE) }
}

it('[J12] erases a decision outside of runs whole, once nobody is asked any more', async () => {
  const { journal, host, desk } = open()
  const asker = { agent: 'helper', program: 'helper-cli', version: '1', model: 'large' }
  const made = await desk.create({ payload: EXAMPLE_DECISION, asker, door: 'mcp', resume: null, repo: '' })
  if ('problem' in made) throw new Error(made.problem)
  const order = { ...ORDER, decision: made.id }
  expect(await host.erase(order, ALICE)).toMatchObject({ code: 'not-waiting' })
  await desk.withdraw(made.id, 'not needed')
  expect(await host.erase({ ...order, dry: true }, ALICE)).toMatchObject({
    done: false,
    streams: [`decision/${made.id}`],
  })
  expect(await host.erase(order, ALICE)).toMatchObject({ done: true })
  expect(await journal.read(`decision/${made.id}`, 0)).toEqual([])
  expect(await desk.show(made.id)).toMatchObject({ code: 'unknown-decision' })
  expect(JSON.stringify(await journal.readAll(0, 100))).not.toContain(EXAMPLE_DECISION.headline)
  expect(await journal.verify()).toEqual([])
  await host.close()
})

it('[J12] is told what is to be erased, and not too little of it', async () => {
  const { host } = open()
  expect(await host.erase(ORDER, ALICE)).toMatchObject({
    code: 'bad-request',
    problem: expect.stringMatching(/Say what/),
  })
  expect(await host.erase({ ...ORDER, text: 'key' }, ALICE)).toMatchObject({ code: 'bad-request' })
  expect(await host.erase({ ...ORDER, decision: 'none' }, ALICE)).toMatchObject({ code: 'unknown-decision' })
  expect(await host.erase({ ...ORDER, text: 'never said' }, ALICE)).toMatchObject({
    done: false,
    events: 0,
    files: [],
  })
  await host.close()
})
