import { describe, expect, it } from 'vitest'
import type { Policy } from '../../attention/policy.ts'
import { createMemoryJournal } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { ALICE, keepRuns, programOf } from '../runs/runs.fixture.ts'
import type { DeskNeeds } from './desk.ts'
import { createDesk } from './desk.ts'
import { createPolicies, type Policies, type PoliciesRead } from './policies.ts'
import { createStandalones } from './standalones.ts'

const policy = (more: Partial<Policy> = {}): Policy => ({
  name: 'one-file',
  when: { headline: 'Which store*' },
  answer: 'sqlite',
  confidence: null,
  until: '2030-01-01',
  expiresAt: 1_000_000,
  note: 'We stay with one file.',
  ...more,
})

const FLOW = `steps:
  sign_off:
    decide: Keep this?
    options:
      keep: { to: done, recommended: true }
      drop: { to: abandoned, reversible: false }
`

/** A journal with a desk, and policies that can be started on it as often as a host is. */
function openInbox(...policies: readonly Policy[]) {
  const journal = createMemoryJournal()
  const clock = createManualClock(1000)
  const { runs, begin } = keepRuns(programOf(FLOW), journal)
  const tools = { journal, clock, runs, standalones: createStandalones(journal) } as unknown as DeskNeeds
  const decisionsAs = (by: Actor) => createDesk({ tools, by })
  const desk = decisionsAs(ALICE)
  const told: string[] = []
  let file: PoliciesRead = { policies, problem: null }
  const bugs: unknown[] = []
  const asker = { agent: 'outside', program: 'p', version: '1', model: '' }
  return {
    clock,
    desk,
    told,
    bugs,
    write: (read: PoliciesRead) => {
      file = read
    },
    host: (): Policies =>
      createPolicies({
        journal,
        decisionsAs,
        read: async () => file,
        now: () => clock.now(),
        note: (text) => told.push(text),
        onBug: (error) => bugs.push(error),
      }),
    ask: async (more: object = {}): Promise<string> => {
      const payload = { ...EXAMPLE_DECISION, ...more }
      const made = await desk.create({ payload, asker, door: 'mcp', resume: null, repo: '' })
      if ('problem' in made) throw new Error(made.problem)
      return made.id
    },
    /** A run that stands at its question; the id of that. */
    run: async (): Promise<string> => {
      await begin('r1')
      const page = await desk.list({ status: 'pending', cursor: null, limit: 1 })
      return 'rows' in page ? page.rows[0]!.id : page.problem
    },
    record: async (id: string): Promise<DecisionRecord> => {
      const found = await desk.show(id)
      if ('problem' in found) throw new Error(found.problem)
      return found
    },
    answer: (id: string, pick: string) =>
      desk.answer(id, { pick, note: '', fields: {}, edited: null, digest: null, together: false }),
  }
}

