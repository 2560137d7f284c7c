/** What of an agent's copy of a login may become part of the user's. */
import { describe, expect, it } from 'vitest'
import { refreshedLogin } from './refreshed-login.ts'

const OWN = {
  auth_mode: 'chatgpt',
  OPENAI_API_KEY: null,
  tokens: { id_token: 'a.b.c', access_token: 'old-access', refresh_token: 'old-refresh', account_id: 'me' },
  last_refresh: '2026-11-01T00:00:00Z',
}
const refreshed = (copy: unknown, own: unknown = OWN) =>
  refreshedLogin(JSON.stringify(own), typeof copy === 'string' ? copy : JSON.stringify(copy))
const merged = (copy: unknown, own: unknown = OWN): unknown => {
  const found = refreshed(copy, own)
  return found.kind === 'refreshed' ? JSON.parse(found.text) : found
}

describe('a refreshed login', () => {
  it.each([
    [OWN, { ...OWN, tokens: { ...OWN.tokens, access_token: 'new' }, last_refresh: '2026-11-20T00:00:00Z' }],
    [
      { claudeAiOauth: { accessToken: 'a', refreshToken: 'b', expiresAt: 1, scopes: ['x'] } },
      { claudeAiOauth: { accessToken: 'c', refreshToken: 'd', expiresAt: 2, scopes: ['x'] } },
    ],
    [
      {
        anthropic: { type: 'oauth', refresh: 'a', access: 'b', expires: 1 },
        other: { type: 'api', key: 'k' },
      },
      {
        anthropic: { type: 'oauth', refresh: 'c', access: 'd', expires: 2 },
        other: { type: 'api', key: 'k' },
      },
    ],
    [
      { access_token: 'a', refresh_token: 'b', expiry_date: 1, resource_url: 'portal.example' },
      { access_token: 'c', refresh_token: 'd', expiry_date: 2, resource_url: 'portal.example' },
    ],
  ])('[X16] has its tokens and their times: %j', (own, copy) => {
    expect(merged(copy, own)).toEqual(copy)
  })

  it('[X16] has nothing else of the copy: no key, no other value, no other order', () => {
    const copy = {
      evil: 'rm -rf /',
      ...OWN,
      OPENAI_API_KEY: 'theirs',
      auth_mode: 'apikey',
      tokens: { ...OWN.tokens, access_token: 'new', account_id: 'theirs', helper: '/bin/evil' },
    }
    expect(merged(copy)).toEqual({ ...OWN, tokens: { ...OWN.tokens, access_token: 'new' } })
    expect(merged({ ...OWN, tokens: 'none' })).toEqual({ kind: 'same' })
    expect(merged({ ...OWN, ['__proto__']: { tokens: 1 } })).toEqual({ kind: 'same' })
  })

  it.each([
    ['is text with a line break', 'new\nAuthorization: evil'],
    ['has a blank', 'new token'],
    ['is empty', ''],
    ['is a list', ['new']],
    ['is a map', { a: 1 }],
    ['is nothing', null],
    ['is missing', undefined],
    ['is a number', 7],
    ['is too long', 'x'.repeat(20_000)],
    ['is no ASCII', 'tökén'],
  ])('[X16] is refused where a token %s', (_what, access) => {
    expect(refreshed({ ...OWN, tokens: { ...OWN.tokens, access_token: access } })).toEqual({
      kind: 'refused',
      why: 'its tokens.access_token is not a token',
    })
  })

  it('[X16] is refused where the copy or the login is something else', () => {
    for (const copy of ['', '[]', '7', '{"tokens":', 'null', '\0'])
      expect(refreshed(copy)).toMatchObject({ kind: 'refused', why: 'the copy is not JSON' })
    expect(refreshedLogin('KEY: value\n', '{}')).toMatchObject({ kind: 'refused' })
  })
})
