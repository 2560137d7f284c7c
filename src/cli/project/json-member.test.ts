/** JSON as people lay it out, with one member more. */
import { describe, expect, it } from 'vitest'
import { withMember } from './json-member.ts'

const put = (text: string) => withMember(text, { path: ['servers', 'us'], value: { run: ['it'] } })

describe('a member put into JSON', () => {
  it.each([
    ['{}', '{\n  "servers": {\n    "us": {\n      "run": [\n        "it"\n      ]\n    }\n  }\n}'],
    ['{ }\n', '{\n  "servers": {\n    "us": {\n      "run": [\n        "it"\n      ]\n    }\n  }\n}\n'],
    ['{"a":1}', '{"a":1, "servers": {"us":{"run":["it"]}}}'],
    ['{"servers":{"a":[1,{"b":"}"}]}}', '{"servers":{"a":[1,{"b":"}"}], "us": {"run":["it"]}}}'],
    [
      '{\n\t"servers": {\n\t\t"a": {}\n\t},\n\t"z": 1e5\n}\n',
      '{\n\t"servers": {\n\t\t"a": {},\n\t\t"us": {\n\t\t\t"run": [\n\t\t\t\t"it"\n\t\t\t]\n\t\t}\n\t},\n\t"z": 1e5\n}\n',
    ],
    [
      '{\r\n    "servers": {}\r\n}',
      '{\r\n    "servers": {\r\n        "us": {\r\n            "run": [\r\n                "it"\r\n            ]\r\n        }\r\n    }\r\n}',
    ],
    ['{"servers":{"us":{"old":[1]},"b":2}}', '{"servers":{"us":{\n  "run": [\n    "it"\n  ]\n},"b":2}}'],
    ['\ufeff{"servers":{"\\u0075s":1}}', '\ufeff{"servers":{"\\u0075s":{\n  "run": [\n    "it"\n  ]\n}}}'],
  ])('%j', (text, expected) => {
    expect(put(text)).toBe(expected)
    expect(JSON.parse(put(text).replace('\ufeff', ''))).toMatchObject({ servers: { us: { run: ['it'] } } })
  })

  it('leaves strings, numbers and spaces of others as they were', () => {
    const rest = '"a" :  "\\"}{[,\\\\" , "b":[ 1.50 , -0, "\\u00e4", null,true ]'
    const after = put(`{ ${rest} }`)
    expect(after).toBe(`{ ${rest}, "servers": {"us":{"run":["it"]}} }`)
  })

  it('takes the last of two members with one name, as parsers do', () => {
    expect(JSON.parse(put('{"servers":{"a":1},"servers":{"b":2}}'))).toEqual({
      servers: { b: 2, us: { run: ['it'] } },
    })
  })
})
