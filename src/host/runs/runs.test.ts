import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compiledRunbook } from '../../../test/runbooks.fixture.ts'
import { duties } from '../../engine/index.ts'
import { createMemoryJournal, type Journal, KeptBytesError, type Row } from '../../journal/index.ts'
import type { RunCommand } from '../../model/command.ts'
import type { RunEvent } from '../../model/event.ts'
import type { Program } from '../../model/program.ts'
import { movesOf } from '../../rehearsal/moves.ts'
import { ALIKE, DECISIONS } from '../inbox/rows.ts'
import { lastAtWork } from '../session/working-time.ts'
import { foldRun } from './loaded-run.ts'
import { RUNS } from './projection.ts'
import { projectWith, renewOldRows } from './rebuild.ts'
import { ALICE, keepRuns, loadedOf, programOf, startOf } from './runs.fixture.ts'
import { createRuns, runOf, streamOf } from './runs.ts'

const FLOW = programOf(`
  name: flow
  budgets: { rework: 5 }
  steps:
    work: { agent: dev, prompt: Do it., next: sign_off }
    sign_off: { decide: Ship?, options: { ship: done, fix: { to: work, spend: rework, then: abandoned } } }
`)

const answer: RunCommand = {
  type: 'attempt.answer',
  at: 1,
  step: 'work',
  visit: 1,
  member: 0,
  attempt: 1,
  given: { kind: 'nothing' },
}
const extend = (amount: number, at = 1): RunCommand => ({
  type: 'run.extend',
  at,
  by: ALICE,
  budget: 'rework',
  amount,
  reason: '',
})
const cancel: RunCommand = { type: 'run.cancel', at: 1, by: ALICE, reason: '' }
const sign = (decision: string, question: string): RunCommand => ({
  type: 'question.answer',
  at: 2,
  question,
  by: ALICE,
  extra: null,
  given: { kind: 'value', value: { decision } },
  note: '',
})

const typesIn = async (journal: Journal, run: string): Promise<string[]> =>
  (await journal.read(streamOf(run), 0)).map(({ type }) => type)
const claimOne = async (journal: Journal, now = 0) => {
  const [claim] = await journal.claim({ limit: 1, now, leaseMs: 1000, kinds: null })
  return claim!
}

