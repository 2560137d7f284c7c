import { describe, expect, it } from 'vitest'
import { compileSource } from './compile.ts'
import { certify } from './proof/certificate.ts'

const compile = (value: object) =>
  compileSource({ file: 'x.ts', value: { runbook: 1, agents: { dev: {} }, ...value } }, () => ({
    kind: 'unreadable',
    why: 'is not there',
  }))
const told = (value: object) => compile(value).diagnostics.map(({ code, message }) => `${code}: ${message}`)

const discovery = (more: object = {}) => ({
  discovery: {
    fields: { confidence: { type: 'choice', choices: ['high', 'low'], required: true } },
    ...more,
  },
})
const LOOK = { agent: 'dev', gives: 'discovery' }

describe('what an answer may leave out', () => {
  it('[C10] needs a row, where a handoff may come as notes or as its fallback', () => {
    const steps = { look: { ...LOOK, next: { confidence: { high: 'done', low: 'abandoned' } } } }
    const missing = ['incomplete-table: No row of "look" fits confidence = absent.']
    expect(told({ handoffs: discovery(), steps })).toEqual([])
    expect(told({ handoffs: discovery({ partial: true }), steps })).toEqual(missing)
    expect(told({ handoffs: discovery({ fallback: 'None.' }), steps })).toEqual(missing)
  })

  it('[C10] needs no row that no answer could take', () => {
    const fields = {
      a: { type: 'boolean', required: true },
      b: { type: 'boolean', required: true },
    }
    const when = [
      { name: 'none', if: { a: 'absent', b: 'absent' }, to: 'done' },
      { name: 'said', if: { a: [true, false], b: [true, false] }, to: 'done' },
    ]
    const steps = { look: { agent: 'dev', gives: 'paper', when } }
    // A fallback stands for all of it; notes may stand for a part.
    expect(told({ handoffs: { paper: { fields, fallback: 'None.' } }, steps })).toEqual([])
    expect(told({ handoffs: { paper: { fields, partial: true } }, steps })).toEqual([
      'incomplete-table: No row of "look" fits a = true, b = absent.',
    ])
    const half = { name: 'half', if: { a: true, b: 'absent' }, to: 'done' }
    const more = { look: { agent: 'dev', gives: 'paper', when: [half, ...when] } }
    expect(told({ handoffs: { paper: { fields, fallback: 'None.' } }, steps: more })).toEqual([
      'dead-row: This row can never match: no answer can have this combination.',
    ])
  })

  it('[C7] is taken by `else`, wherever that stands; one that has nothing to take is dead', () => {
    const next = (routes: object) => ({ look: { ...LOOK, next: { confidence: routes } } })
    const handoffs = discovery({ partial: true })
    expect(told({ handoffs, steps: next({ else: 'abandoned', high: 'done' }) })).toEqual([])
    const all = { high: 'done', low: 'done', absent: 'abandoned', else: 'abandoned' }
    expect(told({ handoffs, steps: next(all) })).toEqual([
      'dead-row: This row can never match: the rows above it take all it could.',
    ])
  })

  it('[L14] may be called like a value that is always there', () => {
    const asks = { owner: ['present', 'absent'] }
    const when = [{ if: { owner: 'absent' }, to: 'abandoned' }, { to: 'done' }]
    expect(told({ steps: { look: { agent: 'dev', asks, when } } })).toEqual([])
    expect(told({ steps: { look: { agent: 'dev', asks, when, optional: ['owner'] } } })).toEqual([
      'reserved-name: "owner" may be left out, so none of its values can be called "absent".',
    ])
  })
})

describe('a look-up', () => {
  const flow = (when: object[], text: string) => ({
    steps: {
      size: { agent: 'dev', asks: { effort: ['small', 'large'] }, optional: ['effort'], when },
      build: { agent: 'dev', prompt: text, next: 'done' },
    },
  })
  const absentFirst = [
    { if: { effort: 'absent' }, to: 'abandoned' },
    { name: 'said', to: 'build' },
  ]

  it('[C5] of a variable that may be left out needs a fallback', () => {
    const all = [{ if: { effort: 'large' }, to: 'build' }, { to: 'build' }]
    expect(told(flow(all, 'It is ${steps.size.effort}'))).toEqual([
      'unassigned: "build" looks up size.effort, which does not exist on every way to it.',
    ])
    expect(told(flow(all, 'It is ${steps.size.effort ?? "anyhow"}'))).toEqual([])
  })

  it('[C5] needs none behind a row that it cannot be absent in', () => {
    expect(told(flow(absentFirst, 'It is ${steps.size.effort}'))).toEqual([])
  })

  it('[C5] of a field that decides exists where its row says so, whatever came of the handoff', () => {
    const steps = (route: string) => ({
      look: { ...LOOK, next: { confidence: { [route]: 'build', else: 'abandoned' } } },
      build: { agent: 'dev', prompt: 'They are ${steps.look.confidence}', next: 'done' },
    })
    const handoffs = discovery({ partial: true, fallback: 'None.' })
    expect(told({ handoffs, steps: steps('high') })).toEqual([])
    expect(told({ handoffs, steps: steps('absent') })).toHaveLength(1)
  })
})

