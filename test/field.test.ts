/** Bugs that others shipped, one test each, so that none of them can be shipped here. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, given, ms, type Scene } from '../src/engine/given.fixture.ts'
import { briefOf } from '../src/engine/index.ts'
import { fencedBlock } from '../src/model/fence.ts'

describe('routing', () => {
  it('FIELD 1: a route that does not fit never hides the ones after it: every option and every row is reachable', () => {
    const all = ['a', 'b', 'c', 'd', 'e']
    const ends = `ends: { ${all.map((name) => `${name}: End ${name}`).join(', ')} }`
    const options = all.map((name) => `${name}: { to: ${name}, max: 1, then: abandoned }`).join(', ')
    const byOption = given(`${ends}\nsteps: { pick: { agent: dev, asks: first, options: { ${options} } } }`)
    const rows = all.map((name) => `{ if: { first: [${name}] }, to: ${name} }`).join(', ')
    const asks = `{ first: [${all.join(', ')}], second: [x, y] }`
    const byRow = given(`${ends}\nsteps: { pick: { agent: dev, asks: ${asks}, when: [${rows}] } }`)
    for (const flow of [byOption, byRow])
      expect(all.map((first) => flow.started().answer('pick', { first, second: 'y' }).state.end)).toEqual(all)
  })

  it('FIELD 2: feedback is there when the prompt of the next agent is made, at every prompt until it is answered', () => {
    const run = given(`
      steps:
        develop: { agent: dev, prompt: 'Mend: \${steps.review.feedback ?? "nothing"}', asks: state, options: { ready: review } }
        review: { agent: check, asks: verdict, options: { good: done, poor: { to: develop, max: 3, then: abandoned } }, fields: { feedback: text } }
    `).started()
    const told = (scene: Scene) => {
      const { task, prior } = briefOf(scene.program, scene.state, 0, () => undefined)
      return [task, prior === null ? undefined : fencedBlock(prior.left).split('\n')[2]]
    }
    expect(told(run)).toEqual(['Mend: nothing', undefined])
    run.answer('develop', { state: 'ready' }).answer('review', { verdict: 'poor', feedback: 'No tests' })
    for (const deed of [
      () => run.begin('develop'),
      () => run.answer('develop', { state: 'redy' }),
      () => run.ask('develop').person({ pick: 'sqlite' }),
      () => run.park('develop', '1h').pass('1h'),
      () => run.fault('develop', 'failed').person('@retry'),
      () => run.retry(),
    ])
      expect(told(deed())).toEqual(['Mend: `No tests`', 'No tests'])
  })

  it('FIELD 3: a malformed answer is told to the agent and is no missing one, and what is no text never becomes one', () => {
    const flow = 'steps: { judge: { agent: dev, asks: verdict, options: { good: done, poor: abandoned } } }'
    const malformed = given(flow).started().answerMalformed('judge', '{"verdict": "good"')
    expect(malformed.event('answer.refused')).toMatchObject({ validity: 'invalid-value' })
    expect(malformed.duties).toMatchObject([{ kind: 'prompt-agent', attempt: 2 }])
    expect(malformed.member().message).toContain('{"verdict": "good"')
    expect(given(flow).started().answerNothing('judge').event('answer.refused').validity).toBe('missing-file')
    for (const verdict of [true, 0, ['good'], { good: true }]) {
      const { validity, given: kept } = given(flow)
        .started()
        .answer('judge', { verdict })
        .event('answer.refused')
      expect([validity, kept]).toEqual(['invalid-value', { kind: 'value', value: { verdict } }])
    }
  })

  it('FIELD 4: counts start again with a new pass and only then, so two loops cannot thrash for ever', () => {
    const flow = given(`
      budgets: { rework: 2 }
      steps:
        develop: { agent: dev, gate: { run: npm test, max: 1 }, next: review }
        review: { agent: check, options: { good: sign_off, poor: { to: develop, max: 2, then: sign_off } } }
        sign_off:
          decide: Ship it?
          options:
            ship: done
            fix: { to: develop, max: 3, then: abandoned }
            replan: { to: develop, spend: rework, then: abandoned }
    `)
    const untilSignOff = (run: Scene): number => {
      let rejected = 0
      while (run.state.current?.step === 'develop') {
        run.answer('develop', {}).gate('develop', 1)
        expect(run.member().returns).toBe(1)
        run.answer('develop', {}).gate('develop', 0).answer('review', { decision: 'poor' })
        rejected++
      }
      return rejected
    }
    const run = flow.started()
    expect(untilSignOff(run)).toBe(3)
    expect(untilSignOff(run.person({ decision: 'fix' }))).toBe(1)
    expect(untilSignOff(run.person({ decision: 'replan' }))).toBe(3)

    const thrash = flow.started()
    for (const decision of ['fix', 'replan', 'replan', 'fix', 'fix', 'fix', 'fix']) {
      untilSignOff(thrash)
      if (thrash.state.status === 'running') thrash.person({ decision })
    }
    expect([thrash.place, thrash.state.visits['sign_off']]).toEqual(['ended: abandoned', 7])
  })

  it('FIELD 5: a route without a target is an error, and of a flow with one wrong route nothing is taken over', () => {
    const flow = (reject: string) => `
      steps:
        review:
          agent: check
          options:
            approve: done
            reject: ${reject}
    `
    expect(compile(flow('abandoned')).program?.steps['review']?.routes).toHaveProperty('reject')
    for (const [reject, code] of [
      ['{ say: Something is wrong }', 'option-without-target'],
      ['{ max: 3, then: done }', 'option-without-target'],
      ['{ to: retry, max: 3 }', 'missing-then'],
      ['nowhere', 'unknown-target'],
    ] as const) {
      const { program, diagnostics } = compile(flow(reject))
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      expect([errors.map((error) => [error.code, error.at.line]), program]).toEqual([[[code, 7]], null])
    }
  })

  it('FIELD 6: an answer from an earlier step, visit or attempt is never taken for this one', () => {
    const run = given(`
      steps:
        develop: { agent: dev, options: { ready: review, stuck: abandoned } }
        review: { agent: dev, options: { ready: done, poor: { to: develop, max: 2, then: abandoned } } }
    `).started()
    const ready = { decision: 'ready' }
    run.answer('develop', { decision: 'redy' })
    expect(run.refuses.answer('develop', ready, { attempt: 1 }).code).toBe('stale')
    run.answer('develop', ready)
    expect(run.refuses.answer('develop', ready, { visit: 1, attempt: 2 }).code).toBe('stale')
    run.answer('review', { decision: 'poor' })
    expect(run.refuses.answer('develop', ready, { visit: 1, attempt: 2 }).code).toBe('stale')
    expect(run.refuses.answer('review', ready, { visit: 1 }).code).toBe('stale')
  })

  it('FIELD 7: a way that is only for people is never gone without one, whatever agents and clocks do', () => {
    const flow = given(`
      steps:
        tidy:
          panel: [anna, ben]
          time: 10m
          options: { keep: look, wipe: { to: wiped, confirm: true } }
          on: { timed_out: { to: retry, max: 2, then: ask } }
        look: { decide: Really?, options: { sure: done, wipe: { to: wiped, recommended: true } }, deadline: { expire: 1h } }
        wiped: { check: rm -rf data, next: done }
    `)
    const deeds: Record<string, (run: Scene, place: string) => boolean> = {
      keeps: (run, place) => run.tries.answer(place, { decision: 'keep' }),
      wipes: (run, place) => run.tries.answer(place, { decision: 'wipe' }),
      errs: (run, place) => run.tries.answer(place, { decision: 'nonsense' }),
      begins: (run, place) => run.tries.begin(place),
      dies: (run, place) => run.tries.fault(place, 'failed'),
      asks: (run, place) => run.tries.ask(place),
      waits: (run) => run.tries.pass('11m'),
    }
    const some = fc.array(
      fc.tuple(fc.constantFrom(...Object.keys(deeds)), fc.constantFrom('tidy@anna', 'tidy@ben')),
    )
    fc.assert(
      fc.property(some, (all) => {
        const run = flow.started()
        for (const [deed, place] of all) deeds[deed]!(run, place)
        expect(run.state.visits).not.toHaveProperty('wiped')
      }),
    )
    const run = flow.started().answer('tidy@anna', { decision: 'wipe' })
    expect(run.answer('tidy@ben', { decision: 'keep' }).person({ decision: 'wipe' }).place).toBe('wiped#1')
  })

  it('FIELD 8: a reviewer that only says the same again ends the loop, and each earlier finding is marked', () => {
    const run = given(`
      steps:
        develop: { agent: dev, next: review }
        review:
          agent: check
          nudges: 9
          asks: verdict
          options: { good: done, poor: { to: develop, max: 27, then: abandoned } }
          fields: { found: findings }
          settle_on: found
    `).started()
    const poor = (...found: object[]) => run.answer('review', { verdict: 'poor', found })
    run.answer('develop', {})
    poor({ title: 'Leaks a handle', file: 'a.ts' }).answer('develop', {})
    expect(poor({ title: 'Something else' }).event('answer.refused').message).toContain('F1 (Leaks a handle)')
    poor({ title: 'Something else' }, { id: 'F1', status: 'fixed' }).answer('develop', {})
    expect(run.state.findings['review']?.map(({ id, status }) => [id, status])).toEqual([
      ['F1', 'fixed'],
      ['F2', 'open'],
    ])
    poor({ title: 'something ELSE!' })
    expect(run.event('visit.left')).toMatchObject({ settled: true, visit: 3, to: 'abandoned' })
  })
})

/** The rules of check-in and gate in few words, to hold the engine against. */
const MOST = { blocks: 2, returns: 2, coolDownMs: ms('10m') }
const FRESH = { phase: 'working', holds: 0, returns: 0, metAt: -MOST.coolDownMs, limited: false, asks: false }
type Model = typeof FRESH & { readonly watched: boolean }

