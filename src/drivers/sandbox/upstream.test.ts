import { expect, it } from 'vitest'
import { goesThrough, upstreamIn } from './upstream.ts'

it('[D24] is found in the usual variables, in either case, with or without a scheme', () => {
  expect(upstreamIn({})).toBeNull()
  expect(upstreamIn({ HTTPS_PROXY: '' })).toBeNull()
  expect(upstreamIn({ HTTPS_PROXY: 'socks5://a:1' })).toBeNull()
  expect(upstreamIn({ http_proxy: 'proxy.corp:3128' })?.url.host).toBe('proxy.corp:3128')
  expect(upstreamIn({ HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://b:2' })?.url.host).toBe('a:1')
})

it.each([
  ['corp.example', 'db.corp.example', false],
  ['.corp.example', 'corp.example', false],
  ['*.corp.example', 'db.corp.example', false],
  ['corp.example', 'notcorp.example', true],
  ['corp.example:80', 'corp.example', true],
  ['corp.example:443', 'corp.example', false],
  ['a.example, corp.example', 'corp.example', false],
  ['*', 'anything.example', false],
  ['', 'anything.example', true],
])('[D24] with NO_PROXY %j %s goes through: %s', (NO_PROXY, host, expected) => {
  const upstream = upstreamIn({ HTTPS_PROXY: 'http://proxy:1', NO_PROXY })!
  expect(goesThrough(upstream, { host, port: 443 })).toBe(expected)
})
