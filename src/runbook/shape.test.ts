import { describe, expect, it } from 'vitest'
import { createReport } from './report.ts'
import { checkShape, type Shape } from './shape.ts'
import { readYaml } from './yaml.ts'

const doc = 'What it is for.'
const text: Shape = { kind: 'text', doc }
const choice: Shape = { kind: 'text', doc, values: ['exit', 'json'] }
const count: Shape = { kind: 'integer', doc, min: 1, max: 9 }
const price: Shape = { kind: 'number', doc, min: 0, max: 9 }
const flag: Shape = { kind: 'boolean', doc }
const time: Shape = { kind: 'duration', doc }
const scalar: Shape = { kind: 'any-scalar', doc }
const list: Shape = { kind: 'list', doc, of: text, least: 1 }
const steps: Shape = { kind: 'map', doc, noun: 'option', of: count, least: 2 }
const object: Shape = { kind: 'object', doc, fields: { to: text, max: count }, required: ['to'] }
const either: Shape = { kind: 'either', doc, of: [text, list, object] }

/** What is said of a value that stands under the key `a`. */
function said(shape: Shape, yaml: string): string[] {
  const report = createReport('flow.yaml')
  const whole: Shape = { kind: 'object', doc: 'A flow.', fields: { a: shape }, required: [] }
  checkShape(readYaml(`a: ${yaml}`, report)!, whole, report)
  return report.diagnostics.map(({ code, at, message }) => `${at.line}:${at.column} ${code} ${message}`)
}

describe('a shape', () => {
  it.each([
    ['text', text, 'words'],
    ['a word of a few', choice, 'json'],
    ['a whole number', count, '9'],
    ['a number', price, '1.5'],
    ['yes or no', flag, 'false'],
    ['a duration', time, '1h30m'],
    ['any scalar', scalar, '7'],
    ['a list', list, '[x]'],
    ['a map', steps, '{ x: 1, y-2_Z: 2 }'],
    ['an object', object, '{ to: x, max: 2 }'],
    ['one of several', either, '[x]'],
  ])('takes %s', (_, shape, yaml) => {
    expect(said(shape, yaml)).toEqual([])
  })

  it.each([
    ['text', text, '5', '1:4 wrong-type `a` should be text, not 5.'],
    ['text', text, '', '1:4 wrong-type `a` should be text, not nothing.'],
    ['text', text, '[x]', '1:4 wrong-type `a` should be text, not a list.'],
    ['a word of a few', choice, 'yaml', '1:4 unknown-value "yaml" is not a value of `a`.'],
    ['a word of a few', choice, 'true', '1:4 wrong-type `a` should be one of exit, json, not true.'],
    ['a whole number', count, '1.5', '1:4 wrong-type `a` should be a whole number, not 1.5.'],
    ['a whole number', count, '10', '1:4 wrong-type `a` should be from 1 to 9, not 10.'],
    ['a whole number', count, '"3"', '1:4 wrong-type `a` should be a whole number, not the text "3".'],
    ['a number', price, '-1', '1:4 wrong-type `a` should be from 0 to 9, not -1.'],
    ['yes or no', flag, 'yes', '1:4 wrong-type `a` should be true or false, not the text "yes".'],
    ['a duration', time, '30', '1:4 wrong-type `a` should be a duration such as 30m, not 30.'],
    ['a duration', time, '30 min', '1:4 wrong-type "30 min" is not a duration.'],
    ['any scalar', scalar, '{}', '1:4 wrong-type `a` should be text, a number or true/false, not a map.'],
    ['a list', list, '[]', '1:4 wrong-type `a` needs at least 1 item.'],
    ['a list', list, '[x, 2]', '1:8 wrong-type `a.1` should be text, not 2.'],
    ['a map', steps, '[x]', '1:4 wrong-type `a` should be a map of options, not a list.'],
    ['a map', steps, '{ x: 1 }', '1:4 wrong-type `a` needs at least 2 options.'],
    ['a map', steps, '{ x: 1, "y z": 2 }', '1:12 bad-name "y z" cannot name an option.'],
    ['an object', object, '{ to: x, mx: 1 }', '1:13 unknown-key `mx` is not a key of `a`.'],
    ['an object', object, '{ max: 1 }', '1:4 missing-key `a` has no `to`.'],
    ['an object', object, '{ to: x, constructor: 1 }', '1:13 unknown-key `constructor` is not a key of `a`.'],
  ])('[L2] of %s says what is wrong', (_, shape, yaml, expected) => {
    expect(said(shape, yaml)).toEqual([expected])
  })

  it('[L2] of several alternatives tells a value against the one it meant', () => {
    expect(said(either, '{ to: 5 }')).toEqual(['1:10 wrong-type `a.to` should be text, not 5.'])
    expect(said(either, '5')).toEqual(['1:4 wrong-type `a` should be text or a list or a map, not 5.'])
  })

  it('[L2] says all that is wrong at once', () => {
    expect(said(object, '{ max: 99, tO: x }')).toEqual([
      '1:11 wrong-type `a.max` should be from 1 to 9, not 99.',
      '1:15 unknown-key `tO` is not a key of `a`.',
      '1:4 missing-key `a` has no `to`.',
    ])
  })

  it('[L3] quotes a long text in brief', () => {
    const [message = ''] = said(flag, `"${'x '.repeat(5_000)}"`)
    expect(message).toMatch(/^1:4 wrong-type `a` should be true or false, not the text "x x .*…"\.$/)
    expect(message.length).toBeLessThan(200)
  })
})
