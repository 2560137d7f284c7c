import { describe, expect, it } from 'vitest'
import { given } from '../engine/given.fixture.ts'
import type { Program } from '../model/program.ts'
import { playScenarios } from './scenario.ts'

const FLOW = given(`
vars: { issue: { required: true } }
budgets: { rework: 1 }
agents: { dev: {}, anna: {}, bert: {} }
steps:
  work: { agent: dev, questions: 1, gate: { run: make, max: 1 }, next: review }
  review:
    panel: [anna, bert]
    questions: 0
    nudges: 1
    options: { good: sign_off, bad: { to: work, spend: rework, then: abandoned } }
    fields: { why: { type: text, required_for: [bad] } }
  sign_off:
    decide: Ship it?
    context: git diff
    options: { ship: done, drop: abandoned }
    deadline: { remind: 1h, expire: 1d }
`).program

const VARS = 'vars: { issue: X-1 }\n'
const play = (lines: string, program: Program = FLOW) => playScenarios(program, VARS + lines, 'path.yaml')[0]!
const told = (lines: string, program?: Program) =>
  play(lines, program).diagnostics.map(
    ({ code, at, message }) => `${at.line}:${at.column} ${code} ${message}`,
  )

describe('a scenario', () => {
  it('[T4] passes where everything goes as it says', () => {
    const played = play(`scenario: The good way
play:
  - work: done
  - review: good
  - sign_off: ship
expect: { end: done, visits: { work: 1, review: 1 }, budgets: { rework: 1 } }
`)
    expect(played).toEqual({
      name: 'The good way',
      passed: true,
      diagnostics: [],
      path: ['work.trial', 'work', 'review', 'sign_off'],
      end: 'done',
    })
  })

  it('[T4] may stop anywhere, and is called after its file where it has no name', () => {
    expect(play('play:\n  - work: done\nexpect: { at: review }\n')).toMatchObject({
      name: 'path.yaml',
      passed: true,
      end: null,
    })
  })

  it('[T4] gates pass and context is found unless it says otherwise', () => {
    expect(
      play('play:\n  - work: done\n  - work: { gate: fail }\n  - work: done\nexpect: { at: review }\n')
        .passed,
    ).toBe(true)
    expect(
      play('play:\n  - work: done\n  - work: { gate: pass }\n  - review: good\nexpect: { at: sign_off }\n')
        .passed,
    ).toBe(true)
    const twice = '  - work: done\n  - work: { gate: fail }\n'
    expect(
      play(`play:\n${twice}${twice}  - work: { person: retry }\nexpect: { visits: { work: 2 } }\n`).passed,
    ).toBe(true)
  })

  it('[T4] [P1] without a name all who are busy answer, with one only that one', () => {
    expect(play('play:\n  - work: done\n  - review: good\nexpect: { at: sign_off }\n').passed).toBe(true)
    expect(
      play('play:\n  - work: done\n  - review: { member: anna, answer: good }\nexpect: { at: review }\n')
        .passed,
    ).toBe(true)
    const mixed = '  - review: { member: anna, answer: good }\n  - review: { member: bert, answer: bad }\n'
    expect(play(`play:\n  - work: done\n${mixed}expect: { at: work, budgets: { rework: 0 } }\n`).passed).toBe(
      true,
    )
  })

  it('[T4] [P1] all who are busy answer where each of them has a gate', () => {
    const { program } = given(`
vars: { issue: {} }
agents: { anna: {}, bert: {} }
steps:
  review: { panel: [anna, bert], questions: 0, gate: make, options: { good: look, bad: abandoned } }
  look: { check: make, options: { pass: done, fail: abandoned } }
`)
    expect(told('play:\n  - review: good\n  - look: pass\nexpect: { end: done }\n', program)).toEqual([])
  })

  it('[T4] [A8] an answer that is held back is one line, and the next one another', () => {
    const { program } = given(`
vars: { issue: {} }
agents: { dev: {} }
steps:
  build: { agent: dev, questions: 0, check_in: true, next: look }
  look: { check: make, options: { pass: done, fail: abandoned } }
`)
    expect(told('play:\n  - build: done\nexpect: { at: build }\n', program)).toEqual([])
    expect(told('play:\n  - build: done\n  - build: done\nexpect: { at: look }\n', program)).toEqual([])
    expect(
      told('play:\n  - build: done\n  - build: { fault: stalled }\nexpect: { at: build }\n', program),
    ).toEqual([])
  })

  it('[T4] [R6] a person retries, stops, answers the agent or in its stead', () => {
    const lines =
      '  - work: stalled\n  - work: { person: retry }\n  - work: { asks: true }\n  - work: { person: answers }\n'
    expect(
      play(
        `play:\n${lines}  - work: failed\n  - work: { person: done }\nexpect: { at: review, visits: { work: 2 } }\n`,
      ).passed,
    ).toBe(true)
    expect(
      play('play:\n  - work: stalled\n  - work: { person: stop }\nexpect: { end: abandoned }\n').passed,
    ).toBe(true)
  })

  it('[T4] [R8] time passes to the next reminder, then to the expiry', () => {
    const lines =
      '  - work: done\n  - review: good\n  - sign_off: wait\n  - sign_off: expired\n  - sign_off: { person: drop }\n'
    expect(play(`play:\n${lines}expect: { end: abandoned }\n`)).toMatchObject({ passed: true })
    expect(told('play:\n  - work: done\n  - review: good\n  - sign_off: expired\n')).toEqual([
      '5:5 scenario "expired" cannot happen at "sign_off" now.',
    ])
  })

  it('[T4] [R4] a settled round takes the way out of the loop', () => {
    const { program } = given(`
vars: { issue: {} }
agents: { dev: {} }
steps:
  review:
    agent: dev
    questions: 0
    fields: { found: findings }
    settle_on: found
    options: { good: done, bad: { to: retry, max: 3, then: abandoned } }
`)
    expect(
      play('play:\n  - review: bad\nexpect: { at: review, visits: { review: 2 } }\n', program).passed,
    ).toBe(true)
    expect(
      play('play:\n  - review: { answer: bad, settled: true }\nexpect: { end: abandoned }\n', program).passed,
    ).toBe(true)
  })
})

