import { describe, expect, it } from 'vitest'
import { createMessageLines, LONGEST_MESSAGE } from './message-lines.ts'

function open() {
  const heard: string[] = []
  const refused: unknown[] = []
  const hear = createMessageLines({
    onMessage: (line) => heard.push(line),
    onRefusal: (line) => refused.push(JSON.parse(line)),
  })
  return { heard, refused, hear }
}

const refusal = (id: unknown, what: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32_600, message: `What you sent is ${what}. Send less.` },
})
const DEEP = `${'['.repeat(300)}${']'.repeat(300)}`

describe('messages in lines', () => {
  it('[K6] that are too much are refused to whoever waits, and the next is heard', () => {
    const { heard, refused, hear } = open()
    const wide = `[${'{},'.repeat(100_001)}{}]`
    for (const line of [
      `{"id":1,"method":"m","params":${DEEP}}`,
      `{"method":"told","params":${DEEP}}`,
      `{"method":"m","params":${wide},"id":"two"}`,
      `[${DEEP}]`,
      '{"id":3,"method":"m"}',
    ])
      hear(`${line}\n`)
    expect(refused).toEqual([
      refusal(1, 'nested deeper than 200 levels'),
      refusal('two', 'made of more than 100000 values'),
      refusal(null, 'nested deeper than 200 levels'),
    ])
    expect(heard).toEqual(['{"id":3,"method":"m"}'])
  })

  it('[K6] that are too long are not kept, and are refused once they have ended and said who waits', () => {
    const { heard, refused, hear } = open()
    for (const [beginning, end] of [
      ['{"id":4,"method":"m","params":{"a":"', '"}}'],
      ['{"method":"m","params":{"a":"', '"},"jsonrpc":"2.0","id":"last"}'],
    ] as const) {
      hear(beginning)
      for (let sent = 0; sent < 3 * LONGEST_MESSAGE; sent += 1_000_000) hear('\\"id}'.repeat(200_000))
      hear(end.slice(0, 3))
      hear(`${end.slice(3)}\n`)
    }
    // Nobody waits for what comes of that one.
    hear(`{"method":"told","params":"${'x'.repeat(LONGEST_MESSAGE)}"}\n`)
    hear('{"id":5}\r\n')
    expect(heard).toEqual(['{"id":5}'])
    expect(refused).toEqual([refusal(4, 'longer than 4 MiB'), refusal('last', 'longer than 4 MiB')])
  })

  it('[K6] as long as they may be are heard, and end at line feeds alone', () => {
    const { heard, refused, hear } = open()
    const longest = 'x'.repeat(LONGEST_MESSAGE)
    hear(longest)
    hear('\n{"a":"\u2028\u2029\u0085"}\n\n')
    expect(heard).toEqual([longest, '{"a":"\u2028\u2029\u0085"}'])
    expect(refused).toEqual([])
  })
})
