import { describe, expect, it } from 'vitest'
import { given, type Scene } from '../engine/given.fixture.ts'
import { actText } from './act.ts'
import { movesOf } from './moves.ts'
import { play } from './play.ts'

/** What could happen next, as a scenario would write it. */
const offered = ({ program, state, now }: Scene): string[] =>
  movesOf(program, state, now).map(({ act }) => actText(act))

const one = (step: string, more = '') =>
  given(`agents: { dev: {} }\n${more}\nsteps:\n  a: { ${step} }\n  b: { check: make, next: done }\n`)

const OPTIONS = 'options: { yes: b, no: abandoned }'
const FAULTS = ['failed', 'stalled']

describe('what can happen to an agent', () => {
  it('[T1] that is asked nothing: it ends, it fails in two ways, or it asks', () => {
    expect(offered(one('agent: dev, next: b').started())).toEqual(['done', ...FAULTS, '{ asks: true }'])
  })

  it('[T1] that is asked something: each answer, and a wrong one', () => {
    const run = one(`agent: dev, questions: 0, ${OPTIONS}`).started()
    expect(offered(run)).toEqual(['yes', 'no', '{ wrong: true }', ...FAULTS])
  })

  it('[T1] with a boundary: it can write outside of it', () => {
    const run = given(
      'agents: { dev: { writes: [] } }\nsteps: { a: { agent: dev, questions: 0, next: done } }',
    ).started()
    expect(offered(run)).toContain('out_of_bounds')
  })

  it('[A9] asks only while it may, and then only a person can do something', () => {
    const run = one('agent: dev, questions: 1, next: b').started()
    run.ask('a')
    expect(offered(run)).toEqual(['{ person: answers }'])
    run.person(null, { note: 'Go on.' })
    expect(offered(run)).toEqual(['done', ...FAULTS])
  })

  it('[A6] whose answer is gated: the gate passes or fails', () => {
    const run = one('agent: dev, gate: make, next: b').started()
    run.answer('a', {})
    expect(offered(run)).toEqual(['{ gate: pass }', '{ gate: fail }'])
  })

  it('[A8] that was held back: it can answer again, at once or after the cool-down', () => {
    const run = one('agent: dev, questions: 0, check_in: { blocks: 2 }, next: b').started()
    expect(offered(run)).toEqual(['done', ...FAULTS])
    run.answer('a', {})
    expect(offered(run)).toEqual(['done', '{ answer: done, later: true }', ...FAULTS])
  })

  it('[H3] that gives a handoff: it can leave it out where notes will do', () => {
    const handoffs = (more: string) =>
      `handoffs: { h: { fields: { f: { type: text, required: true } }${more} } }`
    const step = `agent: dev, questions: 0, gives: h, ${OPTIONS}`
    expect(offered(one(step, handoffs(', partial: true')).started())).toContain('{ wrong: handoff }')
    expect(offered(one(step, handoffs('')).started())).not.toContain('{ wrong: handoff }')
  })

  it('[R4] [S3] in a loop that settles: each round brings news, or nothing material', () => {
    const step = 'agent: dev, questions: 0, fields: { f: findings }, settle_on: f'
    const run = one(`${step}, options: { good: b, bad: { to: retry, max: 2, then: b } }`).started()
    expect(offered(run).slice(0, 3)).toEqual(['good', 'bad', '{ answer: bad, settled: true }'])
  })
})

describe('what can happen to an agent in a run with limits', () => {
  it('[A12] it uses them up, and nobody begins afterwards', () => {
    const run = one('agent: dev, questions: 0, next: b', 'limits: { tokens: 9 }').started()
    expect(offered(run)).toEqual(['done', ...FAULTS, 'over_budget'])
    const over = movesOf(run.program, run.state, 0).at(-1)!
    const after = play(run.program, run.state, over)
    expect(after).toMatchObject({ state: { usage: { tokens: 10 }, totals: { dispatches: 1 } } })
  })
})

describe('what can happen to a table', () => {
  const TABLE = 'asks: { p: [m, n], q: { s: {}, t: { confirm: true } } }'

  it('[T1] an outcome that some choices reach directly and others only by a person has both ways', () => {
    const run = one(
      `agent: dev, questions: 0, ${TABLE}, when: [{ if: { p: m }, to: b }, { if: { q: t }, to: done }, { to: abandoned }]`,
    ).started()
    expect(offered(run).slice(0, 4)).toEqual(['row-1', '{ answer: row-1, proposed: true }', 'row-2', 'row-3'])
    const [direct, proposed] = movesOf(run.program, run.state, 0).map((move) =>
      play(run.program, run.state, move),
    )
    expect(direct).toMatchObject({ state: { current: { step: 'b' } } })
    expect(proposed).toMatchObject({ state: { current: { question: { cause: 'proposal' } } } })
  })
})

describe('faults that lead the same way', () => {
  it('[T7] are one walk, and those that do not are walked one by one', () => {
    const run = one('agent: dev, time: 5m, questions: 0, next: b, on: { stalled: done }').started()
    const walked = movesOf(run.program, run.state, 0, 'by-route').map(({ act }) => actText(act))
    expect(walked).toEqual(['done', 'failed', 'stalled'])
    expect(offered(run)).toEqual(['done', 'failed', 'stalled', 'timed_out'])
  })
})

