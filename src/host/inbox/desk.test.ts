import { describe, expect, it, onTestFinished } from 'vitest'
import { createMemoryJournal, type Journal } from '../../journal/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import type { DecisionQuery, Decisions, PersonAnswer } from './decisions.ts'
import type { DeskNeeds } from './desk.ts'
import { createDesk } from './desk.ts'
import { createStandalones, type Standalones } from './standalones.ts'

const asker = { agent: 'claude', program: 'claude-code', version: '2', model: '' }
const WORDLESS: Omit<PersonAnswer, 'pick'> = {
  note: '',
  fields: {},
  edited: null,
  digest: null,
  together: false,
}
const pick = (key: string, over: Partial<PersonAnswer> = {}): PersonAnswer => ({
  ...WORDLESS,
  pick: key,
  ...over,
})
const PENDING: DecisionQuery = { status: 'pending', cursor: null, limit: 50 }

function office(
  journal: Journal = createMemoryJournal(),
  standalones: Standalones = createStandalones(journal),
) {
  const clock = createManualClock(1_000_000)
  // Of a host's tools the desk of outside decisions needs only these.
  const closing = new AbortController().signal
  const tools = { journal, clock, closing, standalones } as unknown as DeskNeeds
  onTestFinished(() => journal.close())
  const deskOf = (name: string): Decisions => createDesk({ tools, by: { kind: 'person', name } })
  const desk = deskOf('alice')
  return {
    clock,
    desk,
    deskOf,
    raise: async (over: object = {}): Promise<string> => {
      const made = await desk.create({
        payload: { ...EXAMPLE_DECISION, ...over },
        asker,
        door: 'mcp',
        resume: null,
        repo: '/repo',
      })
      if ('problem' in made) throw new Error(made.problem)
      return made.id
    },
    ids: async (query: Partial<DecisionQuery> = {}): Promise<string[]> => {
      const page = await desk.list({ ...PENDING, ...query })
      if ('problem' in page) throw new Error(page.problem)
      return page.rows.map(({ id }) => id)
    },
  }
}

