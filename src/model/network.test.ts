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
    [['on', ['*']], ['*']],
    [
      [
        ['*', 'localhost:80'],
        ['a.com', '*.b.com:443', 'localhost:80'],
      ],
      ['a.com', '*.b.com:443', 'localhost:80'],
    ],
  ] as const)('[X6] %j is %j', (words, expected) => {
    expect(tightestNetwork(words)).toEqual(expected)
    expect(tightestNetwork([...words].reverse())).toEqual(expected)
  })

  it.each([
    'localhost',
    'LOCALHOST:80',
    'a.localhost:80',
    '127.0.0.1',
    '10.0.0.5:80',
    '0x7f.1',
    '2130706433',
    '127.0x1',
  ])('[X13] %s opens nothing where your config says `on` or `*`', (host) => {
    for (const all of ['on', ['*']] as const) {
      expect(tightestNetwork([all, [host]])).toBe('off')
      expect(tightestNetwork([all, [host, 'a.com']])).toEqual(['a.com'])
    }
    expect(tightestNetwork([['*', host], [host]])).toEqual([host.toLowerCase()])
  })
})

it.each([
  ['registry.npmjs.org', true],
  ['*.example.com', true],
  ['localhost:8080', true],
  ['https://a.com', false],
  ['a.com/path', false],
  ['*', true],
  ['*:443', false],
  ['a..b', false],
  ['', false],
])('%s is a host: %s', (text, expected) => {
  expect(isHost(text)).toBe(expected)
})
