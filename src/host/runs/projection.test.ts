import { describe, expect, it } from 'vitest'
import { given, type Scene } from '../../engine/given.fixture.ts'
import { EMPTY_BOOK } from '../../engine/index.ts'
import { ALIKE, DECISIONS } from '../inbox/rows.ts'
import { advance, type LoadedRun } from './loaded-run.ts'
import { RUNS, rowsOf } from './projection.ts'
import { placedFact } from './runs.fixture.ts'

const FLOW = `
name: flow
steps:
  work: { agent: dev, prompt: Do it., next: sign_off }
  sign_off:
    decide: "Ship \${run.branch}?"
    options: { ship: { to: done }, fix: { to: work, max: 1, then: abandoned } }
    deadline: { expire: 2d }
    on: { expired: abandoned }
`

const loaded = ({ program, state, journal }: Scene, placed = placedFact()): LoadedRun => {
  const [started, ...events] = journal
  return advance(program, null, { state, events: [started!, placed, ...events] })
}

describe('the rows of a run', () => {
  it('say where it is, listed by when it began', () => {
    const scene = given(FLOW).started()
    const [row, ...others] = rowsOf(loaded(scene), EMPTY_BOOK)
    expect(others).toEqual([])
    expect(row).toMatchObject({ model: RUNS, key: 'r1', facet: 'open', rank: 0 })
    expect(row!.data).toMatchObject({
      run: 'r1',
      name: 'flow',
      status: 'working',
      step: 'work',
      repo: '/nowhere/repo',
      branch: 'signalbox/flow-r1',
      issue: null,
      waiting: 0,
      startedAt: 0,
    })
  })

  it('list a question while it is open, and keep it among the closed ones when it is not', () => {
    const scene = given(FLOW).started().answerNothing('work')
    const waiting = loaded(scene)
    const [run, question, alike] = rowsOf(waiting, EMPTY_BOOK)
    expect(run!.data).toMatchObject({ status: 'waiting', waiting: 1 })
    expect(question).toMatchObject({ model: DECISIONS, facet: 'pending' })
    const { key } = question!
    expect(question!.data).toMatchObject({
      id: key,
      run: 'r1',
      question: scene.open[0],
      step: 'sign_off',
      headline: 'Ship signalbox/flow-r1?',
      expiresAt: 172_800_000,
      status: 'open',
      closedAt: null,
      options: [{ key: 'ship' }, { key: 'fix' }],
    })
    expect(alike).toMatchObject({ model: ALIKE, key, data: { id: key } })

    scene.person({ decision: 'fix' })
    const [, closed, gone, ...more] = rowsOf(loaded(scene), waiting.book)
    expect(closed).toMatchObject({ key, facet: 'closed', data: { status: 'answered', pick: 'fix' } })
    expect(gone).toMatchObject({ model: ALIKE, key, data: null })
    expect(more).toEqual([])
  })

  it('of its decisions are only those that have changed', () => {
    const scene = given(FLOW).started().answerNothing('work')
    const before = loaded(scene)
    scene.person({ decision: 'fix' })
    const after = loaded(scene)
    expect(rowsOf(after, after.book)).toHaveLength(1)
    expect(rowsOf(after, before.book)).toHaveLength(3)
  })

  it('say how it ended', () => {
    const scene = given(FLOW).started().answerNothing('work').person({ decision: 'ship' })
    const [run] = rowsOf(loaded(scene), EMPTY_BOOK)
    expect(run).toMatchObject({ facet: 'ended' })
    expect(run!.data).toMatchObject({ status: 'ended', end: 'done', success: true, waiting: 0 })
  })

  it('carry the issue by number and title only, and that it was discarded', () => {
    const scene = given(FLOW).started().cancel()
    const issue = { id: '7', title: 'Broken', status: '', parent: '', labels: '', body: 'long', path: '' }
    scene.record({ type: 'run.discarded', at: 1, by: { kind: 'person', name: 'alice' } })
    const [run] = rowsOf(loaded(scene, placedFact({ issue })), EMPTY_BOOK)
    expect(run!.data).toMatchObject({ issue: { id: '7', title: 'Broken' }, discarded: true })
    expect(JSON.stringify(run)).not.toContain('long')
  })
})
