/** JSON as people lay it out, with one member more, and without it again. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withMember, withoutMember } from './json-member.ts'

const PATH = ['servers', 'us']
const put = (text: string) => withMember(text, { path: PATH, value: { run: ['it'] } })

describe('a member put into JSON', () => {
  it.each([
    ['{}', '{"servers": { "us": { "run": ["it"] } }}'],
    ['{ }\n', '{"servers": { "us": { "run": ["it"] } } }\n'],
    ['{"a":1}', '{"a":1, "servers": { "us": { "run": ["it"] } }}'],
    ['{"servers":{"a":[1,{"b":"}"}]}}', '{"servers":{"a":[1,{"b":"}"}], "us": { "run": ["it"] }}}'],
    [
      '{\n\t"servers": {\n\t\t"a": {}\n\t},\n\t"z": 1e5\n}\n',
      '{\n\t"servers": {\n\t\t"a": {},\n\t\t"us": {\n\t\t\t"run": [\n\t\t\t\t"it"\n\t\t\t]\n\t\t}\n\t},\n\t"z": 1e5\n}\n',
    ],
    ['{\r\n    "servers": {}\r\n}', '{\r\n    "servers": {"us": { "run": ["it"] }}\r\n}'],
    [
      '\ufeff{\r\n  "a": 1\r\n}',
      '\ufeff{\r\n  "a": 1,\r\n  "servers": {\r\n    "us": {\r\n      "run": [\r\n        "it"\r\n      ]\r\n    }\r\n  }\r\n}',
    ],
  ])('%j', (text, expected) => {
    expect(put(text)).toBe(expected)
    expect(JSON.parse(put(text).replace('\ufeff', ''))).toMatchObject({ servers: { us: { run: ['it'] } } })
    expect(withoutMember(put(text), PATH)).toBe(text)
  })

  it.each([
    ['{"servers":{"us":{"old":[1]},"b":2}}', '{"servers":{"us":{\n  "run": [\n    "it"\n  ]\n},"b":2}}'],
    ['\ufeff{"servers":{"\\u0075s":1}}', '\ufeff{"servers":{"\\u0075s":{\n  "run": [\n    "it"\n  ]\n}}}'],
  ])('takes the place of one that is there: %j', (text, expected) => {
    expect(put(text)).toBe(expected)
  })

  it('leaves strings, numbers and spaces of others as they were', () => {
    const rest = '"a" :  "\\"}{[,\\\\" , "b":[ 1.50 , -0, "\\u00e4", null,true ]'
    const after = put(`{ ${rest} }`)
    expect(after).toBe(`{ ${rest}, "servers": { "us": { "run": ["it"] } } }`)
  })

  it('takes the last of two members with one name, as parsers do', () => {
    expect(JSON.parse(put('{"servers":{"a":1},"servers":{"b":2}}'))).toEqual({
      servers: { b: 2, us: { run: ['it'] } },
    })
  })

  it.each([
    ['{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "servers": {'],
    ['{\n  "a": 1, // one\n}', '{\n  "a": 1, // one\n  "servers": {'],
    ['{ "a": 1 // one\n}', '{ "a": 1, // one\n"servers": {'],
    ['{ "a": "//" /* { */ }', '{ "a": "//", /* { */ "servers": {'],
    ['{ // nothing "yet" {\n}', '{"servers": { "us": { "run": ["it"] } } // nothing "yet" {\n}'],
    [
      '// top\n{\n  /* a */ "a": [1, // }\n 2],\n}\n',
      '// top\n{\n  /* a */ "a": [1, // }\n 2],\n  "servers": {',
    ],
  ])('keeps comments where they are: %j', (text, begins) => {
    expect(put(text).slice(0, begins.length)).toBe(begins)
    expect(withoutMember(put(text), PATH)).toBe(text)
  })
})

describe('a member taken out of JSON', () => {
  it('leaves nothing of a text that was made for it', () => {
    expect(withoutMember('{\n  "servers": {\n    "us": 1\n  }\n}\n', PATH)).toBeNull()
  })

  it('leaves what came beside it since', () => {
    expect(withoutMember('{ "servers": { "us": 1, "b": 2 } }', PATH)).toBe('{ "servers": { "b": 2 } }')
    expect(withoutMember('{ "servers": { "us": 1 }, "b": 2 }', PATH)).toBe('{ "b": 2 }')
    expect(withoutMember('{ "servers": { // mine\n "us": 1 } }', PATH)).toBe('{ "servers": { // mine\n } }')
    expect(withoutMember('{ "a": 1, // one\n "servers": { "us": 1 } }', PATH)).toBe('{ "a": 1 // one\n }')
  })

  it('leaves a text as it is that has none', () => {
    for (const text of ['{}', '{"servers":{}}', '{"servers":{"a":1}}'])
      expect(withoutMember(text, PATH)).toBe(text)
  })

  it('[V16] puts back any text to the byte', () => {
    const space = fc.constantFrom('', ' ', '\n  ', '\n\t', ' // a "note" {,\n  ', ' /* } */ ')
    const scalar = fc.constantFrom(
      '1',
      '"x"',
      '"a\\"}, //b"',
      'null',
      '[ 1, {"k": 2} ]',
      '{}',
      '{ "in": [] }',
    )
    const member = fc
      .tuple(space, fc.constantFrom('a', 'b', 'c', 'd'), space, scalar, space)
      .map(([before, key, between, value, after]) => `${before}"${key}":${between}${value}${after}`)
    const object = fc
      .tuple(fc.array(member, { maxLength: 3 }), space, fc.constantFrom('', ','))
      .map(([members, end, comma]) => `{${members.join(',')}${members.length > 0 ? comma : ''}${end}}`)
    const text = fc.oneof(
      object,
      fc
        .tuple(object, space, member)
        .map(([servers, before, other]) => `{${before}"servers": ${servers},${other}}`),
      object.map((servers) => `{ "servers":${servers}}\n`),
    )
    fc.assert(
      fc.property(text, (before) => {
        expect(withoutMember(put(before), PATH)).toBe(before)
      }),
      { numRuns: 2000 },
    )
  })
})