describe('the first line that differs', () => {
  it.each([
    [
      'the run is elsewhere',
      'play:\n  - work: done\n  - sign_off: ship\n',
      '4:5 scenario The run is at "review", not at "sign_off".',
    ],
    [
      'the run has ended',
      'play:\n  - work: stalled\n  - work: { person: stop }\n  - work: done\n',
      '5:5 scenario The run has ended as abandoned, before "work".',
    ],
    ['it cannot happen', 'play:\n  - work: good\n', '3:5 scenario "good" cannot happen at "work" now.'],
    [
      'it cannot happen now',
      'play:\n  - work: { gate: fail }\n',
      '3:5 scenario "{ gate: fail }" cannot happen at "work" now.',
    ],
    [
      'nobody is called so',
      'play:\n  - work: done\n  - review: { member: carl, answer: good }\n',
      '4:5 scenario "good" cannot happen at "review" now.',
    ],
    [
      'it says nothing',
      'play:\n  - work: { settled: true }\n',
      '3:5 scenario Nobody can tell what should happen at "work".',
    ],
    ['the step is unknown', 'play:\n  - wrok: done\n', '3:5 scenario The run is at "work", not at "wrok".'],
  ])('[T4] is reported: %s', (_what, lines, expected) => {
    expect(told(lines)).toEqual([expected])
    expect(play(lines).passed).toBe(false)
  })

  it('[T4] says what can happen instead', () => {
    const [diagnostic] = play('play:\n  - work: done\n  - work: { gate: fail }\n  - work: good\n').diagnostics
    expect(diagnostic?.help).toBe('What can: done, failed, stalled, { asks: true }.')
  })

  it('[T4] is reported where an answer does not fit what was asked', () => {
    const { program } = given(`
vars: { issue: {} }
agents: { dev: {} }
steps:
  a: { agent: dev, questions: 0, options: { x: b, y: abandoned }, fields: { n: { type: number, required: true } } }
  b: { decide: Go on?, options: { yes: done, no: abandoned }, fields: { n: { type: number } } }
`)
    expect(
      told(
        'play:\n  - a: { answer: x, fields: { n: 3 } }\n  - b: { answer: yes, fields: { n: 3 } }\n',
        program,
      ),
    ).toEqual([])
    expect(told('play:\n  - a: x\n  - b: { answer: yes, fields: { n: three } }\n', program)).toEqual([
      expect.stringMatching(/^4:5 scenario /),
    ])
    expect(told('play:\n  - a: { answer: x, fields: { n: three } }\n', program)).toEqual([
      expect.stringMatching(/^3:5 scenario /),
    ])
    expect(told('play:\n  - a: { answer: x, fields: { decision: y } }\n', program)).toEqual([
      expect.stringMatching(/^3:5 scenario /),
    ])
  })

  it('[T4] [L13] names rows, and is told that what decides is no field beside them', () => {
    const { program } = given(`
vars: { issue: {} }
agents: { dev: {} }
steps:
  a: { agent: dev, questions: 0, fields: { sure: boolean }, next: { sure: { true: done, absent: b, else: abandoned } } }
  b: { decide: Go on?, asks: { p: [x, y] }, when: [{ name: fine, if: { p: x }, to: done }, { to: abandoned }] }
`)
    expect(play('play:\n  - a: absent\n  - b: fine\n', program)).toMatchObject({ passed: true, end: 'done' })
    expect(play('play:\n  - a: { answer: "true" }\n', program)).toMatchObject({ end: 'done' })
    expect(told('play:\n  - a: { answer: else, fields: { sure: true } }\n', program)).toEqual([
      '3:5 scenario `sure` is what is answered, not a field.',
    ])
  })

  it('[T4] is not "wrong: false"', () => {
    const lines = 'play:\n  - work: done\n  - review: { wrong: false }\n'
    expect(told(lines)).toEqual(['4:5 scenario Nobody can tell what should happen at "review".'])
  })
})

