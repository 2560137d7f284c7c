import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import type { RunEvent } from '../model/event.ts'
import { given, ms, type Scene } from './given.fixture.ts'

const flow = (checkIn = 'true', more = '') => `
  ${more}
  templates: { handover: { prompt_hint: Say what is left., required_context: [done, left] } }
  steps:
    build: { agent: dev, check_in: ${checkIn}, questions: 5, options: { ready: done, stuck: abandoned } }
`
const ready = { decision: 'ready' }

describe('a check-in', () => {
  it('[A8] holds a valid answer back, and says what to offer and what to do when there is nothing', () => {
    const run = given(flow('{ template: handover, cool_down: 30m }'))
      .started()
      .begin('build')
      .answer('build', ready)
    expect(run.happened).toEqual(['signal.held'])
    expect(run.event('signal.held').message).toBe(
      [
        'Before you finish, offer a person a decision of the kind "handover".',
        'Say what is left.',
        'It must say: done, left.',
        'If there is nothing to decide, give your answer again. A question counts for 30m.',
      ].join('\n'),
    )
    expect(run.member()).toMatchObject({
      status: 'working',
      attempt: 2,
      holds: 1,
      answer: null,
      session: 'session-1',
    })
  })

  it('[A8] holds back once unless it says more, and then the same answer goes through', () => {
    const run = given(flow()).started().answer('build', ready)
    expect(run.answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] never holds back after `blocks` times in a visit, however much time goes by', () => {
    const run = given(flow('{ blocks: 2, cool_down: 10m }')).started()
    expect(run.answer('build', ready).happened).toEqual(['signal.held'])
    expect(run.later('10m').answer('build', ready).happened).toEqual(['signal.held'])
    expect(run.later('2d').answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] never holds back within the cool-down of a hold', () => {
    const run = given(flow('{ blocks: 5, cool_down: 10m }')).started().answer('build', ready)
    expect(run.later('9m').answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] never holds back within the cool-down of a question', () => {
    const run = given(flow('{ cool_down: 10m }'))
      .started()
      .ask('build')
      .later('1h')
      .person({ pick: 'sqlite' })
    expect(run.later('9m').answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] never holds back within the cool-down of a question that is still open', () => {
    const run = given(flow('{ cool_down: 10m }')).started().ask('build').later('9m').answer('build', ready)
    expect(run.happened).toEqual(['question.closed', 'answer.given', 'visit.left', 'run.ended'])
  })

  it('[A8] never holds back while a question is open, however old it is', () => {
    const run = given(flow('{ cool_down: 10m }')).started().ask('build').later('2d').answer('build', ready)
    expect(run.happened).toEqual(['question.closed', 'answer.given', 'visit.left', 'run.ended'])
  })

  it('[A8] holds back again when the question is long ago', () => {
    const run = given(flow('{ cool_down: 10m }')).started().ask('build').person({ pick: 'sqlite' })
    expect(run.later('10m').answer('build', ready).happened).toEqual(['signal.held'])
  })

  it('[A8] never holds back after a usage limit', () => {
    const run = given(flow()).started().park('build', '1h').pass('1h')
    expect(run.answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] holds back again in the next visit', () => {
    const run = given(flow()).started().answer('build', ready).retry()
    expect(run.answer('build', ready).happened).toEqual(['signal.held'])
  })

  it('[A8] does not hold back a wrong answer, and nudges do not count as holds', () => {
    const run = given(flow()).started().answer('build', { decision: 'redy' })
    expect(run.happened).toEqual(['answer.refused'])
    expect(run.answer('build', ready).happened).toEqual(['signal.held'])
    expect(run.member()).toMatchObject({ holds: 1, nudges: 1 })
  })

  it('[A8] comes before the gate', () => {
    const run = given(flow('true, gate: npm test')).started()
    expect(run.answer('build', ready).happened).toEqual(['signal.held'])
    expect(run.answer('build', ready).member().status).toBe('gating')
  })

  it('[A8] holds a stop once: told of it again, it is a stop of the past and costs nothing', () => {
    const run = given(flow('{ blocks: 3, cool_down: 0s }')).started().answer('build', ready)
    expect(run.refuses.answer('build', ready, { attempt: 1 }).code).toBe('stale')
    expect(run.member()).toMatchObject({ attempt: 2, holds: 1 })
  })

  it('[A8] lets an agent go that dies while it is held', () => {
    const run = given(flow('{ blocks: 3, cool_down: 0s }, on: { failed: abandoned }')).started()
    expect(run.answer('build', ready).happened).toEqual(['signal.held'])
    expect(run.fault('build', 'failed').place).toBe('ended: abandoned')
  })

  it('[A8] lets an agent go that meets a usage limit while it is held', () => {
    const run = given(flow('{ blocks: 3, cool_down: 0s }')).started().answer('build', ready)
    expect(run.park('build', '1h').pass('1h').answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] holds each member of a panel by itself', () => {
    const run = given(`
      agents: { anna: { check_in: true }, ben: {} }
      steps: { review: { panel: [anna, ben], options: { ready: done, stuck: abandoned } } }
    `).started()
    expect(run.answer('review@ben', ready).happened).toEqual(['answer.given'])
    expect(run.answer('review@anna', ready).happened).toEqual(['signal.held'])
    expect(run.answer('review@anna', ready).place).toBe('ended: done')
  })

  it('[A8] is off in an unattended flow', () => {
    const run = given(flow('{ blocks: 3 }', 'unattended: true')).started()
    expect(run.answer('build', ready).place).toBe('ended: done')
  })

  it('[A8] is off in every flow that stands in an unattended one', () => {
    const parent =
      'unattended: true\nsteps: { part: { flow: child.yaml, options: { done: done, abandoned: abandoned } } }'
    const run = given(parent, { 'child.yaml': flow() }).started()
    expect(run.answer('part/build', ready).place).toBe('ended: done')
  })

  it('[A8] may stand with the agent and be turned off by a step', () => {
    const run = given(`
      agents: { dev: { check_in: true } }
      steps:
        plan: { agent: dev, check_in: false, next: build }
        build: { agent: dev, next: done }
    `).started()
    expect(run.answer('plan', {}).place).toBe('build#1')
    expect(run.answer('build', {}).happened).toEqual(['signal.held'])
  })
})

