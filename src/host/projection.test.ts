import { describe, expect, it } from 'vitest'
import { given, type Scene } from '../engine/given.fixture.ts'
import type { RunState } from '../engine/index.ts'
import { type Projected, QUESTIONS, RUNS, rowsOf } from './projection.ts'
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

const projected = ({ program, state }: Scene, over: Partial<Projected> = {}): Projected => ({
  program,
  digest: 'd'.repeat(64),
  state,
  placed: placedFact(),
  startedAt: 1000,
  changedAt: 2000,
  success: null,
  discarded: false,
  ...over,
})
const rows = (scene: Scene, before: RunState, over: Partial<Projected> = {}) =>
  rowsOf(projected(scene, over), before)

describe('the rows of a run', () => {
  it('say where it is, listed by when it began', () => {
    const scene = given(FLOW).started()
    const [row, ...others] = rows(scene, scene.state)
    expect(others).toEqual([])
    expect(row).toMatchObject({ model: RUNS, key: 'r1', facet: 'open', rank: 1000 })
    expect(row!.data).toMatchObject({
      run: 'r1',
      name: 'flow',
      status: 'working',
      step: 'work',
      repo: '/nowhere/repo',
      branch: 'signalbox/flow-r1',
      issue: null,
      waiting: 0,
      startedAt: 1000,
      changedAt: 2000,
    })
  })

  it('list a question while it is open, and take it away when it is not', () => {
    const scene = given(FLOW).started()
    const { state: working } = scene
    scene.answerNothing('work')
    const { state: waiting } = scene
    const [id] = scene.open
    const [run, question] = rows(scene, working)
    expect(run!.data).toMatchObject({ status: 'waiting', waiting: 1 })
    expect(question).toMatchObject({ model: QUESTIONS, key: `r1:${id}`, facet: 'open' })
    expect(question!.data).toMatchObject({
      run: 'r1',
      question: id,
      step: 'sign_off',
      expiresAt: 172_800_000,
    })
    expect((question!.data as { headline: string }).headline).toContain('Ship ')

    scene.person({ decision: 'fix' })
    const [, gone, ...more] = rows(scene, waiting)
    expect(gone).toMatchObject({ model: QUESTIONS, key: `r1:${id}`, data: null })
    expect(more).toEqual([])
  })

  it('say how it ended', () => {
    const scene = given(FLOW).started().answerNothing('work')
    const { state: waiting } = scene
    scene.person({ decision: 'ship' })
    const [run, gone] = rows(scene, waiting, { success: true })
    expect(run).toMatchObject({ facet: 'ended' })
    expect(run!.data).toMatchObject({ status: 'ended', end: 'done', success: true, waiting: 0 })
    expect(gone!.data).toBeNull()
  })

  it('carry the issue by number and title only, and that it was discarded', () => {
    const scene = given(FLOW).started().cancel()
    const issue = { id: '7', title: 'Broken', status: '', parent: '', labels: '', body: 'long', path: '' }
    const [run] = rows(scene, scene.state, { placed: placedFact({ issue }), discarded: true })
    expect(run!.data).toMatchObject({ issue: { id: '7', title: 'Broken' }, discarded: true })
    expect(JSON.stringify(run)).not.toContain('long')
  })
})
