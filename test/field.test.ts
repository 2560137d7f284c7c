/** Bugs that others shipped, one test each, so that none of them can be shipped here. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, given, ms, type Scene } from '../src/engine/given.fixture.ts'
import { renderText } from '../src/model/template.ts'

describe('routing', () => {
  it('FIELD 1: a route that does not fit never hides the ones after it: every option and every row is reachable', () => {
    const letters = ['a', 'b', 'c', 'd', 'e']
    const options = letters.map((name) => `${name}: { to: ${name}, max: 1, then: abandoned }`).join(', ')
    const ends = letters.map((name) => `${name}: End ${name}`).join(', ')
    const flow = `ends: { ${ends} }\nsteps: { choose: { agent: dev, options: { ${options} } } }`
    expect(letters.map((decision) => given(flow).started().answer('choose', { decision }).state.end)).toEqual(letters)

    const rows = letters.map((name) => `{ if: { first: [${name}] }, to: ${name} }`).join(', ')
    const table = `
      ends: { ${ends} }
      steps: { choose: { agent: dev, asks: { first: [${letters.join(', ')}], second: [x, y] }, when: [${rows}] } }
    `
    for (const second of ['x', 'y'])
      expect(letters.map((first) => given(table).started().answer('choose', { first, second }).state.end)).toEqual(letters)
  })

  it('FIELD 2: feedback is there when the prompt of the next agent is made, at every prompt until it is answered', () => {
    const run = given(`
      steps:
        develop: { agent: dev, prompt: 'Mend: \${steps.review.feedback ?? "nothing yet"}', asks: state, options: { ready: review } }
        review: { agent: check, asks: verdict, options: { good: done, poor: { to: develop, max: 3, then: abandoned } }, fields: { feedback: text } }
    `).started()
    expect(prompted(run)).toBe('Mend: nothing yet')
    run.answer('develop', { state: 'ready' }).answer('review', { verdict: 'poor', feedback: 'No tests' })
    expect(prompted(run)).toBe('Mend: No tests')
    for (const deed of [
      () => run.begin('develop'),
      () => run.answer('develop', { state: 'redy' }),
      () => run.ask('develop').person({ pick: 1 }),
      () => run.park('develop', '1h').pass('1h'),
      () => run.fault('develop', 'failed').person('@retry'),
      () => run.retry(),
    ])
      expect(prompted(deed())).toBe('Mend: No tests')
  })

  it('FIELD 3: a malformed answer is told to the agent and is no missing one, and what is no text never becomes one', () => {
    const flow = 'steps: { judge: { agent: dev, asks: verdict, options: { good: done, poor: abandoned } } }'
    const malformed = given(flow).started().answerMalformed('judge', '{"verdict": "good"')
    expect(malformed.event('answer.refused')).toMatchObject({ validity: 'invalid-value', given: { kind: 'malformed' } })
    expect(malformed.duties).toMatchObject([{ kind: 'prompt-agent', attempt: 2 }])
    expect(malformed.member().message).toContain('{"verdict": "good"')
    expect(given(flow).started().answerNothing('judge').event('answer.refused').validity).toBe('missing-file')
    for (const verdict of [true, 0, ['good'], { good: true }]) {
      const run = given(flow).started().answer('judge', { verdict })
      expect(run.event('answer.refused')).toMatchObject({ validity: 'invalid-value', given: { value: { verdict } } })
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
    expect(thrash.place).toBe('ended: abandoned')
    expect(thrash.state.visits['sign_off']).toBe(7)
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
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([{ code, at: { line: 7 } }])
      expect(program).toBeNull()
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
    expect(run.place).toBe('develop#2')
  })

  it('FIELD 7: a way that is only for people is never gone without one, whatever agents and clocks do', () => {
    const flow = given(`
      steps:
        tidy:
          panel: [anna, ben]
          time: 10m
          options: { keep: check_it, wipe: { to: wiped, confirm: true } }
          on: { timed_out: { to: retry, max: 2, then: ask } }
        check_it: { decide: Really keep it?, options: { sure: done, wipe: { to: wiped, confirm: true } }, deadline: { expire: 1h } }
        wiped: { check: rm -rf data, next: done }
    `)
    const deed = fc.tuple(fc.constantFrom('anna', 'ben'), fc.constantFrom('keep', 'wipe', 'nonsense', 'begin', 'fault', 'pass', 'ask'))
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
        const run = flow.started()
        for (const [name, what] of deeds) {
          const place = `tidy@${name}`
          if (what === 'begin') run.tries.begin(place)
          else if (what === 'fault') run.tries.fault(place, 'failed')
          else if (what === 'ask') run.tries.ask(place)
          else if (what === 'pass') run.tries.pass('11m')
          else run.tries.answer(place, { decision: what })
        }
        expect(run.state.visits).not.toHaveProperty('wiped')
      }),
    )
    const proposed = flow.started().answer('tidy@anna', { decision: 'wipe' }).answer('tidy@ben', { decision: 'keep' })
    expect(proposed.person({ decision: 'wipe' }).place).toBe('wiped#1')
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
    expect(run.event('visit.left')).toMatchObject({ settled: true, visit: 3 })
    expect(run.place).toBe('ended: abandoned')
  })
})

/** What the agent at work would be told, looked up in the records as a brief is. */
function prompted(run: Scene): string {
  const [duty] = run.duties
  const step = run.program.steps[run.state.current!.step]!
  if (duty?.kind !== 'prompt-agent' || !('members' in step)) throw new Error('nobody is to be prompted')
  return renderText(step.members[duty.member]!.prompt!, (ref) => {
    const value = ref.kind === 'step' ? run.state.records[ref.step]?.answer?.fields[ref.field] : undefined
    return typeof value === 'string' ? value : undefined
  })
}