/** What may happen: the engine accepts it exactly when the model does, and afterwards they agree. */
const DEEDS: Record<string, (run: Scene, model: Model) => void> = {
  answers: (run, model) => {
    expect(run.tries.answer('build', { decision: 'ready' })).toBe(model.phase === 'working')
    if (model.phase !== 'working') return
    const rested = run.now - model.metAt >= MOST.coolDownMs
    const held = model.watched && !model.limited && !model.asks && model.holds < MOST.blocks && rested
    expect(run.happened.includes('signal.held')).toBe(held)
    if (held) Object.assign(model, { holds: model.holds + 1, metAt: run.now, asks: false })
    else Object.assign(model, { phase: 'gating', asks: false })
  },
  errs: (run, model) => {
    expect(run.tries.answer('build', { decision: 'redy' })).toBe(model.phase === 'working' && !model.asks)
  },
  asks: (run, model) => {
    const may = model.phase === 'working' && !model.asks
    expect(run.tries.ask('build')).toBe(may)
    if (may) Object.assign(model, { asks: true, metAt: run.now })
  },
  isAnswered: (run, model) => {
    expect(run.tries.person({ pick: 'sqlite' })).toBe(model.asks)
    if (model.asks) Object.assign(model, { asks: false, metAt: run.now })
  },
  rests: (run, model) => {
    if (model.asks) return
    expect(run.tries.park('build', `${run.now / 1000}s`)).toBe(model.phase === 'working')
    if (model.phase === 'working') model.limited = run.pass('0s').happened.includes('attempt.woken')
  },
  isGated: (run, model) => {
    const exitCode = (run.now / ms('1m')) % 2
    expect(run.tries.gate('build', exitCode)).toBe(model.phase === 'gating')
    if (model.phase === 'gating')
      model.phase = exitCode === 1 && model.returns++ < MOST.returns ? 'working' : 'ended'
  },
}