const DEEDS = {
  stop: (run: Scene) => run.tries.answer('build', ready),
  stopWrongly: (run: Scene) => run.tries.answer('build', { decision: 'redy' }),
  stopOfThePast: (run: Scene) => run.tries.answer('build', ready, { attempt: run.member().attempt - 1 }),
  ask: (run: Scene) => run.tries.ask('build'),
  askToExpire: (run: Scene) => run.tries.ask('build', { ...EXAMPLE_DECISION, deadline: '5m' }),
  person: (run: Scene) => run.tries.person({ pick: 'sqlite' }),
  usageLimit: (run: Scene) => run.tries.park('build', `${run.now / 1000 + 60}s`),
  die: (run: Scene) => run.tries.fault('build', 'failed'),
  retry: (run: Scene) => run.tries.retry(),
}
type Deed = { readonly kind: keyof typeof DEEDS } | { readonly minutes: number }

const someDeeds = fc.array(
  fc.oneof(
    // Most of what an agent does at a check-in is to stop, and time goes by.
    { weight: 4, arbitrary: fc.constant<Deed>({ kind: 'stop' }) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }).map((minutes): Deed => ({ minutes })) },
    { weight: 5, arbitrary: fc.constantFrom(...Object.keys(DEEDS)).map((kind) => ({ kind }) as Deed) },
  ),
  { maxLength: 40 },
)

function live(run: Scene, deeds: readonly Deed[]): Scene {
  for (const deed of deeds) {
    if (run.state.current === null) break
    if ('kind' in deed) DEEDS[deed.kind](run)
    else run.pass(`${deed.minutes}m`)
  }
  return run
}

