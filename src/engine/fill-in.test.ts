import { expect, it } from 'vitest'
import type { DecisionForm } from '../model/decision-form.ts'
import { fillIn } from './fill-in.ts'

const field = { say: '', requiredFor: [], choices: [] }
const FORM: DecisionForm = {
  fields: [
    { ...field, name: 'store', type: 'choice', requiredFor: ['submit'], choices: ['a', 'b'] },
    { ...field, name: 'tags', type: 'list' },
    { ...field, name: 'port', type: 'number' },
  ],
  proposed: { port: 80 },
}
const filled = (pick: string, fields: object, form = FORM) =>
  fillIn(form, pick, { kind: 'value', value: { pick, fields } })

it('[Q36] what is filled in is held to the fields, and defaults hold where nothing is said', () => {
  expect(filled('submit', { store: 'a', tags: [] })).toEqual({ fields: { store: 'a', port: 80 } })
  expect(filled('submit', { store: 'a', port: 8080 })).toEqual({ fields: { store: 'a', port: 8080 } })
  expect(filled('submit', {})).toEqual({ problem: '`store` is missing.' })
  expect(filled('submit', { store: 'c', port: 'x' })).toEqual({
    problem: '`store` is "c", not one of a, b.\n`port` is the string "x", not a number.',
  })
})

it('[Q36] nothing is sent where nobody fills in anything', () => {
  const optional = { fields: [{ ...field, name: 'why', type: 'text' as const }], proposed: {} }
  expect(filled('submit', {}, optional)).toHaveProperty('problem')
  expect(filled('no-answer', { why: 'x' }, optional)).toEqual({})
  expect(fillIn(FORM, '', { kind: 'nothing' })).toEqual({})
  expect(fillIn(undefined, 'a', { kind: 'value', value: 'a' })).toEqual({})
})