describe('a run in the journal', () => {
  it('is begun with its place, its row and the tickets of its duties', async () => {
    const { journal, begin } = keepRuns(FLOW)
    const loaded = await begin('r1')
    expect(await typesIn(journal, 'r1')).toEqual(['run.started', 'run.placed', 'visit.entered'])
    expect((await journal.ticketsOf('run/r1')).map(({ id }) => id)).toEqual(
      duties(FLOW, loaded.state).map(({ id }) => id),
    )
    expect(await journal.count(RUNS, 'open')).toBe(1)
    expect(runOf(streamOf('r1'))).toBe('r1')
  })

  it('cannot be begun twice, and needs a place', async () => {
    const { runs, begin } = keepRuns(FLOW)
    await begin('r1')
    expect(await runs.begin({ program: FLOW, start: startOf('r1') })).toMatchObject({
      refusal: { code: 'already-started' },
    })
    await expect(runs.begin({ program: FLOW, start: startOf('r2', []) })).rejects.toThrow('no place')
  })

  it('that nobody began is nothing, and is told nothing', async () => {
    const { runs, journal } = keepRuns(FLOW)
    expect(await runs.load('r9')).toBeNull()
    expect(await runs.execute('r9', [cancel])).toMatchObject({ refusal: { code: 'not-started' } })
    expect(await journal.readAll(0, 10)).toEqual([])
  })

  it('takes commands that come at once in their order', async () => {
    const { journal, runs, begin } = keepRuns(FLOW)
    await begin('r1')
    const told = await Promise.all(
      Array.from({ length: 20 }, (_, index) => runs.execute('r1', [extend(index + 1)])),
    )
    expect(told.every((one) => 'loaded' in one)).toBe(true)
    const amounts = (await journal.read('run/r1', 3)).map(({ data }) => (data as { amount: number }).amount)
    expect(amounts).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('[Q3] is judged again when another writer came in between', async () => {
    const journal = createMemoryJournal()
    const [one, other] = [keepRuns(FLOW, journal), createRuns(journal)]
    await one.begin('r1')
    await one.runs.load('r1')
    loadedOf(await other.execute('r1', [answer]))
    const question = (await other.load('r1'))!.state.current!.question!.id
    // The first writer has not seen the question it answers now.
    loadedOf(await one.runs.execute('r1', [sign('ship', question)]))
    expect(await other.execute('r1', [sign('fix', question)])).toMatchObject({
      refusal: { code: expect.any(String) },
    })
    expect((await other.load('r1'))!.state.end).toBe('done')
    expect((await typesIn(journal, 'r1')).filter((type) => type === 'question.answered')).toHaveLength(1)
    expect((await journal.verify()).length).toBe(0)
  })

  it('[J1] is written to by several at once, each after the other', async () => {
    const journal = createMemoryJournal()
    const writers = [keepRuns(FLOW, journal).runs, createRuns(journal), createRuns(journal)]
    await keepRuns(FLOW, journal).begin('r1')
    const told = await Promise.all(
      Array.from({ length: 30 }, (_, index) => writers[index % 3]!.execute('r1', [extend(1)])),
    )
    expect(told.every((one) => 'loaded' in one)).toBe(true)
    expect(await typesIn(journal, 'r1')).toHaveLength(33)
    expect((await createRuns(journal).load('r1'))!.state.budgets['rework']).toBe(35)
  })

  it('[J3] is not changed by a worker that lost its claim', async () => {
    const { journal, runs, begin } = keepRuns(FLOW)
    await begin('r1')
    const late = await claimOne(journal)
    const holder = await claimOne(journal, 5000)
    expect(holder.ticket.id).toBe(late.ticket.id)
    const before = await journal.readAll(0, 100)
    expect(await runs.execute('r1', [answer], { settle: late })).toEqual({ lost: true })
    expect(await journal.readAll(0, 100)).toEqual(before)
    loadedOf(await runs.execute('r1', [answer], { settle: holder }))
    expect(await journal.ticketsOf('run/r1')).toEqual([])
  })

  it('settles a claim with its result, and keeps the ticket where the duty stays', async () => {
    const { journal, runs, begin } = keepRuns(FLOW)
    await begin('r1')
    const claim = await claimOne(journal)
    loadedOf(await runs.execute('r1', [extend(1)]))
    expect((await journal.ticketsOf('run/r1')).map(({ id }) => id)).toEqual([claim.ticket.id])
    loadedOf(await runs.execute('r1', [answer], { settle: claim }))
    expect(await runs.execute('r1', [cancel], { settle: claim })).toEqual({ lost: true })
  })

  it('[E1] takes all commands or none, and a refused one writes nothing', async () => {
    const { journal, runs, begin } = keepRuns(FLOW)
    const loaded = await begin('r1')
    const claim = await claimOne(journal)
    const before = await journal.readAll(0, 100)
    const bad: RunCommand = { ...answer, visit: 7 }
    expect(await runs.execute('r1', [extend(1), answer, bad], { settle: claim })).toMatchObject({
      refusal: { code: 'stale' },
    })
    expect(await journal.readAll(0, 100)).toEqual(before)
    expect((await runs.load('r1'))!.state).toEqual(loaded.state)
    loadedOf(await runs.execute('r1', [extend(1), answer], { settle: claim }))
  })

  it('remembers what its facts say, folded or lived', async () => {
    const { journal, runs, begin } = keepRuns(FLOW)
    await begin('r1')
    const place = { at: 3, step: 'work', visit: 1 }
    const facts = [
      { type: 'work.committed', ...place, commit: 'c1', diffstat: '' },
      { type: 'artifact.kept', ...place, name: 'plan.md', digest: 'd1', bytes: 2 },
      { type: 'artifact.kept', ...place, name: 'plan.md', digest: 'd2', bytes: 2 },
    ] as const
    loadedOf(await runs.execute('r1', [{ type: 'run.record', at: 3, facts }]))
    loadedOf(await runs.execute('r1', [{ ...cancel, at: 4 }]))
    const discarded = { type: 'run.discarded', at: 5, by: ALICE } as const
    const lived = loadedOf(await runs.execute('r1', [{ type: 'run.record', at: 5, facts: [discarded] }]))
    expect(lived).toMatchObject({
      commit: 'c1',
      artifacts: { 'plan.md': 'd2' },
      changedAt: 5,
      success: false,
      discarded: true,
    })
    expect(await createRuns(journal).load('r1')).toEqual(lived)
  })

  it('[A10] knows when an agent was last at work, whatever people did since', async () => {
    const { runs, begin } = keepRuns(FLOW)
    await begin('r1')
    const { given: _, ...at } = { ...(answer as Extract<RunCommand, { type: 'attempt.answer' }>) }
    await runs.execute('r1', [{ ...at, type: 'attempt.begin', at: 10, session: 's' }])
    const loaded = loadedOf(await runs.execute('r1', [extend(1, 50)]))
    expect([loaded.changedAt, loaded.active]).toEqual([50, { 0: 10 }])
    const under = (upSince: number) => lastAtWork({ upSince }, loaded, { member: 0, runningSince: 5 })
    expect([under(100), under(8), under(5)]).toEqual([10, 8, 5])
  })

  it('[K2] is told once of a commit that two found at the same moment', async () => {
    const { journal, runs, begin } = keepRuns(FLOW)
    await begin('r1')
    const at = 1
    const found = (commit: string): RunCommand => ({
      type: 'run.record',
      at,
      facts: [
        { type: 'artifact.kept', at, step: 'work', visit: 1, name: 'plan.md', digest: 'd', bytes: 1 },
        { type: 'work.committed', at, step: 'work', visit: 1, commit, diffstat: '' },
      ],
    })
    await Promise.all([runs.execute('r1', [found('c1')]), runs.execute('r1', [found('c1')])])
    loadedOf(await runs.execute('r1', [found('c2')]))
    const told = (await journal.read('run/r1', 0)).map(({ data }) => data as RunEvent)
    expect(told.flatMap((event) => (event.type === 'work.committed' ? [event.commit] : []))).toEqual([
      'c1',
      'c2',
    ])
    expect(told.filter(({ type }) => type === 'artifact.kept')).toHaveLength(1)
  })

  it('is the same after it was put out of the cache', async () => {
    const { runs, begin } = keepRuns(FLOW)
    const first = await begin('r0')
    for (let index = 1; index <= 520; index++) await begin(`r${index}`)
    expect(await runs.load('r0')).toEqual(first)
    loadedOf(await runs.execute('r0', [answer]))
  })

  it('[E2] [J6] folds from the journal to what was lived, and its rows are made again alike', async () => {
    const picks = fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(compiledRunbook, picks, async (program, numbers) => {
        const { journal, runs, begin } = keepRuns(program)
        let lived = await begin('r1')
        let now = 0
        for (const number of numbers) {
          const moves = movesOf(program, lived.state, now)
          const move = moves[number % moves.length]
          if (move === undefined) break
          lived = loadedOf(await runs.execute('r1', move.commands))
          now = move.at
        }
        const folded = await foldRun(await journal.read('run/r1', 0), async () => program)
        expect({ ...folded, program: null }).toEqual({ ...lived, program: null })
        expect((await journal.ticketsOf('run/r1')).map(({ id }) => id)).toEqual(
          duties(program, lived.state)
            .map(({ id }) => id)
            .sort(),
        )
        const written = await allRows(journal)
        await journal.rebuild(projectWith(programsOf(journal)))
        expect(await allRows(journal)).toEqual(written)
      }),
      { numRuns: 80 },
    )
  })

  it('[J6] rows that an older Signalbox wrote are made anew, once', async () => {
    const { journal, begin } = keepRuns(FLOW)
    await begin('r1')
    const written = await allRows(journal)
    expect(await renewOldRows(journal)).toBeNull()
    const [row] = written.filter(({ model }) => model === RUNS)
    const { waitsForDay: _waits, counters: _counters, ...old } = row!.data as Record<string, unknown>
    const nothing = { expected: 0, events: [], tickets: [], retire: [], settle: null }
    await journal.append({ ...nothing, stream: 'older', rows: [{ ...row!, data: old }] })
    expect(await journal.rowsUnlike(projectWith(programsOf(journal)))).toMatchObject({
      differences: [{ how: 'changed' }],
    })
    expect((await renewOldRows(journal))?.streams).toBeGreaterThan(0)
    expect(await allRows(journal)).toEqual(written)
    expect(await renewOldRows(journal)).toBeNull()
  })

  it('[J9] rows of a run that cannot be read do not have all made anew at every start', async () => {
    const { journal, begin } = keepRuns(FLOW)
    await begin('r1')
    const [row] = (await allRows(journal)).filter(({ model }) => model === RUNS)
    const { waitsForDay: _waits, ...old } = row!.data as Record<string, unknown>
    const nothing = { expected: 0, events: [], tickets: [], retire: [], settle: null }
    await journal.append({ ...nothing, stream: 'older', rows: [{ ...row!, data: old }] })
    const changed = {
      ...journal,
      fetch: async (digest: string): Promise<never> => {
        throw new KeptBytesError(digest)
      },
    }
    expect(await renewOldRows(changed)).toBeNull()
  })

  it('has no rows where a stream is not a run', async () => {
    expect(await projectWith(async () => FLOW)('other/1', [])).toEqual([])
    expect(await projectWith(async () => FLOW)('run/r1', [])).toEqual([])
  })

  it('cannot be folded without its program', async () => {
    const journal = createMemoryJournal()
    loadedOf(await createRuns(journal).begin({ program: FLOW, start: startOf('r1') }))
    await expect(createRuns(journal).load('r1')).rejects.toThrow(/program [0-9a-f]{12}… is not/)
  })

  it('[J9] is not folded with another program than its own', async () => {
    const journal = createMemoryJournal()
    const fetch = async (digest: string): Promise<never> => {
      throw new KeptBytesError(digest)
    }
    loadedOf(await createRuns(journal).begin({ program: FLOW, start: startOf('r1') }))
    await expect(createRuns({ ...journal, fetch }).load('r1')).rejects.toThrow(
      /program [0-9a-f]{12}… was changed .* so they do not go on/,
    )
  })
})

const programsOf =
  (journal: Journal) =>
  async (digest: string): Promise<Program> =>
    JSON.parse(new TextDecoder().decode((await journal.fetch(digest))!)) as Program

async function allRows(journal: Journal): Promise<Row[]> {
  const of = (model: string) => journal.list({ model, facet: null, before: null, limit: 100 })
  return [...(await of(RUNS)), ...(await of(DECISIONS)), ...(await of(ALIKE))]
}
