import { describe, expect, it } from 'vitest'
import { createReport } from '../report.ts'
import { readYaml } from '../yaml/read.ts'
import { checkShape, type Shape } from './shape.ts'

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
    ['a whole number', count, '0o17', '1:4 wrong-type `a` should be from 1 to 9, not 0o17.'],
    ['a whole number', count, '1e3', '1:4 wrong-type `a` should be from 1 to 9, not 1e3.'],
    ['text', text, '1.10', '1:4 wrong-type `a` should be text, not 1.10.'],
    ['a number', price, '-1', '1:4 wrong-type `a` should be from 0 to 9, not -1.'],
    ['yes or no', flag, 'yes', '1:4 wrong-type `a` should be true or false, not the text "yes".'],
    ['a duration', time, '30', '1:4 wrong-type `a` should be a duration such as 30m, not 30.'],
    ['a duration', time, '30 min', '1:4 wrong-type "30 min" is not a duration.'],
    ['any scalar', scalar, '{}', '1:4 wrong-type `a` should be text, a number or true/false, not a map.'],
    ['a list', list, '[]', '1:4 wrong-type `a` needs at least 1 item.'],
    ['a list', list, '[x, 2]', '1:8 wrong-type `a.1` should be text, not 2.'],
    ['a map', steps, '[x]', '1:4 wrong-type `a` should be a map of options, not a list.'],
    ['a map', steps, '{ x: 1 }', '1:4 wrong-type `a` needs at least 2 options.'],
    [
      'a map',
      steps,
      '{ x: 1, "y z": 2 }',
      '1:12 bad-name "y z" cannot name an option: a space is not allowed in a name.',
    ],
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

  it('[L19] does not miss a key that stands there misspelt', () => {
    expect(said(object, '{ tO: x }')).toEqual(['1:6 unknown-key `tO` is not a key of `a`.'])
  })

  it('[L2] says all that is wrong at once', () => {
    expect(said(object, '{ max: 99, goal: x }')).toEqual([
      '1:11 wrong-type `a.max` should be from 1 to 9, not 99.',
      '1:15 unknown-key `goal` is not a key of `a`.',
      '1:4 missing-key `a` has no `to`.',
    ])
  })

  it.each([
    [flag, 'yes', 'Write `a: true`.'],
    [flag, 'Off', 'Write `a: false`.'],
    [count, '"3"', 'Write `a: 3`.'],
    [text, '1.10', 'Write `a: "1.10"`.'],
    [list, 'x', 'Write `a: [x]`.'],
    [time, '30', 'Write `a: 30s`.'],
    [steps, '[go, stop]', 'Write `a: { go: …, stop: … }`.'],
    [steps, '[{ name: go, to: x }, { name: stop }]', 'Write `a: { go: { to: x }, … }`.'],
    [steps, '[go: { to: x, max: 2 }]', 'Write `a: { go: { to: x, … } }`.'],
    [text, '{}', doc],
  ])('[L2] [L16] says what would be right, in the words that stand there', (shape, yaml, help) => {
    const report = createReport('flow.yaml')
    const whole: Shape = { kind: 'object', doc: 'A flow.', fields: { a: shape }, required: [] }
    checkShape(readYaml(`a: ${yaml}`, report)!, whole, report)
    expect(report.diagnostics.map((diagnostic) => diagnostic.help)).toEqual([help])
  })

  it.each([
    ['prüfen', '"ü" is not allowed in a name', 'pruefen'],
    ['run tests', 'a space is not allowed in a name', 'run_tests'],
    ['Étape', '"É" is not allowed in a name', 'Etape'],
    ['a\u00a0b', 'a no-break space (U+00A0) is not allowed in a name', 'a_b'],
    ['1st', 'it starts with "1"', 'st'],
    ['a.b', '"." is not allowed in a name', 'a_b'],
    ['x'.repeat(70), 'it has 70 characters', 'x'.repeat(64)],
  ])('[L2] of a map says why %j is no name', (name, why, near) => {
    const report = createReport('flow.yaml')
    checkShape(readYaml(`{ ${JSON.stringify(name)}: 1, b: 2 }`, report)!, steps, report)
    const [finding] = report.diagnostics
    expect(finding?.message).toMatch(
      new RegExp(`^"\\S.*" cannot name an option: ${why.replaceAll(/[.()+]/g, '\\$&')}\\.$`),
    )
    expect(finding?.help).toMatch(new RegExp(`at most: ${near}\\.$`))
  })

  it('[L3] quotes a long text in brief', () => {
    const [message = ''] = said(flag, `"${'x '.repeat(5_000)}"`)
    expect(message).toMatch(/^1:4 wrong-type `a` should be true or false, not the text "x x .*…"\.$/)
    expect(message.length).toBeLessThan(200)
  })
})
