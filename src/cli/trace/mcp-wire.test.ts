/** Messages overheard at a door: in one body, in a stream, and from nobody we know. */
import { describe, expect, it } from 'vitest'
import { overheard } from './mcp-wire.ts'

type Heard = [direction: string, message: unknown]

function setUp(answer: (request: Request) => Response | Promise<Response>) {
  const heard: Heard[] = []
  let closed = false
  const door = overheard(
    {
      fetch: async (request) => answer(request),
      close: async () => {
        closed = true
      },
    },
    (token) => (token === 'known' ? (direction, message) => heard.push([direction, message]) : null),
  )
  const send = (body: string | null, token = 'known') =>
    door.fetch(
      new Request('http://localhost/mcp', {
        method: body === null ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'x-more': 'kept' },
        body,
      }),
    )
  return { heard, send, door, closed: () => closed }
}

const json = (value: unknown) => Response.json(value, { status: 207, headers: { 'x-answer': 'kept' } })

describe('a door that is overheard', () => {
  it('passes requests and answers on as they are, and tells each message', async () => {
    const { heard, send, door, closed } = setUp(async (request) =>
      json({ id: 1, echo: await request.text(), more: request.headers.get('x-more') }),
    )
    const response = await send('{"id":1, "method":"tools/list"}')
    expect(response.status).toBe(207)
    expect(response.headers.get('x-answer')).toBe('kept')
    const answer = { id: 1, echo: '{"id":1, "method":"tools/list"}', more: 'kept' }
    expect(await response.json()).toEqual(answer)
    expect(heard).toEqual([
      ['in', { id: 1, method: 'tools/list' }],
      ['out', answer],
    ])
    await door.close()
    expect(closed()).toBe(true)
  })

  it('tells several in one body one by one, and what is no JSON as it is', async () => {
    const { heard, send } = setUp(() => new Response('not found', { status: 404 }))
    await send('[{"id":1},{"id":2}]')
    expect(heard).toEqual([
      ['in', { id: 1 }],
      ['in', { id: 2 }],
      ['out', 'not found'],
    ])
  })

  it('tells events of a stream when they pass, wherever it is cut', async () => {
    const text =
      'event: message\r\ndata: {"id":1,\ndata: "text":"ä€"}\r\n\r\n: quiet\n\ndata: {"id":2}\n\ndata: {"id":3}'
    const bytes = new TextEncoder().encode(text)
    for (const size of [1, 2, 7, bytes.length]) {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
          controller.close()
        },
      })
      const { heard, send } = setUp(
        () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
      )
      expect(await (await send(null)).text()).toBe(text)
      expect(heard).toEqual([
        ['out', { id: 1, text: 'ä€' }],
        ['out', { id: 2 }],
        ['out', { id: 3 }],
      ])
    }
  })

  it('tells an event before the next one is there', async () => {
    let push = (_text: string): void => {}
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        push = (text) => controller.enqueue(new TextEncoder().encode(text))
      },
    })
    const { heard, send } = setUp(
      () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    )
    const reader = (await send('{"id":1}')).body!.getReader()
    push('data: {"id":1}\n\n')
    await reader.read()
    expect(heard).toEqual([
      ['in', { id: 1 }],
      ['out', { id: 1 }],
    ])
    await reader.cancel()
  })

  it('leaves alone what it is not to hear', async () => {
    const { heard, send } = setUp(() => new Response(null, { status: 202 }))
    expect((await send('{}', 'unknown')).status).toBe(202)
    expect((await send('{}')).status).toBe(202)
    expect(heard).toEqual([['in', {}]])
  })
})