describe('what is expected', () => {
  it('[T4] all that differs is reported, each with its place', () => {
    expect(
      told(
        'play:\n  - work: done\nexpect:\n  end: done\n  at: work\n  visits: { work: 3 }\n  budgets: { rework: 0 }\n',
      ),
    ).toEqual([
      '5:8 scenario Expected the end done, but it is still running, at review.',
      '6:7 scenario Expected the run to be at work, but it is review.',
      '7:19 scenario Expected visits of work 3, but it is 1.',
      '8:22 scenario Expected what is left of rework 0, but it is 1.',
    ])
  })

  it.each(['end: doen', 'at: wrok', 'visits: { wrok: 0 }', 'budgets: { rewrk: 0 }'])(
    '[T4] [L4] an unknown name is reported: %s',
    (expected) => {
      expect(play(`play:\n  - work: done\nexpect: { ${expected} }\n`).passed).toBe(false)
    },
  )
})

describe('setup and trials in a scenario', () => {
  const READY = given(`
setup: { run: npm ci, on: { failed: abandoned } }
steps: { work: { agent: dev, questions: 0, gate: make, next: done } }
`).program
  const played = (lines: string) => playScenarios(READY, lines, 'path.yaml')[0]!

  it('[T10] go well where nobody speaks of them', () => {
    expect(played('play:\n  - work: done\nexpect: { end: done, visits: { setup: 1 } }\n')).toMatchObject({
      passed: true,
      path: ['setup', 'work.trial', 'work'],
    })
    expect(played('play: []\nexpect: { at: work }\n')).toMatchObject({ passed: true })
    expect(played('play: []\nexpect: { at: work.trial }\n')).toMatchObject({ passed: true })
  })

  it('[T10] go as a line says', () => {
    expect(played('play:\n  - setup: failed\nexpect: { end: abandoned }\n')).toMatchObject({ passed: true })
    expect(
      played(
        'play:\n  - work.trial: unexpected\n  - work.trial: { instead: expected }\nexpect: { at: work }\n',
      ),
    ).toMatchObject({ passed: true })
    expect(played('play:\n  - work.trial: unexpected\nexpect: { at: work }\n')).toMatchObject({
      passed: false,
    })
  })
})

