/** The live stream with a cursor: whatever was, then whatever comes, each event once and in order. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StoredEvent } from '../host/operations.ts'
import { appOf, askerOf, openOperations, serveOwner, TOKEN, tokenOf } from './doors.fixture.ts'
import type { ServerOptions } from './server.ts'

interface Listening {
  /** What has been said so far. */
  readonly text: () => string
  readonly events: () => readonly StoredEvent[]
  readonly leave: () => Promise<void>
  /** Reads until it holds. */
  readonly until: (holds: () => boolean) => Promise<void>
}

async function listen(
  options: ServerOptions,
  {
    query = '',
    lastId,
    token = TOKEN,
  }: { readonly query?: string; readonly lastId?: string; readonly token?: string } = {},
): Promise<Listening> {
  const headers = new Headers({ host: 'localhost', authorization: `Bearer ${token}` })
  if (lastId !== undefined) headers.set('last-event-id', lastId)
  const response = await appOf(options).request(`http://localhost/api/v1/stream${query}`, { headers })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader.cancel().catch(() => undefined))
  let text = ''
  return {
    text: () => text,
    events: () =>
      text
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice(6)) as StoredEvent),
    leave: () => reader.cancel(),
    until: async (holds) => {
      while (!holds()) {
        const { value, done } = await reader.read()
        if (done) throw new Error('the stream ended')
        text += value
      }
    },
  }
}

const positions = (events: readonly StoredEvent[]): number[] => events.map(({ position }) => position)

describe('the stream with a cursor', () => {
  it('[V4] tells what came after it, then what comes, without gap or duplicate', async () => {
    const { options, operations, begin } = openOperations()
    await begin('one')
    await begin('two')
    const all = await operations.eventsAfter(0, 1000)
    for (const ask of [{ query: '?after=3' }, { lastId: '3' }, { query: '?after=1', lastId: '3' }]) {
      const heard = await listen(options, ask)
      await heard.until(() => heard.events().length >= all.length - 3)
      expect(heard.events()).toEqual(all.slice(3))
      await heard.leave()
    }
    const heard = await listen(options, { query: '?after=0' })
    // While it still tells what was.
    await Promise.all([begin('three'), begin('four')])
    const after = await operations.eventsAfter(0, 1000)
    await heard.until(() => heard.events().length >= after.length)
    await begin('five')
    const whole = await operations.eventsAfter(0, 1000)
    await heard.until(() => heard.events().length >= whole.length)
    expect(heard.events()).toEqual(whole)
  })

  it('[V4] goes on where a client that was cut off had been, over more than a page', async () => {
    const { options, operations, host, begin } = openOperations()
    await begin()
    const heard = await listen(options, { query: '?after=0' })
    await heard.until(() => heard.events().length >= 2)
    await heard.leave()
    const last = heard.events().at(-1)!.position
    for (let n = 0; n < 450; n++)
      await host.journal.append({
        stream: 'other',
        expected: n,
        events: [{ type: 'noted', at: n, data: { n } }],
        tickets: [],
        retire: [],
        settle: null,
        rows: [],
      })
    const again = await listen(options, { lastId: `${last}` })
    const all = positions(await operations.eventsAfter(0, 1000))
    await again.until(() => again.events().at(-1)?.position === all.at(-1))
    const told = [...positions(heard.events()), ...positions(again.events())]
    expect(told).toEqual(all)
  })

  it('begins with what is new where there is no cursor', async () => {
    const { options, operations, begin } = openOperations()
    await begin('before')
    const heard = await listen(options)
    await heard.until(() => heard.text().includes('event: ready'))
    const run = await begin('after')
    const events = await operations.events(run, 0)
    await heard.until(() => heard.events().length >= events.length)
    expect(heard.events()).toEqual(events)
  })

  it('refuses a cursor that is none', async () => {
    const { options } = openOperations()
    const ask = askerOf(options)
    for (const query of ['after=x', 'after=-1', 'after=1.5', 'since=3'])
      expect(await ask(`/api/v1/stream?${query}`)).toMatchObject({
        status: 400,
        data: { code: 'bad-request' },
      })
    const headers = { host: 'localhost', authorization: `Bearer ${TOKEN}`, 'last-event-id': 'x' }
    const response = await appOf(options).request('/api/v1/stream', { headers })
    expect(response.status).toBe(400)
  })

  it('says that it is still there, and stops saying so when the client leaves', async () => {
    const { options } = openOperations()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const heard = await listen({ ...options, heartbeatMs: 5 })
    await heard.until(() => heard.text().split(': still here\n\n').length > 3)
    expect(heard.events()).toEqual([])
    await heard.leave()
    const deadline = Date.now() + 10_000
    while (timers() > before && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve))
    expect(timers()).toBeLessThanOrEqual(before)
  })

  it('[V1] ends for whoever is taken off the list', async () => {
    const { options, people } = openOperations()
    const token = tokenOf('maria')
    const heard = await listen({ ...options, heartbeatMs: 5 }, { token })
    await heard.until(() => heard.text().includes('still here'))
    people.delete('maria')
    await expect(heard.until(() => false)).rejects.toThrow('the stream ended')
  })

  it('can be read a page at a time', async () => {
    const { options, operations, begin } = openOperations()
    await begin()
    const ask = askerOf(options)
    const all = await operations.eventsAfter(0, 1000)
    expect((await ask('/api/v1/events')).data).toEqual(all)
    expect((await ask('/api/v1/events?after=1&limit=2')).data).toEqual(all.slice(1, 3))
    expect(await ask('/api/v1/events?limit=5000')).toMatchObject({ status: 400 })
  })

  it('does not hold the server back from ending', async () => {
    const { options } = openOperations()
    const { server, fetch } = await serveOwner({ ...options, heartbeatMs: 5 })
    const streams = await Promise.all([1, 2, 3].map(() => fetch('/api/v1/stream?after=0')))
    await server.close()
    await Promise.all(streams.map((stream) => stream.text().catch(() => '')))
  })
})