/** What the record alone says of an agent, whatever the engine makes of it. */
interface Seen {
  readonly holds: number
  readonly metAt: number
  readonly isAsking: boolean
  readonly isLimited: boolean
}

/** Each hold, with what had been seen of the agent in that visit before. */
function holdsIn(journal: readonly RunEvent[]): { readonly at: number; readonly before: Seen }[] {
  const fresh = (): Seen => ({ holds: 0, metAt: Number.NEGATIVE_INFINITY, isAsking: false, isLimited: false })
  let seen = fresh()
  const holds = []
  for (const event of journal) {
    const { type, at } = event
    if (type === 'visit.entered') seen = fresh()
    if (type === 'signal.held') holds.push({ at, before: seen })
    if (type === 'signal.held') seen = { ...seen, holds: seen.holds + 1, metAt: at }
    if (type === 'attempt.parked') seen = { ...seen, isLimited: true }
    if (type === 'question.opened') seen = { ...seen, isAsking: true, metAt: at }
    if (type === 'question.answered') seen = { ...seen, isAsking: false, metAt: at }
    // Withdrawn by the very answer that is looked at: a person was being asked when the agent stopped.
    if (type === 'question.closed' && event.reason !== 'withdrawn') seen = { ...seen, isAsking: false }
  }
  return holds
}

describe('a check-in, whatever happens', () => {
  const someRun = fc.record({
    blocks: fc.integer({ min: 1, max: 3 }),
    coolDown: fc.constantFrom('0s', '5m', '20m'),
    deeds: someDeeds,
  })
  const begun = (blocks: number, coolDown: string, more = '') =>
    given(
      flow(
        `{ blocks: ${blocks}, cool_down: ${coolDown} }, nudges: 20, on: { failed: { to: retry, max: 3, then: abandoned } }`,
        more,
      ),
    ).started()

  it('[A8] holds at most `blocks` times a visit, nobody who met a person a moment ago, is asking or met a limit', () => {
    let total = 0
    fc.assert(
      fc.property(someRun, ({ blocks, coolDown, deeds }) => {
        for (const { at, before } of holdsIn(live(begun(blocks, coolDown), deeds).journal)) {
          total++
          expect(before.holds).toBeLessThan(blocks)
          expect(at - before.metAt).toBeGreaterThanOrEqual(ms(coolDown))
          expect(before).toMatchObject({ isAsking: false, isLimited: false })
        }
      }),
      { numRuns: 300 },
    )
    // Else it would say nothing.
    expect(total).toBeGreaterThan(100)
  })

  it('[A8] does hold whoever may be held: a first stop, and every later one outside of all that', () => {
    fc.assert(
      fc.property(someRun, ({ blocks, coolDown, deeds }) => {
        const run = live(begun(blocks, coolDown), deeds)
        if (run.state.current === null || run.pass('1h').open.length > 0) return
        const { holds, limited } = run.member()
        const isHeld = run.answer('build', ready).happened.includes('signal.held')
        expect(isHeld).toBe(holds < blocks && !limited)
      }),
      { numRuns: 200 },
    )
  })

  it('[A8] ends: whoever only stops again is through after `blocks` more stops', () => {
    fc.assert(
      fc.property(someRun, fc.nat(90), ({ blocks, coolDown, deeds }, minutes) => {
        const run = live(begun(blocks, coolDown), deeds)
        let stops = 0
        while (run.state.current !== null) {
          run.pass(`${minutes + 2}m`)
          if (run.state.current.question !== null) return
          run.answer('build', ready)
          expect(++stops).toBeLessThanOrEqual(blocks + 1)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('[A8] never holds anybody in a flow that nobody watches', () => {
    fc.assert(
      fc.property(someRun, ({ blocks, coolDown, deeds }) => {
        expect(holdsIn(live(begun(blocks, coolDown, 'unattended: true'), deeds).journal)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})