describe('the desk', () => {
  it('[Q16] takes a decision from outside, lists it, and closes it with the answer', async () => {
    const { desk, raise, ids } = office()
    const id = await raise()
    expect(await ids()).toEqual([id])
    expect(await desk.find(id.slice(0, 4))).toEqual({ id })
    expect(await desk.answer(id, pick('redis', { note: 'Go' }))).toMatchObject({ answered: [id] })
    expect(await ids()).toEqual([])
    expect(await ids({ status: 'closed' })).toEqual([id])
    expect(await desk.show(id)).toMatchObject({
      status: 'answered',
      by: { kind: 'person', name: 'alice' },
      note: 'Go',
    })
  })

  it('[Q5] rejects a wrong one with the contract, what was given and an example', async () => {
    const { desk } = office()
    const order = { asker, door: 'http', resume: null, repo: '' } as const
    const made = await desk.create({ ...order, payload: { headline: 'x'.repeat(81) } })
    expect(made).toMatchObject({ code: 'invalid-decision' })
    const { problem } = made as { problem: string }
    expect(problem).toContain('`headline` may have 80 characters and has 81.')
    expect(problem).toContain('What you gave')
    expect(problem).toContain(EXAMPLE_DECISION.headline)
  })

  it('[Q16] keeps an answer that comes before the wait, and ends a wait with one that comes during it', async () => {
    const { desk, raise, clock } = office()
    const early = await raise()
    await desk.answer(early, pick('redis'))
    expect(await desk.wait(early, 0)).toMatchObject({ answered: expect.stringContaining('Picked: redis') })
    expect(await desk.show(early)).toMatchObject({ status: 'delivered' })

    const late = await raise()
    const waiting = desk.wait(late, 30_000)
    await desk.answer(late, pick('sqlite'))
    expect(await waiting).toMatchObject({ answered: expect.stringContaining('Picked: sqlite') })

    const never = await raise()
    const vain = desk.wait(never, 30_000)
    await expect.poll(() => clock.alarms()).toBe(1)
    clock.advance(30_000)
    expect(await vain).toBeNull()
  })

  it('[Q11] takes an answer back until it was fetched', async () => {
    const { desk, raise, ids } = office()
    const id = await raise()
    await desk.answer(id, pick('redis'))
    expect(await desk.undo(id)).toEqual({ undone: [id], late: [], refused: [] })
    expect(await ids()).toEqual([id])
    await desk.answer(id, pick('sqlite'))
    await desk.wait(id, 0)
    expect(await desk.undo(id)).toMatchObject({ code: 'too-late' })
  })

  it('[Q11] gives whoever fetches it the answer that stands, and not one taken back at that moment', async () => {
    const journal = createMemoryJournal()
    const real = createStandalones(journal)
    let meanwhile: (() => Promise<void>) | null = null
    const { desk, raise } = office(journal, {
      ...real,
      execute: async (id, command, alongside) => {
        const act = command.type === 'decision.deliver' ? meanwhile : null
        if (act !== null) meanwhile = null
        await act?.()
        return real.execute(id, command, alongside)
      },
    })
    const id = await raise()
    await desk.answer(id, pick('redis'))
    meanwhile = async () => {
      await desk.undo(id)
      await desk.answer(id, pick('sqlite'))
    }
    expect(await desk.wait(id, 0)).toMatchObject({ answered: expect.stringContaining('Picked: sqlite') })
    expect(await desk.show(id)).toMatchObject({ status: 'delivered', pick: 'sqlite' })
  })

  it('[Q17] answers what asks the same with one stroke, and undoes it with one', async () => {
    const { desk, raise, ids } = office()
    const same = [await raise(), await raise(), await raise()]
    const other = await raise({ question: 'Where else?' })
    const page = await desk.list(PENDING)
    const sizes = 'rows' in page ? page.rows.map(({ id, group }) => [id, group] as const) : []
    expect(new Map(sizes)).toEqual(new Map([...same.map((id) => [id, 3] as const), [other, 1] as const]))
    const done = await desk.answer(same[0]!, pick('redis', { together: true }))
    expect('answered' in done && [...done.answered].sort()).toEqual([...same].sort())
    expect(await ids()).toEqual([other])
    await desk.wait(same[1]!, 0)
    const undone = await desk.undo(same[2]!)
    expect(undone).toMatchObject({ late: [same[1]] })
    expect((await ids()).sort()).toEqual([same[0]!, same[2]!, other].sort())
  })

  it('[Q13] refuses an answer to something else than what was seen', async () => {
    const { desk, raise } = office()
    const id = await raise()
    const shown = await desk.show(id)
    if ('problem' in shown) throw new Error(shown.problem)
    expect(await desk.answer(id, pick('redis', { digest: 'of another' }))).toMatchObject({
      code: 'superseded',
    })
    expect(await desk.answer(id, pick('redis', { digest: shown.digest }))).toMatchObject({ answered: [id] })
  })

  it('[Q12] puts a new one in the place of an old one, once it is known to be valid', async () => {
    const { desk, raise, ids } = office()
    const old = await raise()
    const order = { asker, door: 'mcp', resume: null, repo: '' } as const
    expect(await desk.create({ ...order, payload: { headline: 'Bad', supersedes: old } })).toMatchObject({
      code: 'invalid-decision',
    })
    expect(await ids()).toEqual([old])
    const next = await raise({ headline: 'Better asked', supersedes: old })
    expect(await ids()).toEqual([next])
    expect(await desk.show(old)).toMatchObject({ status: 'superseded', supersededBy: next })
    expect(await desk.show(next)).toMatchObject({ supersedes: old })
    const late = await desk.create({ ...order, payload: { ...EXAMPLE_DECISION, supersedes: old } })
    expect(late).toMatchObject({
      code: 'not-waiting',
      problem: expect.stringContaining('is superseded already'),
    })
    expect(
      await desk.create({ ...order, payload: { ...EXAMPLE_DECISION, supersedes: 'zzz' } }),
    ).toMatchObject({
      code: 'invalid-decision',
    })
  })

  it('[Q18] lists by what waiting costs, and leaves out what sleeps', async () => {
    const { desk, raise, ids, clock } = office()
    const low = await raise({ urgency: 'low' })
    clock.advance(60_000)
    const normal = await raise()
    clock.advance(60_000)
    const soon = await raise({ deadline: '10m' })
    const high = await raise({ urgency: 'high', question: 'Now?' })
    expect(await ids()).toEqual([soon, high, normal, low])
    await desk.snooze(soon, clock.now() + 300_000)
    expect(await ids()).toEqual([high, normal, low])
    expect(await ids({ snoozed: true })).toHaveLength(4)
    clock.advance(300_001)
    expect(await ids()).toHaveLength(4)
    await desk.assign(normal, 'maria')
    expect(await ids({ assignee: 'maria' })).toEqual([normal])
  })

  it('[Q18] gives pages that neither skip nor repeat, also while things change', async () => {
    const { desk, raise } = office()
    const all = new Set<string>()
    for (let n = 0; n < 23; n++) all.add(await raise({ question: `Number ${n}?` }))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await desk.list({ ...PENDING, cursor, limit: 5 })
      if ('problem' in page) throw new Error(page.problem)
      seen.push(...page.rows.map(({ id }) => id))
      // Answered while somebody reads: nothing else moves.
      await desk.answer(page.rows[0]!.id, pick('redis'))
      cursor = page.next
    } while (cursor !== null)
    expect(new Set(seen)).toEqual(all)
    expect(seen).toHaveLength(23)
    expect(await desk.list({ ...PENDING, cursor: 'nonsense' })).toMatchObject({ code: 'bad-cursor' })
  })

  it('[Q3] has one winner among many, and tells the others who it was', async () => {
    const { deskOf, raise } = office()
    const id = await raise()
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        deskOf(`p${n}`).answer(id, pick(n % 2 === 0 ? 'redis' : 'sqlite')),
      ),
    )
    const won = results.flatMap((result, n) => ('answered' in result ? [n] : []))
    expect(won).toHaveLength(1)
    for (const [n, result] of results.entries())
      if (n !== won[0])
        expect(result).toMatchObject({
          code: 'already-answered',
          problem: expect.stringContaining(`p${won[0]} already answered this with`),
        })
  })

  it('says what it does not know', async () => {
    const { desk } = office()
    expect(await desk.show('nothing')).toMatchObject({ code: 'unknown-decision' })
    expect(await desk.find('')).toMatchObject({ code: 'unknown-decision' })
    expect(await desk.answer('nothing', pick('a'))).toMatchObject({ code: 'unknown-decision' })
  })
})
