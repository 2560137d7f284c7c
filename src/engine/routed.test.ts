/** Tables that decide on fields, on handoffs and on what an answer leaves out, in a run. */
import { describe, expect, it } from 'vitest'
import { compile, given } from './given.fixture.ts'
import { briefOf } from './views/brief.ts'
import { givenFor } from './views/pick.ts'
import { questionsOf } from './views/question.ts'
import { openedIn } from './views/shown.ts'

const ends = 'ends: { sure: S, unsure: U, silent: X, rest: R }'
const world = () => undefined

const FIELD = `
  ${ends}
  steps:
    look:
      agent: dev
      nudges: 1
      fields:
        confidence: { type: choice, choices: [high, medium, low] }
        why: { type: text, required_for: [low] }
      next: { confidence: { high: sure, low: unsure, absent: silent, else: rest } }
`

describe('a field of the answer', () => {
  it.each([
    [{ confidence: 'high' }, 'sure'],
    [{ confidence: 'low', why: 'No tests' }, 'unsure'],
    [{ confidence: 'medium' }, 'rest'],
    [{}, 'silent'],
    [{ confidence: null }, 'silent'],
    [{ confidence: '' }, 'silent'],
  ])('[L13] [L14] decides: %j leads to %s', (answer, end) => {
    expect(given(FIELD).started().answer('look', answer).place).toBe(`ended: ${end}`)
  })

  it('[A2] that is wrong is told as a wrong field, with an answer that would do', () => {
    const { message } = given(FIELD).started().answer('look', { confidence: 'hgih' }).event('answer.refused')
    expect(message).toContain('- `confidence` is "hgih", not one of high, medium, low.')
    expect(message).toContain('- `why` (text) is needed with low (confidence = low).')
    expect(message).toContain('{"confidence":"high"}')
  })

  it('[A1] is known before what its outcome needs is missed', () => {
    const { message } = given(FIELD).started().answer('look', { confidence: 'low' }).event('answer.refused')
    expect(message).toContain('- `why` is missing.')
    expect(message).toContain('{"confidence":"low","why":"what why says"}')
  })

  it('[L13] may be a boolean, in a table with variables', () => {
    const flow = `
      ${ends}
      steps:
        look:
          agent: dev
          asks: { size: [small, large] }
          optional: [size]
          fields: { safe: { type: boolean, required: true } }
          when:
            - { name: quick, if: { size: [small, absent], safe: true }, to: sure }
            - { name: never, if: { safe: false }, to: unsure }
            - { to: rest }
    `
    const outcome = (answer: object) =>
      given(flow).started().answer('look', answer).event('visit.left').outcome
    expect(outcome({ safe: true })).toBe('quick')
    expect(outcome({ safe: true, size: 'large' })).toBe('row-3')
    expect(outcome({ safe: false, size: 'large' })).toBe('never')
    const { message, validity } = given(flow)
      .started()
      .answer('look', { size: 'small' })
      .event('answer.refused')
    expect(validity).toBe('invalid-value')
    expect(message).toContain('- `safe` is missing.')
    expect(message).toContain('- `size` may be left out; else it is one of: small, large.')
  })

  it('[A14] decides at a check that prints JSON', () => {
    const flow = `
      ${ends}
      steps:
        look:
          check: ./look
          answers: json
          fields: { ok: boolean }
          next: { ok: { true: sure, false: unsure, absent: silent } }
    `
    const printed = (output: string) => given(flow).started().check('look', 0, output).place
    expect(printed('{"ok": true}')).toBe('ended: sure')
    expect(printed('{"ok": false}')).toBe('ended: unsure')
    expect(printed('{}')).toBe('ended: silent')
  })
})

const HANDOFF = (more: string) => `
  ${ends}
  handoffs:
    discovery:
      fields: { direction: { type: text, required: true }, confidence: { type: choice, choices: [high, low], required: true } }
      ${more}
  steps:
    look: { agent: dev, gives: discovery, nudges: 1, next: { confidence: { high: sure, low: unsure${more === '' ? '' : ', absent: silent'} } } }
`
const FULL = { direction: 'North', confidence: 'high' }

