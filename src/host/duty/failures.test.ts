import { expect, it } from 'vitest'
import { createMemoryJournal, type Journal, KeptBytesError } from '../../journal/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { createDesk, type DeskNeeds } from '../inbox/desk.ts'
import { createStandalones } from '../inbox/standalones.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { createRuns } from '../runs/runs.ts'
import { createFailures } from './failures.ts'
import { MOST_FAILURES } from './give-up.ts'

/** An outside decision with an answer that waits to be delivered, and what fails at that. */
async function answered() {
  const journal = createMemoryJournal()
  const clock = createManualClock(1_000_000)
  let isAltered = false
  // As it is in a file that somebody edits.
  const store: Journal = {
    ...journal,
    readIntact: (stream) =>
      isAltered
        ? Promise.reject(new KeptBytesError('', `The record of ${stream} was changed.`))
        : journal.readIntact(stream),
  }
  // Of a host's tools the desk of outside decisions needs only these.
  const tools = {
    journal,
    clock,
    closing: new AbortController().signal,
    standalones: createStandalones(journal),
  } as unknown as DeskNeeds
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
  const bugs: unknown[] = []
  const failures = createFailures(
    {
      runs: createRuns(journal),
      standalones: createStandalones(store),
      clock,
      storage: { isToBlame: () => false },
    },
    (error) => bugs.push(error),
  )
  const [claim] = await journal.claim({ limit: 1, now: clock.now(), leaseMs: 60_000, kinds: null })
  return {
    ...{ journal, clock, bugs },
    alter: (now: boolean) => {
      isAltered = now
    },
    fail: (error: Error) =>
      failures.guard({
        claim: claim!,
        signal: new AbortController().signal,
        act: () => Promise.reject(error),
      }),
    failed: async (): Promise<string[]> =>
      (await journal.read(`decision/${made.id}`, 0)).flatMap(({ data }) => {
        const { type, detail = '' } = data as { readonly type: string; readonly detail?: string }
        return type === 'decision.undelivered' ? [detail] : []
      }),
  }
}

it('[K6] while its record cannot be read nothing counts, it is told once, and what comes later begins at none', async () => {
  const { journal, bugs, alter, fail, failed } = await answered()
  alter(true)
  const unread = new KeptBytesError('', 'The record was changed.')
  for (let time = 0; time <= MOST_FAILURES; time++) await fail(unread)
  expect(bugs).toEqual([unread])
  alter(false)
  for (let failure = 1; failure < MOST_FAILURES; failure++) await fail(new TypeError('nobody thought of it'))
  expect(await failed()).toEqual([])
  await fail(new TypeError('nobody thought of it'))
  expect(await failed()).toEqual([expect.stringMatching(/Signalbox failed 5 times/)])
  await journal.close()
})

it('[K6] an answer for somebody outside whose delivery fails with a bug again and again is a delivery that failed', async () => {
  const { journal, clock, bugs, fail, failed } = await answered()
  for (let failure = 1; failure <= MOST_FAILURES; failure++) {
    expect(await failed()).toEqual([])
    await fail(new TypeError('nobody thought of it'))
  }
  expect(bugs).toHaveLength(MOST_FAILURES)
  expect(await failed()).toEqual([
    expect.stringMatching(/Signalbox failed 5 times[\s\S]*nobody thought of it/),
  ])
  // The next try waits for its time, as after any delivery that failed.
  expect(await journal.claim({ limit: 1, now: clock.now(), leaseMs: 60_000, kinds: null })).toEqual([])
  await journal.close()
})
