/** The door of a session, on a real socket. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSessionDoor } from './session-door.ts'

interface Asked {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly body: string
}

async function serve(status: number, answer: unknown): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8')
    })
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      asked.push({ method, path, token: headers.authorization ?? '', body })
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

describe("a session's own door", () => {
  it('raises a question in the name of the session', async () => {
    const { url, asked } = await serve(201, { id: 'd1' })
    const door = openSessionDoor({ url, token: 'secret' })
    expect(await door.create({ headline: 'A' })).toEqual({ id: 'd1' })
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/api/v1/session/decisions',
        token: 'Bearer secret',
        body: '{"headline":"A"}',
      },
    ])
  })

  it('waits for the answer, as long as it was told', async () => {
    const { url, asked } = await serve(200, { answered: 'Picked: a' })
    expect(await openSessionDoor({ url, token: 't' }).wait('d 1', 2_000)).toEqual({ answered: 'Picked: a' })
    expect(asked[0]?.path).toBe('/api/v1/session/decisions/d%201/wait?seconds=2')
  })

  it('knows that there is no answer yet', async () => {
    for (const nothing of [null, { answered: null }]) {
      const { url } = await serve(200, nothing)
      expect(await openSessionDoor({ url, token: 't' }).wait('d1', 0)).toBeNull()
    }
  })

  it('hands on what is wrong, and says when nobody is there', async () => {
    const { url } = await serve(422, { code: 'invalid-decision', message: '`headline` is missing.' })
    expect(await openSessionDoor({ url, token: 't' }).create({})).toEqual({
      code: 'invalid-decision',
      problem: '`headline` is missing.',
    })
    await expect(openSessionDoor({ url: 'http://127.0.0.1:1', token: 't' }).create({})).rejects.toThrow(
      'The host of this session does not answer',
    )
  })
})