describe('a field of the handoff', () => {
  it('[L13] decides', () => {
    const run = given(HANDOFF('')).started()
    expect(run.answer('look', { handoff: FULL }).place).toBe('ended: sure')
  })

  it('[H2] that is wrong is told to the agent while nudges last', () => {
    const run = given(HANDOFF('partial: true')).started().answer('look', { notes: 'All told here' })
    const { message } = run.event('answer.refused')
    expect(message).toContain('- `handoff` is missing.')
    expect(message).toContain('{"handoff":{"confidence":"high","direction":"what direction says"}}')
  })

  it('[H3] [L14] is absent after the nudges, where notes or a fallback stand for the handoff', () => {
    const partly = given(HANDOFF('partial: true')).started().answer('look', {})
    expect(partly.answer('look', { notes: 'All told here' }).place).toBe('ended: silent')
    const none = given(HANDOFF('fallback: Nothing is known')).started().answer('look', {})
    expect(none.answerNothing('look').place).toBe('ended: silent')
  })

  it('[H3] still decides where notes let the rest of a handoff stand, and not where a fallback stands for it', () => {
    const partly = given(HANDOFF('partial: true')).started().answer('look', {})
    const said = { handoff: { confidence: 'low' } }
    expect(partly.answer('look', { ...said, notes: 'No direction yet' }).place).toBe('ended: unsure')
    const none = given(HANDOFF('fallback: Nothing is known')).started().answer('look', {})
    expect(none.answer('look', said).place).toBe('ended: silent')
  })
})

describe('a person in the stead of the agent', () => {
  const asked = (flow: string) => given(flow).started().fault('look', 'failed')
  const card = (run: ReturnType<typeof asked>) => questionsOf(run.program, run.state, world)[0]!
  const pick = (run: ReturnType<typeof asked>, outcome: string, note = '') => {
    const { given: picked } = givenFor(card(run), outcome, {})
    if (picked.kind !== 'value') throw new Error('nothing is given')
    return run.person(picked.value as object, { note })
  }

  it.each([
    ['high', 'sure'],
    ['absent', 'silent'],
    ['else', 'rest'],
  ])('[R15] who picks %s gets it', (outcome, end) => {
    expect(pick(asked(FIELD), outcome).place).toBe(`ended: ${end}`)
  })

  it('[R15] picks among rows that say what they stand for, and is not asked for what they decide', () => {
    const run = asked(FIELD)
    const around = { stream: 's', repo: 'r', world, askerAt: () => null }
    const { shown } = openedIn(run.program, run.state, { question: card(run).id, around })!
    expect(shown.options.slice(0, 4)).toMatchObject([
      { key: 'high', body: 'confidence = high' },
      { key: 'low', body: 'confidence = low' },
      { key: 'absent', body: 'confidence = absent' },
      { key: 'else', body: 'otherwise' },
    ])
    expect(shown.fields.map(({ name }) => name)).toEqual(['why'])
  })

  it('[Q14] is shown a row as final and as theirs alone where an option of it is', () => {
    const run = given(`
      steps:
        look:
          agent: dev
          asks: { act: { keep: Keep it, drop: { confirm: true, reversible: false } } }
          when: [{ name: stay, if: { act: keep }, to: done }, { name: go, to: abandoned }]
    `)
      .started()
      .answer('look', { act: 'drop' })
    const around = { stream: 's', repo: 'r', world, askerAt: () => null }
    const { shown } = openedIn(run.program, run.state, { question: card(run).id, around })!
    expect(shown.options.slice(0, 2)).toMatchObject([
      { key: 'stay', reversible: true },
      { key: 'go', reversible: false, confirm: true },
    ])
  })

  it('[R15] may leave the handoff to its fallback, and is told what is missing where they spoke of it', () => {
    const flow = HANDOFF('fallback: Nothing is known')
    expect(pick(asked(flow), 'absent').place).toBe('ended: silent')
    const refusal = asked(flow).refuses.person({ handoff: { confidence: 'high' } })
    expect(refusal).toMatchObject({ code: 'invalid-answer' })
    expect(refusal.message).toContain('`direction` is missing.')
  })

  it('[R7] makes a handoff partial by a note', () => {
    const run = pick(asked(HANDOFF('partial: true')), 'low', 'I asked around')
    expect(run.place).toBe('ended: unsure')
    expect(run.event('visit.left').answer).toMatchObject({
      notes: 'I asked around',
      handoff: { quality: 'partial', values: { confidence: 'low' } },
    })
  })

  const CONFIRMED = `
    ${ends}
    steps:
      look:
        agent: dev
        asks: { act: { keep: Keep it, drop: { say: Drop it, confirm: true } }, size: [small, large] }
        optional: [size]
        fields: { sure: boolean, why: text }
        when:
          - { name: plain, if: { sure: [true, absent], size: absent }, to: sure }
          - { to: rest }
  `
  const proposed = (answer: object) => given(CONFIRMED).started().answer('look', answer)

  it('[R7] [R15] who takes what was proposed takes it as it was, absences too', () => {
    const run = proposed({ act: 'drop', sure: true, why: 'Stale' })
    expect(run.question).toMatchObject({ cause: 'proposal', proposal: { outcome: 'plain' } })
    expect(pick(run, 'plain').event('visit.left').answer).toMatchObject({
      outcome: 'plain',
      choices: { act: 'drop' },
      fields: { sure: true, why: 'Stale' },
    })
  })

  it('[R15] who takes another row takes nothing of what was proposed', () => {
    const left = pick(proposed({ act: 'drop', size: 'large', why: 'Stale' }), 'plain').event('visit.left')
    expect(left).toMatchObject({ outcome: 'plain', answer: { fields: { sure: true } } })
    expect(left.answer?.choices).toEqual({ act: 'keep' })
  })
})

