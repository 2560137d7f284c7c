import { describe, expect, it } from 'vitest'
import { mayLeadTo, parseTarget, type Reach, reachOf } from './hosts.ts'

const reach = (authority: string, ...patterns: string[]) => reachOf(parseTarget(authority)!, patterns)

describe('which hosts may be reached', () => {
  it.each([
    ['example.com:443', 'example.com', 'private'],
    ['EXAMPLE.com.:443', 'example.com', 'private'],
    ['münchen.example:443', 'xn--mnchen-3ya.example', 'private'],
    ['example.com:443', 'Example.Com:443', 'private'],
    ['example.com:80', 'example.com:443', null],
    ['api.example.com:443', 'example.com', null],
    ['api.example.com:443', '*.example.com', 'public'],
    ['a.b.example.com:443', '*.example.com:443', 'public'],
    ['a.example.com:80', '*.example.com:443', null],
    ['example.com:443', '*.example.com', null],
    ['evilexample.com:443', '*.example.com', null],
    ['example.com.evil.org:443', '*.example.com', null],
    ['anything.org:22', '*', 'private'],
    ['10.0.0.5:443', '10.0.0.5', 'machine'],
    ['127.0.0.1:8080', 'localhost', null],
    ['localhost:8080', 'localhost:8080', 'machine'],
    ['[::1]:80', '::1', 'machine'],
    ['[0:0:0:0:0:0:0:1]:80', '[::1]:80', 'machine'],
    ['0x7f.0.0.1:80', '127.0.0.1', 'machine'],
    ['2130706433:80', '*', 'private'],
    ['localhost:80', '*', 'private'],
  ] as const)('%s by %s: %s', (authority, pattern, expected) => {
    expect(reach(authority, pattern)).toBe(expected)
  })

  it('takes the widest of several', () => {
    expect(reach('db.example.com:5432', '*', '*.example.com', 'db.example.com')).toBe('private')
  })
})

describe('an address of a client', () => {
  it.each([
    '',
    'example.com',
    'example.com:0',
    'example.com:70000',
    'user@example.com:80',
    'a b:80',
    '[::1:80',
  ])('is none: %j', (authority) => {
    expect(parseTarget(authority)).toBeNull()
  })

  it('is read as it would be resolved', () => {
    expect(parseTarget('0x7f.1:80')).toEqual({ host: '127.0.0.1', port: 80 })
    expect(parseTarget('[::FFFF:127.0.0.1]:80')).toEqual({ host: '::ffff:7f00:1', port: 80 })
    expect(parseTarget('example.com', 80)).toEqual({ host: 'example.com', port: 80 })
  })
})

describe('where a name may lead', () => {
  const least: [address: string, reach: Reach][] = [
    ['93.184.216.34', 'public'],
    ['2606:4700::1111', 'public'],
    ...['10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', 'fd12::1'].map((a): [string, Reach] => [
      a,
      'private',
    ]),
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '169.254.169.254', '::1', '::', 'fe80::1'].map(
      (a): [string, Reach] => [a, 'machine'],
    ),
    ...[
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'fe80::1%eth0',
    ].map((a): [string, Reach] => [a, 'machine']),
    ...['::ffff:203.0.113.9', '::ffff:cb00:7109', '0:0:0:0:0:ffff:cb00:7109'].map((a): [string, Reach] => [
      a,
      'machine',
    ]),
    ...['224.0.0.1', '255.255.255.255', 'ff02::1', 'fd00:ec2::254', '203.0.113.9', '2001:db8:0::9'].map(
      (a): [string, Reach] => [a, 'machine'],
    ),
  ]
  it.each(least)('[D21] %s takes a reach that is %s', (address, needed) => {
    const order: Reach[] = ['public', 'private', 'machine']
    const own = ['203.0.113.9', '2001:db8::9']
    expect(order.filter((reach) => mayLeadTo(address, reach, own))).toEqual(
      order.slice(order.indexOf(needed)),
    )
  })
})
