/** Waiting over HTTP for the answer to a decision from outside. */
import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { appOf, askerOf, openOperations, TOKEN } from './doors.fixture.ts'

const PATH = '/api/v1/decisions'

async function raised() {
  const { options, clock } = openOperations()
  const ask = askerOf(options)
  const { id } = (await ask(PATH, { body: { decision: EXAMPLE_DECISION } })).data as { id: string }
  const post = (verb: string, body: unknown = {}) => ask(`${PATH}/${id}/${verb}`, { body })
  return { options, clock, ask, id, post }
}

describe('a decision from outside', () => {
  it('is waited for within a bound, and its answer is kept for whoever waits later', async () => {
    const { ask, post, clock, id } = await raised()
    expect(await ask(`${PATH}/${id}/wait?seconds=0`)).toEqual({ status: 200, data: { answered: null } })
    const patient = ask(`${PATH}/${id}/wait?seconds=40.5`)
    while (clock.alarms() === 0) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(40_500)
    expect(await patient).toEqual({ status: 200, data: { answered: null } })
    await post('answer', { pick: 'redis', note: 'Because.' })
    const { data } = await ask(`${PATH}/${id}/wait`)
    expect(data).toMatchObject({
      status: 'delivered',
      pick: 'redis',
      note: 'Because.',
      edited: null,
      by: { kind: 'person', name: 'alice' },
    })
    for (const part of ['Picked: redis', 'Because.', EXAMPLE_DECISION.question])
      expect(data.answered).toContain(part)
    for (const seconds of ['46', '-1', 'x', ''])
      expect(await ask(`${PATH}/${id}/wait?seconds=${seconds}`)).toMatchObject({
        status: 400,
        data: { message: expect.stringMatching(/`seconds` must be a number from 0 to 45/) },
      })
    expect(await post('undo')).toMatchObject({ status: 409, data: { code: 'too-late' } })
    expect(await post('acted', { did: '' })).toMatchObject({ status: 400 })
    expect(await post('acted', { did: 'Moved to Redis.' })).toEqual({ status: 200, data: { done: true } })
  })

  it('takes no answer that is a book', async () => {
    const { post } = await raised()
    for (const body of [{ note: 'x'.repeat(4097) }, { pick: 'redis', edited: 'é'.repeat(2049) }])
      expect(await post('answer', body)).toMatchObject({
        status: 422,
        data: { code: 'invalid-answer', message: expect.stringMatching(/may have \d+ characters/) },
      })
  })

  it('is not taken for delivered where whoever waited had hung up', async () => {
    const { ask, post, clock, options, id } = await raised()
    const call = new AbortController()
    const { signal } = call
    const headers = { authorization: `Bearer ${TOKEN}`, host: '127.0.0.1:7474' }
    const waiting = appOf(options).request(`http://localhost${PATH}/${id}/wait`, { headers, signal })
    while (clock.alarms() === 0) await new Promise((resolve) => setImmediate(resolve))
    call.abort()
    await waiting
    await post('answer', { pick: 'redis' })
    expect(await ask(`${PATH}/${id}`)).toMatchObject({ data: { status: 'answered' } })
    expect(await post('undo')).toMatchObject({ status: 200 })
  })
})