/** The answer by a policy, which comes by itself. */
async function answeredBy(record: () => Promise<DecisionRecord>): Promise<DecisionRecord> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const found = await record()
    if (found.status !== 'open') return found
    if (Date.now() > deadline) throw new Error(`nobody answered ${found.id}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const BY = { kind: 'policy', name: 'one-file' } as const

describe('[Y5] a policy at work', () => {
  it('answers a decision as it opens, in its own name and with its note', async () => {
    const inbox = openInbox(policy())
    const policies = inbox.host()
    const id = await inbox.ask()
    expect(await answeredBy(() => inbox.record(id))).toMatchObject({
      status: 'answered',
      by: BY,
      pick: 'sqlite',
      note: 'We stay with one file.',
    })
    await policies.close()
    expect([inbox.told, inbox.bugs]).toEqual([[], []])
  })

  it("answers a step's question, and the run goes on", async () => {
    const inbox = openInbox(policy({ when: { step: 'sign_off' }, answer: 'recommended' }))
    const policies = inbox.host()
    const id = await inbox.run()
    expect(await answeredBy(() => inbox.record(id))).toMatchObject({ by: BY, pick: 'keep' })
    await policies.close()
  })

  it('answers at the start what was left open, and what is snoozed', async () => {
    const inbox = openInbox(policy())
    const [one, other] = [await inbox.ask(), await inbox.ask()]
    await inbox.desk.snooze(other, 50_000)
    const policies = inbox.host()
    await policies.start()
    expect([(await inbox.record(one)).by, (await inbox.record(other)).by]).toEqual([BY, BY])
    await policies.close()
  })

  it.each([
    ['what is beyond its scope', {}, { headline: 'Something else?' }],
    ['what it is too late for', { expiresAt: 1000 }, {}],
    [
      'what cannot be undone',
      {},
      {
        options: [
          { key: 'sqlite', label: 'SQLite', reversible: false },
          { key: 'redis', label: 'Redis' },
        ],
      },
    ],
    [
      'what is dangerous, whatever the agent says of it',
      {},
      {
        options: [
          { key: 'sqlite', label: 'Drop the table', reversible: true },
          { key: 'redis', label: 'R' },
        ],
      },
    ],
  ])('leaves to people %s', async (_what, more, asked) => {
    const inbox = openInbox(policy(more))
    const policies = inbox.host()
    const id = await inbox.ask(asked)
    await policies.start()
    expect((await inbox.record(id)).status).toBe('open')
    await policies.close()
    expect(inbox.told).toEqual([])
  })

  it('leaves an irreversible option of a runbook to people', async () => {
    const inbox = openInbox(policy({ when: { step: 'sign_off' }, answer: 'drop' }))
    const policies = inbox.host()
    const id = await inbox.run()
    await policies.start()
    expect((await inbox.record(id)).status).toBe('open')
    await policies.close()
  })

  it('does not give an answer again that a person took back, not even after a restart', async () => {
    const inbox = openInbox(policy())
    const policies = inbox.host()
    const id = await inbox.ask()
    await answeredBy(() => inbox.record(id))
    await inbox.desk.undo(id)
    await policies.close()
    const next = inbox.host()
    await next.start()
    expect((await inbox.record(id)).status).toBe('open')
    await next.close()
    expect(await inbox.answer(id, 'redis')).toMatchObject({ answered: [id] })
  })

  it('lets a person who was first have their word', async () => {
    const inbox = openInbox(policy())
    const id = await inbox.ask()
    await inbox.answer(id, 'redis')
    const policies = inbox.host()
    await policies.start()
    expect(await inbox.record(id)).toMatchObject({ by: ALICE, pick: 'redis' })
    await policies.close()
  })
})

describe('the file', () => {
  it('counts as it is when a decision opens', async () => {
    const inbox = openInbox()
    const policies = inbox.host()
    const before = await inbox.ask()
    await policies.start()
    inbox.write({ policies: [policy()], problem: null })
    const after = await inbox.ask()
    expect((await answeredBy(() => inbox.record(after))).by).toEqual(BY)
    expect((await inbox.record(before)).status).toBe('open')
    await policies.close()
  })

  it('[Y4] is not applied while it is broken, which is told once until it changes', async () => {
    const inbox = openInbox()
    inbox.write({ policies: [policy()], problem: 'line 3 is wrong' })
    const policies = inbox.host()
    const ids = [await inbox.ask(), await inbox.ask()]
    await policies.start()
    expect(inbox.told).toEqual(['No policy is applied: line 3 is wrong'])
    for (const id of ids) expect((await inbox.record(id)).status).toBe('open')
    inbox.write({ policies: [], problem: 'line 4 is wrong' })
    await inbox.ask()
    await policies.start()
    expect(inbox.told).toHaveLength(2)
    await policies.close()
  })
})

it('after its end nothing is answered any more', async () => {
  const inbox = openInbox(policy())
  const policies = inbox.host()
  await policies.close()
  const id = await inbox.ask()
  await policies.start()
  expect((await inbox.record(id)).status).toBe('open')
})
