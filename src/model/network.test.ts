import { describe, expect, it } from 'vitest'
import { isHost, tightestNetwork } from './network.ts'

describe('what several words on the network come to', () => {
  it.each([
    [[], 'on'],
    [[undefined, undefined], 'on'],
    [['on', undefined], 'on'],
    [['on', 'off'], 'off'],
    [['off', ['a.com']], 'off'],
    [['on', ['a.com']], ['a.com']],
    [
      [
        ['a.com', 'b.com'],
        ['b.com', 'c.com'],
      ],
      ['b.com'],
    ],
    [[['a.com'], ['b.com']], 'off'],
    [[['*.a.com'], ['x.a.com', 'a.com']], ['x.a.com']],
    [[['x.y.a.com'], ['*.a.com'], ['*.y.a.com']], ['x.y.a.com']],
    [[['a.com'], ['a.com:443', 'b.com']], ['a.com:443']],
    [[['a.com:80'], ['a.com:443']], 'off'],
    [[['A.com'], ['a.COM']], ['a.com']],
    [[['evil-a.com'], ['*.a.com']], 'off'],
    [[[], ['a.com']], 'off'],
  ] as const)('[X6] %j is %j', (words, expected) => {
    expect(tightestNetwork(words)).toEqual(expected)
    expect(tightestNetwork([...words].reverse())).toEqual(expected)
  })
})

it.each([
  ['registry.npmjs.org', true],
  ['*.example.com', true],
  ['localhost:8080', true],
  ['https://a.com', false],
  ['a.com/path', false],
  ['*', false],
  ['a..b', false],
  ['', false],
])('%s is a host: %s', (text, expected) => {
  expect(isHost(text)).toBe(expected)
})