describe('gates and check-ins', () => {
  const BLOCKS = 2
  const RETURNS = 2
  const COOL_DOWN = 10
  const flow = (head = '') =>
    given(`
      ${head}
      steps:
        build:
          agent: dev
          questions: 50
          nudges: 20
          check_in: { blocks: ${BLOCKS}, cool_down: ${COOL_DOWN}m }
          gate: { run: npm test, max: ${RETURNS} }
          options: { ready: done, stuck: done }
          on: { failed: abandoned }
    `)

  it('FIELD 9: a check-in holds back as often as it may and no more, a gate too, and neither for nobody', () => {
    const deed = fc.tuple(
      fc.constantFrom('answer', 'answer', 'wrong', 'ask', 'reply', 'park', 'red', 'green'),
      fc.nat(2 * COOL_DOWN),
    )
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), fc.boolean(), (deeds, watched) => {
        const run = flow(watched ? '' : 'unattended: true').started()
        const model = { phase: 'working', holds: 0, returns: 0, metAt: Number.NEGATIVE_INFINITY, limited: false, open: false }
        for (const [what, minutes] of deeds) {
          run.later(`${minutes}m`)
          const working = model.phase === 'working'
          if (what === 'answer' || what === 'wrong') {
            expect(run.tries.answer('build', { decision: what === 'answer' ? 'ready' : 'redy' })).toBe(working)
            if (!working) continue
            model.open = false
            if (what === 'wrong') continue
            const rested = run.now - model.metAt >= ms(`${COOL_DOWN}m`)
            const held = watched && !model.limited && model.holds < BLOCKS && rested
            expect(run.happened.includes('signal.held')).toBe(held)
            if (held) Object.assign(model, { holds: model.holds + 1, metAt: run.now })
            else model.phase = 'gating'
          } else if (what === 'ask') {
            const may = working && !model.open
            expect(run.tries.ask('build')).toBe(may)
            if (may) Object.assign(model, { open: true, metAt: run.now })
          } else if (what === 'reply') {
            expect(run.tries.person({ go: 'on' })).toBe(model.open)
            if (model.open) Object.assign(model, { open: false, metAt: run.now })
          } else if (what === 'park' && !model.open) {
            expect(run.tries.send({ type: 'attempt.park', at: run.now, step: 'build', visit: 1, member: 0, attempt: attemptOf(run), until: run.now })).toBe(working)
            if (working) model.limited = run.pass('0s').member().limited
          } else if (what === 'red' || what === 'green') {
            expect(run.tries.gate('build', what === 'red' ? 1 : 0)).toBe(model.phase === 'gating')
            if (model.phase !== 'gating') continue
            const back = what === 'red' && model.returns < RETURNS
            model.phase = back ? 'working' : 'ended'
            if (back) model.returns++
          }
          expect(run.state.status === 'ended').toBe(model.phase === 'ended')
          if (model.phase !== 'ended') expect(run.member()).toMatchObject({ holds: model.holds, returns: model.returns })
        }
        // Whatever came before, an agent that goes on answering is through after a bounded number of prompts.
        if (model.open) run.tries.person({ go: 'on' })
        for (let left = BLOCKS + RETURNS + 1; left > 0 && run.state.status === 'running'; left--) {
          if (run.later('1h').member().status === 'working') run.answer('build', { decision: 'ready' })
          if (run.member().status === 'gating') run.gate('build', 1)
        }
        expect(run.state.status).toBe('ended')
      }),
      { numRuns: 300 },
    )
  })

  const attemptOf = (run: Scene): number => run.state.current?.members[0]?.attempt ?? 1

  it('FIELD 10: a rejection states the contract, what was given and an example that is accepted; more is not refused', () => {
    const flows = [
      'options: { good: done, poor: abandoned }\n    fields: { why: { type: text, required_for: [poor] }, size: { type: choice, choices: [s, l], required: true } }',
      'asks: { risk: [low, high], size: [small, large] }\n    when: [{ if: { risk: high, size: large }, to: abandoned }, { to: done }]',
      'gives: plan\n    next: done',
      'options: { good: done, poor: { to: other, max: 3, then: done } }\n    fields: { found: findings }\n    settle_on: found',
    ].map((lines) =>
      given(`
  handoffs: { plan: { fields: { summary: { type: text, required: true }, parts: { type: list, required: true } } } }
  steps:
   ask_it:
    agent: dev
    ${lines}
   ${lines.includes('other') ? 'other: { agent: dev, next: ask_it }' : 'unused: { agent: dev, next: done }\n  start: ask_it'}
  `.replace(/\n.*unused.*\n/, '\n')),
    )
    const wrong = fc.record(
      { decision: fc.constantFrom('good', 'poor', 'best', 7), risk: fc.constantFrom('high', 'x'), handoff: fc.jsonValue() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.constantFrom(...flows), wrong, (flow, value) => {
        const run = flow.started().answer('ask_it', value)
        if (!run.happened.includes('answer.refused')) return
        const { message } = run.event('answer.refused')
        for (const { name, options } of run.program.steps['ask_it']!.contract.variables)
          expect(message).toContain(`\`${name}\` must be one of: ${options.map((option) => option.value).join(', ')}.`)
        expect(message).toContain(`What you gave: ${JSON.stringify(value).slice(0, 300)}`)
        const example = JSON.parse(/```json\n(.*)\n```/.exec(message)![1]!)
        run.answer('ask_it', { ...example, mood: 'sunny' })
        expect(run.happened).not.toContain('answer.refused')
        expect(run.event('visit.left').step).toBe('ask_it')
      }),
    )
  })
})