describe('a scenario that is none', () => {
  it.each([
    ['not YAML', 'play: [', /yaml-syntax/],
    ['a misspelt key', 'pley:\n  - work: done\n', /^2:1 unknown-key /],
    ['nothing to play', 'scenario: x\n', /^1:1 missing-key .*`play`/],
    ['two steps in one line', 'play:\n  - work: done\n    review: good\n', /^3:5 wrong-type .*one key/],
    ['an unknown fault', 'play:\n  - work: { fault: tired }\n', /^3:20 unknown-value "tired"/],
    ['no act', 'play:\n  - work:\n', /^3:\d+ wrong-type /],
  ])('[T4] is reported: %s', (_what, lines, expected) => {
    expect(told(lines)).toContainEqual(expect.stringMatching(expected))
    expect(play(lines)).toMatchObject({ passed: false, path: [] })
  })

  it('[T4] is not called a runbook', () => {
    for (const message of told('pley: []\n')) expect(message).not.toContain('runbook')
  })

  it('[T4] needs the variables that a run needs', () => {
    const without = playScenarios(FLOW, 'play:\n  - work: done\n', 'path.yaml')[0]!
    expect(without.diagnostics).toMatchObject([
      { code: 'scenario', message: 'test needs the variable "issue".' },
    ])
    const misspelt = playScenarios(FLOW, 'vars: { isue: x }\nplay:\n  - work: done\n', 'path.yaml')[0]!
    expect(misspelt.diagnostics).toMatchObject([
      { message: 'test has no variable "isue"; did you mean "issue"?' },
    ])
  })
})

describe('a file of scenarios', () => {
  const many = (scenarios: string) => playScenarios(FLOW, `${VARS}scenarios:\n${scenarios}`, 'paths.yaml')
  const GOOD = '  - { scenario: Built, play: [{ work: done }] }\n'

  it('[T9] plays each, and one may go on where another ended', () => {
    const played = many(
      `${GOOD}  - { scenario: Shipped, after: Built, play: [{ review: good }, { sign_off: ship }], expect: { end: done } }\n`,
    )
    expect(played.map(({ name, passed, path, end }) => ({ name, passed, path, end }))).toEqual([
      { name: 'Built', passed: true, path: ['work.trial', 'work', 'review'], end: null },
      { name: 'Shipped', passed: true, path: ['work.trial', 'work', 'review', 'sign_off'], end: 'done' },
    ])
  })

  it('[T9] fails by the one that differs, and plays the others', () => {
    const played = many(`${GOOD}  - { scenario: Lost, play: [{ review: good }] }\n`)
    expect(played.map(({ passed }) => passed)).toEqual([true, false])
  })

  it('[T9] names what it goes on after, and no name twice', () => {
    const unknown = many(`${GOOD}  - { scenario: Lost, after: Bulit, play: [] }\n`)
    expect(unknown).toMatchObject([
      { passed: false, diagnostics: [{ message: 'There is no scenario "Bulit" above this one.' }] },
    ])
    expect(many(GOOD + GOOD)[0]!.diagnostics[0]!.message).toBe('There are two scenarios "Built".')
  })

  it('[T9] expects what counters have come to', () => {
    const { program } = given(`
      counters: { mishaps: 2 }
      agents: { dev: {} }
      steps: { a: { agent: dev, options: { good: done, bad: { to: retry, count: mishaps, then: done } } } }
    `)
    const played = (count: number) =>
      playScenarios(program, `play: [{ a: bad }]\nexpect: { counters: { mishaps: ${count} } }`, 'a.yaml')[0]!
    expect(played(1).passed).toBe(true)
    expect(played(2).diagnostics[0]!.message).toBe('Expected the count of mishaps 2, but it is 1.')
  })
})