describe('gates and check-ins', () => {
  it('FIELD 9: a check-in holds back as often as it may and no more, a gate too, and neither loops for ever', () => {
    const flow = (head: string) =>
      given(`
        ${head}
        agents: { dev: { questions: 50, nudges: 20, check_in: { blocks: ${MOST.blocks}, cool_down: 10m } } }
        steps:
          build: { agent: dev, gate: { run: npm test, max: ${MOST.returns} }, options: { ready: done, stuck: done }, on: { failed: done } }
      `)
    const [seen, unseen] = [flow(''), flow('unattended: true')]
    const some = fc.array(fc.tuple(fc.constantFrom(...Object.keys(DEEDS)), fc.nat(20)), { maxLength: 40 })
    fc.assert(
      fc.property(some, fc.boolean(), (deeds, watched) => {
        const run = (watched ? seen : unseen).started()
        const model = { ...FRESH, watched }
        for (const [deed, minutes] of deeds) {
          DEEDS[deed]!(run.later(`${minutes}m`), model)
          expect(run.state.status === 'ended').toBe(model.phase === 'ended')
        }
        for (let prompts = 0; model.phase !== 'ended'; prompts++) {
          expect(prompts).toBeLessThanOrEqual(MOST.blocks + MOST.returns + 1)
          for (const deed of ['answers', 'isGated']) DEEDS[deed]!(run.later('1h'), model)
        }
      }),
    )
  })

  it('FIELD 10: a rejection states the contract, what was given and an example that is accepted; more is not refused', () => {
    const steps = [
      'options: { good: done, poor: abandoned }, fields: { why: { type: text, required_for: [poor] }, size: { type: choice, choices: [s, l], required: true } }',
      'asks: { risk: [low, high], size: [small, large] }, when: [{ if: { risk: high, size: large }, to: abandoned }, { to: done }]',
      'gives: plan, next: done',
      'options: { good: done, poor: { to: retry, max: 3, then: abandoned } }, fields: { found: findings }, settle_on: found',
    ]
    const wrong = [
      {},
      { decision: 'best' },
      { decision: 'poor' },
      { decision: 7 },
      { risk: 'low' },
      { handoff: { parts: 'a' } },
    ]
    let rejections = 0
    for (const step of steps)
      for (const value of wrong) {
        const run = given(`
          handoffs: { plan: { fields: { summary: { type: text, required: true }, parts: { type: list, required: true } } } }
          steps: { judge: { agent: dev, ${step} } }
        `).started()
        if (!run.answer('judge', value).happened.includes('answer.refused')) continue
        rejections++
        const { message } = run.event('answer.refused')
        for (const { name, options } of run.program.steps['judge']!.contract.variables)
          expect(message).toContain(
            `\`${name}\` must be one of: ${options.map((one) => one.value).join(', ')}.`,
          )
        expect(message).toContain(`What you gave: ${JSON.stringify(value)}`)
        const example = JSON.parse(/```json\n(.*)\n```/.exec(message)![1]!)
        expect(run.answer('judge', { ...example, mood: 'sunny' }).happened).toContain('visit.left')
      }
    expect(rejections).toBe(steps.length * wrong.length)
  })
})
