import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createManualClock } from './machine/clock.fixture.ts'
import { homeAt } from './machine/home.ts'
import { createOperations } from './operations.ts'
import { openQuietHost } from './quiet-host.fixture.ts'
import { ALICE, keepRuns, loadedOf, programOf, startOf } from './runs/runs.fixture.ts'

const ASK = programOf(`
  name: ask
  steps: { ship: { decide: Ship?, options: { yes: done, no: abandoned } } }
`)

it('lists what is going on, or with all that is over, the latest first', async () => {
  const { journal, runs } = keepRuns(ASK)
  for (const [at, run] of ['a', 'b', 'c', 'd', 'e'].entries())
    loadedOf(await runs.begin({ program: ASK, start: { ...startOf(run), at } }))
  for (const run of ['b', 'd', 'e'])
    loadedOf(await runs.execute(run, [{ type: 'run.cancel', at: 9, by: ALICE, reason: '' }]))
  const home = homeAt(join(tmpdir(), 'signalbox-nowhere'))
  const host = openQuietHost({ journal, home, clock: createManualClock(10), onBug: console.error })
  const compile = () => Promise.resolve({ problems: ['not here'] })
  const ask = createOperations({ host, now: () => 10, by: ALICE, compile })
  const listed = async (all: boolean, limit: number) => (await ask.runs({ all, limit })).map(({ run }) => run)
  expect(await listed(false, 9)).toEqual(['c', 'a'])
  expect(await listed(true, 9)).toEqual(['e', 'd', 'c', 'b', 'a'])
  expect(await listed(true, 3)).toEqual(['e', 'd', 'c'])
  await host.close()
})
