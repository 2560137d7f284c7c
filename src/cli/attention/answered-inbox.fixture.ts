/** A journal in memory with decisions that people and policies have answered, as the commands see it. */

import type { DeskNeeds } from '../../host/inbox/desk.ts'
import { createDesk } from '../../host/inbox/desk.ts'
import { createStandalones } from '../../host/inbox/standalones.ts'
import { createManualClock } from '../../host/machine/clock.fixture.ts'
import type { Operations } from '../../host/operations.ts'
import type { RunRow } from '../../host/runs/projection.ts'
import { RUNS } from '../../host/runs/projection.ts'
import { keepRuns, loadedOf, programOf, startOf } from '../../host/runs/runs.fixture.ts'
import { createMemoryJournal } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'

export const NOW = new Date(2026, 10, 16, 12).getTime()
const DAY_MS = 86_400_000

const FLOW = `steps:
  sign_off:
    decide: Keep this?
    options: { keep: { to: done, recommended: true }, drop: { to: abandoned } }
`

export interface AnsweredInbox {
  readonly operations: Operations
  /** One from outside, opened so many days ago and answered two minutes later. Its id. */
  readonly answered: (pick: string, more?: Answered) => Promise<string>
  readonly asked: (more?: object) => Promise<string>
  /** A run that ends with the answer to its one question. */
  readonly run: (id: string) => Promise<void>
}

export interface Answered {
  readonly by?: Actor
  readonly daysAgo?: number
  readonly payload?: object
}

export function openAnsweredInbox(): AnsweredInbox {
  const journal = createMemoryJournal()
  const clock = createManualClock(NOW - 400 * DAY_MS)
  const program = programOf(FLOW)
  const { runs } = keepRuns(program, journal)
  const tools = { journal, clock, runs, standalones: createStandalones(journal) } as unknown as DeskNeeds
  const deskOf = (by: Actor) => createDesk({ tools, by })
  const me: Actor = { kind: 'person', name: 'me' }
  const asker = { agent: 'helper', program: 'helper-cli', version: '1', model: 'large' }
  const ask = async (payload: object): Promise<string> => {
    const made = await deskOf(me).create({
      payload: { ...EXAMPLE_DECISION, ...payload },
      asker,
      door: 'mcp',
      resume: null,
      repo: '',
    })
    if ('problem' in made) throw new Error(made.problem)
    return made.id
  }
  const answer = async (id: string, pick: string, by: Actor): Promise<void> => {
    const note = pick === '' ? 'Neither.' : ''
    const given = { pick, note, fields: {}, edited: null, digest: null, together: false }
    const done = await deskOf(by).answer(id, given)
    if ('problem' in done) throw new Error(done.problem)
  }
  const until = (at: number): void => clock.advance(Math.max(0, at - clock.now()))
  return {
    operations: {
      decisions: deskOf(me),
      kept: (digest: string) => journal.fetch(digest),
      runs: async () => {
        const rows = await journal.list({ model: RUNS, facet: null, before: null, limit: 100 })
        return rows.map(({ data }) => ({ ...(data as RunRow), startedAt: NOW }))
      },
    } as unknown as Operations,
    answered: async (pick, { by = me, daysAgo = 1, payload = {} } = {}) => {
      until(NOW - daysAgo * DAY_MS)
      const id = await ask(payload)
      clock.advance(120_000)
      await answer(id, pick, by)
      return id
    },
    asked: async (payload = {}) => {
      until(NOW - DAY_MS)
      return ask(payload)
    },
    run: async (id) => {
      until(NOW - DAY_MS)
      await journal.keep(new TextEncoder().encode(JSON.stringify(program)))
      loadedOf(await runs.begin({ program, start: { ...startOf(id), at: clock.now() } }))
      clock.advance(30_000)
      const page = await deskOf(me).list({ status: 'pending', run: id, cursor: null, limit: 1 })
      if ('problem' in page) throw new Error(page.problem)
      await answer(page.rows[0]!.id, 'keep', me)
    },
  }
}
