/** What holds of every run, shown on runs in which anything happens at any time, fitting or not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FAULTS } from '../model/fault.ts'
import { decide } from './decide.ts'
import { replay } from './evolve.ts'
import { AGENT, given, ms, type Scene } from './given.fixture.ts'
import { NEW_RUN } from './state.ts'

const RUNBOOK = given(
  `
  budgets: { rework: 1, interventions: 2 }
  limits: { tokens: 40 }
  agents: { dev: { writes: [src] }, anna: { writes: [] }, ben: { writes: [] } }
  handoffs: { plan: { fields: { summary: { type: text, required: true } }, partial: true } }
  steps:
    plan: { agent: dev, gives: plan, nudges: 1, next: part }
    part: { flow: child.yaml, options: { done: develop, abandoned: { to: plan, max: 1, then: abandoned } } }
    develop: { agent: dev, gate: { run: npm test, max: 1 }, check_in: { blocks: 2, cool_down: 5m }, time: 20m, next: review }
    review:
      panel: [anna, { agent: ben, advisory: true }]
      asks: verdict
      options:
        approve: { to: sign_off, confirm: true }
        reject: { to: develop, max: 2, then: { to: plan, spend: rework, then: sign_off } }
      fields: { found: findings }
      settle_on: found
    sign_off:
      decide: Ship it?
      context: git diff
      options: { ship: done, fix: { to: develop, max: 1, then: abandoned }, unsure: ask }
      deadline: { remind: 10m, expire: 30m }
`,
  {
    'child.yaml': `
  budgets: { spare: 1 }
  agents: { hand: { writes: [src] } }
  steps:
    try_it: { agent: hand, options: { ok: test, no: { to: retry, max: 1, then: abandoned } }, on: { failed: abandoned } }
    test: { check: npm test, options: { pass: done, fail: { to: try_it, spend: spare, then: abandoned } } }
`,
  },
)

/** Things that may happen, most of them seldom fitting; `die` varies them. */
const DEEDS: readonly ((run: Scene, place: string, die: number) => boolean)[] = [
  (run, place) => run.tries.begin(place),
  (run, place, die) => run.tries.answer(place, ANSWERS[die % ANSWERS.length]),
  (run, place, die) => run.tries.answer(place, ANSWERS[die % ANSWERS.length]),
  (run, place, die) =>
    run.tries.answer(place, ANSWERS[die % ANSWERS.length], { member: die % 3, attempt: (die % 4) + 1 }),
  (run, place) => run.tries.answerNothing(place),
  (run, place) => run.tries.answerMalformed(place, '{'),
  (run, place, die) => run.tries.fault(place, HAPPENS[die % HAPPENS.length]!),
  (run, place, die) => run.tries.park(place, `${die}m`),
  (run, place, die) => run.tries.use(place, { tokens: die }),
  (run, place, die) => run.tries.ask(place, { die }),
  (run, place, die) => run.tries.gate(place, die % 2),
  (run, place, die) => run.tries.check(place, die % 2),
  (run, place) => run.tries.context(place, { diff: '+1' }),
  (run, _place, die) => run.tries.person(PICKS[die % PICKS.length]!, { note: 'n' }),
  (run, _place, die) => run.tries.person(PICKS[die % PICKS.length]!),
  (run, _place, die) =>
    run.tries.person({ decision: 'ship' }, die % 2 === 0 ? { by: AGENT } : { question: 'plan#1?1' }),
  (run, _place, die) => run.tries.pass(`${die}m`),
  (run, _place, die) => run.later(`${die}m`) === run,
  (run, _place, die) => die % 4 === 0 && run.tries.move(STEPS[die % STEPS.length]!),
  (run, _place, die) => die % 5 === 0 && run.tries.retry(),
  (run, _place, die) => die === 7 && run.tries.cancel(),
  (run, _place, die) => run.tries.extend(die % 2 === 0 ? 'rework' : 'tokens', die % 3),
]
const HAPPENS = FAULTS.filter((fault) => fault !== 'invalid' && fault !== 'expired')
const STEPS = Object.keys(RUNBOOK.program.steps)
const ANSWERS = [
  {
    handoff: { summary: 'Two files' },
    decision: 'ok',
    verdict: 'reject',
    found: [{ title: 'Leaks' }, { id: 'F1' }],
  },
  { notes: 'In words', decision: 'no', verdict: 'approve' },
  {
    handoff: { summary: 'Two files' },
    decision: 'ok',
    verdict: 'reject',
    found: [{ title: 'Slow' }, { id: 'F1', status: 'fixed' }],
  },
  { verdict: 'nonsense' },
]
const PICKS = [
  '@retry',
  '@stop',
  { decision: 'ship' },
  { decision: 'fix' },
  { verdict: 'reject' },
  { verdict: 'approve' },
  { decision: 'ok' },
  null,
] as const

const chance = fc.array(fc.tuple(fc.nat(DEEDS.length - 1), fc.nat(11)), { minLength: 10, maxLength: 80 })