describe('what can happen to a panel', () => {
  const panel = (step: string) =>
    given(
      `agents: { anna: {}, bert: {} }\nsteps:\n  a: { panel: [anna, { agent: bert, advisory: true }], questions: 0, ${step} }\n`,
    )

  it('[P1] only the first who is still busy moves, since they do not see each other', () => {
    const run = panel('options: { yes: done, no: abandoned }').started()
    expect(offered(run).every((act) => act.includes('member: anna'))).toBe(true)
    run.answer('a@anna', { decision: 'yes' })
    expect(offered(run).every((act) => act.includes('member: bert'))).toBe(true)
  })

  it('[P4] an adviser fails in one way only, because all are recorded alike', () => {
    const run = panel('options: { yes: done, no: abandoned }').started()
    run.answer('a@anna', { decision: 'yes' })
    expect(offered(run).filter((act) => act.includes('fault:'))).toEqual(['{ member: bert, fault: failed }'])
  })
})

describe('what can happen to a check', () => {
  it('[T1] answers by its exit code, fails, or takes too long', () => {
    const run = given(
      'steps:\n  a: { check: make, time: 5m, options: { pass: done, fail: abandoned } }\n',
    ).started()
    expect(offered(run)).toEqual(['pass', 'fail', 'failed', 'timed_out'])
  })

  it('[T1] that answers in JSON can print something else', () => {
    const run = given(
      'steps:\n  a: { check: make, time: 5m, answers: json, options: { x: done, y: abandoned } }\n',
    ).started()
    expect(offered(run)).toEqual(['x', 'y', 'failed', 'timed_out', 'invalid'])
  })

  it('[T1] an outcome for all other codes gets one that nobody else has', () => {
    const run = given(
      'steps:\n  a: { check: make, options: { x: { exit: [0, 1, 2], to: done }, y: { exit: other, to: abandoned } } }\n',
    ).started()
    const [, other] = movesOf(run.program, run.state, 0)
    expect(other?.commands[0]).toMatchObject({ type: 'check.report', exitCode: 3 })
  })
})

describe('what can happen to a question', () => {
  const decide = (more: string) =>
    given(`steps:\n  a: { decide: Go on?, ${more}, options: { yes: done, no: abandoned } }\n`).started()

  it('[Q1] opens when its context is gathered, and not before', () => {
    const run = decide('context: git diff')
    expect(offered(run)).toEqual(['context'])
    run.context('a')
    expect(offered(run)).toEqual(['yes', 'no'])
  })

  it('[Q2] reminders come before the expiry', () => {
    const run = decide('deadline: { remind: [1h, 2h], expire: 1d }')
    expect(offered(run)).toEqual(['yes', 'no', 'wait'])
    run.pass('1h')
    run.pass('1h')
    expect(offered(run)).toEqual(['yes', 'no', 'expired'])
  })

  it('[Q19] somebody else is asked before the expiry, in working time as in any', () => {
    const run = decide(
      'deadline: { remind: 1h, reroute: { after: 2h, to: anna }, expire: 1d, hours: { zone: Europe/Vienna, from: "09:00", to: "17:00" } }',
    )
    for (const rung of ['wait', 'wait', 'expired']) {
      expect(offered(run)).toEqual(['yes', 'no', rung])
      run.send(movesOf(run.program, run.state, run.now).at(-1)!.commands[0]!)
    }
    expect(run.place).toBe('a#1')
  })

  it('[R6] of a fault: an answer in the agent’s stead, retry and stop', () => {
    const run = one(`agent: dev, ${OPTIONS}`).started()
    run.fault('a', 'stalled')
    expect(offered(run)).toEqual([
      '{ person: yes }',
      '{ person: no }',
      '{ person: retry }',
      '{ person: stop }',
    ])
  })

  it('[R6] retry is not offered without interventions', () => {
    const run = one(`agent: dev, ${OPTIONS}`, 'budgets: { interventions: 0 }').started()
    run.fault('a', 'stalled')
    expect(offered(run)).toEqual(['{ person: yes }', '{ person: no }', '{ person: stop }'])
  })

  it('[R7] an outcome that would only ask again is not offered', () => {
    const run = one('agent: dev, options: { yes: b, unsure: ask }').started()
    run.fault('a', 'stalled')
    expect(offered(run)).toEqual(['{ person: yes }', '{ person: retry }', '{ person: stop }'])
  })
})

describe('a move', () => {
  it('[T1] is made of commands that the engine takes, and moves the clock', () => {
    const run = one(`agent: dev, time: 10m, ${OPTIONS}`).started()
    const moves = movesOf(run.program, run.state, 0)
    for (const move of moves) expect(play(run.program, run.state, move)).not.toBeTypeOf('string')
    expect(moves.find(({ act }) => actText(act) === 'timed_out')).toMatchObject({
      at: 600_000,
      commands: [{ type: 'attempt.begin' }, { type: 'time.pass', at: 600_000 }],
    })
  })

  it('[T1] there is none after the end', () => {
    const run = one('agent: dev, next: b').started()
    run.cancel()
    expect(movesOf(run.program, run.state, 0)).toEqual([])
  })
})
