import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headOf } from './message-head.ts'

const DEEP = `${'['.repeat(5_000)}${']'.repeat(5_000)}`

describe('the head of a message that is too much', () => {
  it.each<[string, object]>([
    [`{"jsonrpc":"2.0","id":7,"method":"a/b","params":${DEEP}}`, { id: 7, method: 'a/b' }],
    [` {"params":${DEEP} , "method" : "a" , "id" : "x\\"y\\u0041" }`, { id: 'x"yA', method: 'a' }],
    [`{"id":-1.5e3,"params":${DEEP}`, { id: -1500 }],
    ['{"params":{"id":1,"method":"a"},"x":["id",{"id":2}]}', {}],
    ['{"a":"id","b":"\\"id\\":3","c":["method"]}', {}],
    ['{"id":null,"method":1}', {}],
    ['{"id":{"id":1},"method":["a"]}', {}],
    [`{"id":"${'x'.repeat(5_000)}","method":"a"}`, { method: 'a' }],
    ['[{"id":1,"method":"a"}]', {}],
    ['{"id":1', {}],
    ['{"i\\u0064":1}', { id: 1 }],
    ['{"id":"1', {}],
    ['nothing', {}],
    ['', {}],
  ])('[K6] is read from its top alone: %.40s', (text, head) => {
    expect(headOf(text)).toEqual(head)
  })

  it('[K6] is what a parser finds, wherever it stands', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    )
    const message = fc.record(
      { id: scalar, method: fc.string({ maxLength: 20 }), params: fc.jsonValue(), 'an id': fc.jsonValue() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(message, fc.constantFrom(0, 2), (said, space) => {
        const text = JSON.stringify(said, null, space)
        const { id, method } = JSON.parse(text) as { id?: unknown; method?: unknown }
        expect(headOf(text)).toEqual({
          ...(id === undefined ? {} : { id }),
          ...(method === undefined ? {} : { method }),
        })
      }),
    )
  })

  it('[K6] of any text is found without falling', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '"', 'id', ':', '1', ',', '}', '\\', '[') }),
        (text) => void headOf(text),
      ),
    )
  })
})