describe('the rows of a table', () => {
  const asks = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`v${n}`, ['a', 'b', 'c', 'd', 'e']]))

  it('[C7] [L3] are proved however many values there are that none of them tells apart', () => {
    const when = [{ if: { v0: 'a', v11: ['b', 'c'] }, to: 'done' }, { to: 'abandoned' }]
    expect(told({ steps: { sort: { agent: 'dev', asks, when } } })).toEqual([])
  })

  it('[L3] are refused, in bounded time, where they tell too many combinations apart', () => {
    const when = ['a', 'b', 'c', 'd'].map((value) => ({
      if: Object.fromEntries(Object.keys(asks).map((name) => [name, value])),
      to: 'done',
    }))
    expect(told({ steps: { sort: { agent: 'dev', asks, when: [...when, { to: 'done' }] } } })).toEqual([
      'incomplete-table: The table of "sort" tells 244,140,625 combinations apart, too many to prove complete.',
    ])
  })

  it('[L13] stand in the matrix by name and conditions', () => {
    const { program } = compile({
      steps: {
        sort: {
          agent: 'dev',
          asks: { risk: ['low', 'high'] },
          fields: { sure: 'boolean' },
          when: [
            { name: 'stop', if: { risk: 'high', sure: [false, 'absent'] }, to: 'abandoned' },
            { if: { risk: 'high' }, to: 'done' },
            { name: 'go', to: 'done' },
          ],
        },
      },
    })
    const answers = certify(program!).matrix.filter(({ kind }) => kind === 'answer')
    expect(answers.map(({ outcome, label }) => [outcome, label])).toEqual([
      ['stop', 'stop: risk = high, sure = false | absent'],
      ['row-2', 'risk = high'],
      ['go', 'go: otherwise'],
    ])
  })

  it('[L13] without new keys compile to what they always did', () => {
    const { program } = compile({
      steps: {
        sort: {
          agent: 'dev',
          asks: { risk: ['low', 'high'] },
          when: [{ if: { risk: 'high' }, to: 'abandoned' }, { to: 'done' }],
        },
      },
    })
    const { contract } = program!.steps['sort']!
    expect(Object.keys(contract)).toEqual(['variables', 'rows', 'handoff', 'fields'])
    expect(contract.variables.map((variable) => Object.keys(variable))).toEqual([['name', 'options']])
    expect(contract.rows).toEqual([
      { outcome: 'row-1', when: { risk: ['high'] } },
      { outcome: 'row-2', when: {} },
    ])
  })

  it('[L2] that name what cannot decide are told of that, and blamed for nothing else', () => {
    const asks = { risk: ['low', 'high'] }
    const when = [
      { if: { why: 'so' }, to: 'done' },
      { if: { risk: 'low' }, to: 'done' },
      { if: { risk: 'high' }, to: 'abandoned' },
    ]
    expect(told({ steps: { sort: { agent: 'dev', asks, when, fields: { why: 'text' } } } })).toEqual([
      'routed-field: The field "why" is of type text, and only a choice or a boolean can decide where an answer leads.',
    ])
  })

  it('[L4] [L13] cannot take a name of every object', () => {
    const when = [{ name: 'constructor', if: { risk: 'high' }, to: 'done' }, { to: 'done' }]
    expect(told({ steps: { sort: { agent: 'dev', asks: { risk: ['low', 'high'] }, when } } })).toEqual([
      'bad-name: A row cannot be called "constructor".',
    ])
  })

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'])(
    '[L3] [L4] refuse a variable or a field called %s without falling over it',
    (name) => {
      const asks = JSON.parse(`{ "${name}": ["low", "high"], "risk": ["low", "high"] }`)
      const fields = JSON.parse(`{ "${name}": { "type": "choice", "choices": ["low", "high"] } }`)
      const when = (subject: string) => [
        { if: JSON.parse(`{ "${subject}": "low" }`), to: 'done' },
        { to: 'abandoned' },
      ]
      for (const subject of ['risk', name]) {
        const sorts = { agent: 'dev', asks, when: when(subject) }
        const looks = { agent: 'dev', asks: { risk: ['low', 'high'] }, fields, when: when(subject) }
        for (const step of [sorts, looks])
          expect(told({ steps: { sort: step } }).join('\n')).toContain(`"${name}" cannot name`)
      }
    },
  )

  it('[L13] of a field that both answer and handoff have mean the answer', () => {
    const fields = { confidence: { type: 'choice', choices: ['full', 'none'], required: true } }
    const next = { confidence: { full: 'done', none: 'abandoned' } }
    expect(told({ handoffs: discovery(), steps: { look: { ...LOOK, fields, next } } })).toEqual([])
  })
})