describe('a panel', () => {
  it('[P7] that two members lead to one row is told what the first of them said', () => {
    const run = given(`
      ${ends}
      steps:
        look:
          panel: [anna, ben]
          fields: { a: boolean, b: boolean }
          when:
            - { name: both, if: { a: true, b: true }, to: sure }
            - { name: some, to: rest }
    `).started()
    run.answer('look@anna', { a: true }).answer('look@ben', { b: true })
    expect(run.event('visit.left').answer).toMatchObject({ outcome: 'some', fields: { a: true } })
    expect(run.event('visit.left').answer?.fields).not.toHaveProperty('b')
  })
})

describe('a row', () => {
  const NAMED = `
    ${ends}
    steps:
      look:
        agent: dev
        asks: { risk: [high, low] }
        when: [{ name: high, if: { risk: high }, to: unsure }, { name: calm, to: sure }]
        gate: { run: npm test, for: [calm] }
  `

  it('[L13] is guarded by its name', () => {
    expect(given(NAMED).started().answer('look', { risk: 'high' }).place).toBe('ended: unsure')
    const run = given(NAMED).started().answer('look', { risk: 'low' })
    expect(run.event('answer.given')).toMatchObject({ gated: true, answer: { outcome: 'calm' } })
  })

  it('[L13] that bears the name of an option is not taken for it', () => {
    const run = given(NAMED).started()
    expect(briefOf(run.program, run.state, 0, world).options).toMatchObject([
      { value: 'high', leadsTo: '' },
      { value: 'low', leadsTo: '' },
    ])
    const [card] = questionsOf(run.program, run.fault('look', 'failed').state, world)
    expect(card!.choices[0]).toMatchObject({ outcome: 'high', option: null })
  })

  it('[L9] cannot be reached by an exit code', () => {
    const { diagnostics } = compile(
      'steps: { look: { check: ls, fields: {}, asks: { p: [a, b] }, when: [{ to: done }] } }',
    )
    expect(diagnostics.map(({ code }) => code)).toContain('missing-exit')
  })
})
