import { describe, expect, it } from 'vitest'
import { isErrorInJson, isModelError, meaningOfError } from './error-meaning.ts'

const NOW = Date.parse('2026-07-04T12:00:00Z')
const INTERNAL = -32603

describe('an error of an agent', () => {
  it.each<[string, unknown, string]>([
    ['a limit of claude', { errorKind: 'rate_limit' }, 'limited'],
    ['an empty account of claude', { errorKind: 'billing_error' }, 'limited'],
    ['a missing login of claude', { errorKind: 'authentication_failed' }, 'login'],
    ['an overload of claude', { errorKind: 'overloaded' }, 'failed'],
    ['a limit of codex', { codexErrorInfo: 'usageLimitExceeded' }, 'limited'],
    ['a missing login of codex', { codexErrorInfo: 'unauthorized' }, 'login'],
    [
      'a status that codex met',
      { codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 429 } } },
      'limited',
    ],
    ['another', { codexErrorInfo: { responseTooManyFailedAttempts: { httpStatusCode: 401 } } }, 'login'],
    ['a failure of codex', { codexErrorInfo: 'serverOverloaded' }, 'failed'],
    ['a status', { status: 429 }, 'limited'],
    ['a status as text', { error: { statusCode: '401' } }, 'login'],
    ['the words of an API', { cause: { error: { type: 'insufficient_quota' } } }, 'limited'],
    ['no more than a message', { message: 'no' }, 'failed'],
    ['an unknown kind', { errorKind: 'toString' }, 'failed'],
  ])('[D31] is read from its fields: %s', (_, data, kind) => {
    // Whatever its text says of a limit or a login.
    const message = kind === 'limited' ? 'Please log in' : 'Something happened'
    expect(meaningOfError({ code: INTERNAL, message, data }, NOW).kind).toBe(kind)
  })

  it('[D31] of a kind that is known is not judged by its text', () => {
    const error = { code: INTERNAL, message: 'Rate limit reached', data: { errorKind: 'overloaded' } }
    expect(meaningOfError(error, NOW)).toEqual({ kind: 'failed' })
  })

  it.each([
    [-32000, 'Something happened', 'login'],
    [-32003, 'Something happened', 'limited'],
    [INTERNAL, 'Rate limit reached', 'limited'],
    [INTERNAL, 'Please log in', 'login'],
    [INTERNAL, 'The engine is cold', 'failed'],
  ])('[D31] is then read from its code %i, and last from its text', (code, message, kind) => {
    expect(meaningOfError({ code, message }, NOW).kind).toBe(kind)
  })

  it('[D31] a limit is over when its text says so, wherever its kind stands', () => {
    const error = { code: INTERNAL, message: 'Try again in 5 minutes.', data: { errorKind: 'rate_limit' } }
    expect(meaningOfError(error, NOW)).toEqual({ kind: 'limited', until: NOW + 300_000 })
  })

  it('[D31] is read in bounded time, however deep or wide it is', () => {
    let deep: unknown = { errorKind: 'rate_limit' }
    for (let level = 0; level < 1000; level += 1) deep = { deep }
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, { index }]))
    for (const data of [deep, wide])
      expect(meaningOfError({ code: INTERNAL, message: 'no', data }, NOW)).toEqual({ kind: 'failed' })
  })
})

describe('a message that holds nothing but an error', () => {
  it.each([
    '500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}',
    'Error: 500 Internal Server Error',
    'HTTP 503: Service Unavailable',
    '502 Bad Gateway',
    '{"type":"error","error":{"type":"overloaded_error"}}',
    '[{"error":{"code":500,"message":"Internal","status":"INTERNAL"}}]',
    '{"error":"upstream failed"}',
  ])('[D31] is told from work: %s', (text) => {
    expect(isModelError(text)).toBe(true)
  })

  it.each([
    '500 lines were changed.',
    'I mended it.\nError: was there',
    '{"decision":"poor","error":"npm test failed"}',
    '{"notes":"done"}',
    '404 pages are now styled.',
  ])('[D31] is not read into %s', (text) => {
    expect(isModelError(text)).toBe(false)
    expect(isErrorInJson(text)).toBe(false)
  })
})
