import { describe, expect, expectTypeOf, it } from 'vitest'
import { type Call, requestOf } from './request.ts'

describe('a call', () => {
  it('becomes a request, with whatever it says kept apart from the path', () => {
    const params = { id: 'a/b?c' }
    const body = { pick: 'redis' }
    expect(requestOf('POST /api/v1/decisions/{id}/answer', { params, body })).toEqual({
      method: 'POST',
      path: '/api/v1/decisions/a%2Fb%3Fc/answer',
      body: '{"pick":"redis"}',
    })
    const query = { status: 'all', agent: 'a&b=c d', cursor: null, run: undefined } as const
    expect(requestOf('GET /api/v1/decisions', { query })).toEqual({
      method: 'GET',
      path: '/api/v1/decisions?status=all&agent=a%26b%3Dc%20d',
      body: null,
    })
  })

  it('takes what its route takes, and nothing else', () => {
    expectTypeOf<keyof Call<'GET /api/v1/health'>>().toBeNever()
    expectTypeOf<Call<'GET /api/v1/runs/{run}'>>().toEqualTypeOf<{
      readonly params: { readonly run: string }
    }>()
    expectTypeOf<{ params: { id: string }; body: { until: boolean } }>().not.toExtend<
      Call<'POST /api/v1/decisions/{id}/snooze'>
    >()
  })
})