function live(deeds: readonly (readonly [number, number])[], after: (run: Scene) => void = () => {}): Scene {
  const run = RUNBOOK.started()
  for (const [deed, die] of deeds) {
    DEEDS[deed]!(run, run.state.current?.step ?? 'plan', die)
    after(run)
  }
  return run
}

const settings = { numRuns: 150 }

describe('every run', () => {
  it('[E2] is what its journal says, also when that was written down and read again', () => {
    fc.assert(
      fc.property(chance, (deeds) => {
        const run = live(deeds)
        expect(replay(run.journal)).toEqual(run.state)
        expect(replay(JSON.parse(JSON.stringify(run.journal)))).toEqual(run.state)
        expect(run.state.version).toBe(run.journal.length)
      }),
      settings,
    )
  })

  it('[E2] ends the same when it is cut after any command and goes on', () => {
    fc.assert(
      fc.property(chance, fc.nat(), (deeds, seed) => {
        const run = live(deeds)
        const cut = seed % run.commands.length
        let state = replay(run.journal.slice(0, run.commands[cut]!.before))
        for (const { command } of run.commands.slice(cut)) {
          const decided = decide(run.program, state, command)
          if ('refusal' in decided) throw new Error(decided.refusal.message)
          state = decided.state
        }
        expect(state).toEqual(run.state)
      }),
      settings,
    )
  })

  it('[E3] waits for a duty or a person until it ends', () => {
    fc.assert(
      fc.property(chance, (deeds) => {
        live(deeds, (run) =>
          expect(run.state.status === 'ended' || run.duties.length > 0 || run.open.length > 0).toBe(true),
        )
      }),
      settings,
    )
  })

  it('[R2][R3] never takes an arm that it cannot pay', () => {
    const arms = Object.values(RUNBOOK.program.steps).flatMap(({ routes }) =>
      Object.values(routes).flatMap((route) => route.arms),
    )
    const most = new Map(
      arms.flatMap(({ bound }) => (bound?.kind === 'max' ? [[bound.counter, bound.times]] : [])),
    )
    fc.assert(
      fc.property(chance, (deeds) => {
        const { budgets, counters } = live(deeds).state
        for (const left of Object.values(budgets)) expect(left).toBeGreaterThanOrEqual(0)
        for (const [counter, times] of Object.entries(counters))
          expect(times).toBeLessThanOrEqual(most.get(counter)!)
      }),
      settings,
    )
  })

  it('[E5] gives each prompt an id of its own, and never the same to two', () => {
    fc.assert(
      fc.property(chance, (deeds) => {
        const seen = new Map<string, string>()
        live(deeds, (run) => {
          const { current } = run.state
          for (const duty of run.duties) {
            if (duty.kind !== 'prompt-agent') continue
            const { attempt, turn, message } = current!.members[duty.member]!
            const prompt = JSON.stringify([duty.step, duty.visit, duty.member, attempt, turn, message])
            expect(seen.get(duty.id) ?? prompt).toBe(prompt)
            seen.set(duty.id, prompt)
          }
        })
      }),
      settings,
    )
  })
})

describe('a refused command', () => {
  it('[E1] changes nothing: state and journal are as they were, and the next one is judged as if it had not been', () => {
    fc.assert(
      fc.property(chance, (deeds) => {
        const run = live(deeds)
        let state = NEW_RUN
        for (const { command } of run.commands) {
          const decided = decide(run.program, state, command)
          if ('refusal' in decided) throw new Error(decided.refusal.message)
          state = decided.state
        }
        expect(state).toEqual(run.state)
      }),
      settings,
    )
  })

  it('[E1] has a code and a sentence', () => {
    const run = RUNBOOK.started()
    const before = structuredClone(run.state)
    for (const refusal of [
      run.refuses.gate('plan', 0),
      run.refuses.person('@retry'),
      run.refuses.move('nowhere'),
    ]) {
      expect(refusal.code).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(refusal.message).toMatch(/^[A-Z"].*[.?]$/)
    }
    expect(run.state).toEqual(before)
  })

  it('[E1] leaves no trace of what it would have led to: a question stays open when its answer is refused', () => {
    const run = RUNBOOK.started().fault('plan', 'failed')
    run.refuses.person({ handoff: 'none' })
    expect(run.open).toEqual(['plan#1?1'])
    expect(run.journal.map(({ type }) => type)).not.toContain('question.answered')
  })
})

describe('evolve', () => {
  it('[E2] is total: an event that speaks of nobody only makes the state older', () => {
    const run = RUNBOOK.started().cancel()
    const late = replay(
      [
        { type: 'attempt.began', at: ms('1h'), member: 0, session: null },
        {
          type: 'gate.passed',
          at: 0,
          member: 5,
          evidence: { exitCode: 0, output: '', commit: null, diffstat: '' },
        },
      ],
      run.state,
    )
    expect(late).toEqual({ ...run.state, version: run.state.version + 2 })
  })
})
