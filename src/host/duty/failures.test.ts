import { expect, it } from 'vitest'
import { createMemoryJournal } from '../../journal/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { createDesk, type DeskNeeds } from '../inbox/desk.ts'
import { createStandalones } from '../inbox/standalones.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { createRuns } from '../runs/runs.ts'
import { createFailures } from './failures.ts'
import { MOST_FAILURES } from './give-up.ts'

it('[K6] an answer for somebody outside whose delivery fails with a bug again and again is a delivery that failed', async () => {
  const journal = createMemoryJournal()
  const clock = createManualClock(1_000_000)
  const standalones = createStandalones(journal)
  // Of a host's tools the desk of outside decisions needs only these.
  const tools = { journal, clock, closing: new AbortController().signal, standalones } as unknown as DeskNeeds
  const desk = createDesk({ tools, by: { kind: 'person', name: 'alice' } })
  const made = await desk.create({
    payload: EXAMPLE_DECISION,
    asker: { agent: 'claude', program: '', version: '', model: '' },
    door: 'cli',
    resume: { argv: ['wake'], cwd: '/repo' },
    repo: '/repo',
  })
  if ('problem' in made) throw new Error(made.problem)
  const pick = EXAMPLE_DECISION.options[0]!.key
  await desk.answer(made.id, { pick, note: '', fields: {}, edited: null, digest: null, together: false })
  const failed = async (): Promise<string[]> =>
    (await journal.read(`decision/${made.id}`, 0)).flatMap(({ data }) => {
      const { type, detail = '' } = data as { readonly type: string; readonly detail?: string }
      return type === 'decision.undelivered' ? [detail] : []
    })
  const bugs: unknown[] = []
  const failures = createFailures(
    { runs: createRuns(journal), standalones, clock, storage: { isToBlame: () => false } },
    (error) => bugs.push(error),
  )
  const [claim] = await journal.claim({ limit: 1, now: clock.now(), leaseMs: 60_000, kinds: null })
  for (let failure = 1; failure <= MOST_FAILURES; failure++) {
    expect(await failed()).toEqual([])
    const signal = new AbortController().signal
    await failures.guard({
      claim: claim!,
      signal,
      act: () => Promise.reject(new TypeError('nobody thought of it')),
    })
  }
  expect(bugs).toHaveLength(MOST_FAILURES)
  expect(await failed()).toEqual([
    expect.stringMatching(/Signalbox failed 5 times[\s\S]*nobody thought of it/),
  ])
  // The next try waits for its time, as after any delivery that failed.
  expect(await journal.claim({ limit: 1, now: clock.now(), leaseMs: 60_000, kinds: null })).toEqual([])
  await journal.close()
})
