import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Operations, StoredEvent } from '../host/operations.ts'
import { programOf, startOf } from '../host/runs/runs.fixture.ts'
import type { Actor } from '../model/answer.ts'
import { ROUTES } from '../model/api/routes.ts'
import { until } from '../until.fixture.ts'
import { appOf, askerOf, openOperations, SIGN_OFF, serveOwner, TOKEN } from './doors.fixture.ts'
import { type ServerOptions, startServer } from './server.ts'

describe('who may come in', () => {
  it.each([
    ['no token', null],
    ['another token', 'not-the-token-of-this-host'],
    ['one that begins alike', `${TOKEN}x`],
    ['an empty one', ''],
  ])('is not whoever has %s', async (_, token) => {
    const ask = askerOf(openOperations().options)
    for (const path of ['/runs', '/runs/x', '/decisions', '/decisions/x', '/stream', '/kept/x', '/nothing'])
      expect(await ask(`/api/v1${path}`, { token })).toMatchObject({
        status: 401,
        data: { code: 'unauthorized' },
      })
    expect(await ask('/api/v1/runs', { token, body: {} })).toMatchObject({ status: 401 })
  })

  it('is nobody by another name than this machine’s', async () => {
    const ask = askerOf(openOperations().options)
    for (const host of ['evil.example', 'evil.example:7474', '127.0.0.1.evil.example', '10.0.0.1:7474', ''])
      for (const path of ['/api/v1/runs', '/api/v1/health', '/mcp'])
        expect(await ask(path, { host })).toMatchObject({ status: 403, data: { code: 'wrong-host' } })
    for (const host of ['localhost', 'localhost:7474', '[::1]:7474', '127.0.0.1'])
      expect(await ask('/api/v1/runs', { host })).toMatchObject({ status: 200 })
  })

  it('is everybody who asks for the version, and agents at their own door', async () => {
    const ask = askerOf(openOperations().options)
    expect(await ask('/api/v1/health', { token: null })).toEqual({ status: 200, data: { version: '1.2.3' } })
    expect(await ask('/mcp', { token: null })).toEqual({ status: 200, data: 'mcp' })
  })
})

describe('what is refused', () => {
  it.each([
    ['not JSON', 'x{'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['no runbook', '{}'],
    ['a number as runbook', '{"runbook":1,"dir":"/"}'],
    ['a number as base', '{"runbook":"/a","dir":"/","base":1}'],
    ['variables that are no texts', '{"runbook":"/a","dir":"/","vars":{"a":1}}'],
  ])('a start with %s', async (_, body) => {
    const ask = askerOf(openOperations().options)
    expect(await ask('/api/v1/runs', { body })).toMatchObject({
      status: 400,
      data: { code: 'bad-request', message: expect.stringMatching(/\.$/) },
    })
  })

  it.each([
    ['not JSON', 'x'],
    ['no kind', '{}'],
    ['an unknown kind', '{"kind":"explode"}'],
    ['a move to nowhere', '{"kind":"move"}'],
    ['an extension without amount', '{"kind":"extend","budget":"rework"}'],
    ['an answer, which is given to a decision', '{"kind":"answer","question":"q"}'],
    ['a reason that is a number', '{"kind":"cancel","reason":1}'],
  ])('an action with %s', async (_, body) => {
    const { options, begin } = openOperations()
    const run = await begin()
    expect(await askerOf(options)(`/api/v1/runs/${run}/actions`, { body })).toMatchObject({
      status: 400,
      data: { code: 'bad-request' },
    })
  })

  it.each([
    ['that is nested too deep', `${'['.repeat(201)}${']'.repeat(201)}`, 'nested deeper than 200 levels'],
    ['of too many values', `[${'{},'.repeat(100_000)}{}]`, 'made of more than 100000 values'],
  ])('[K6] a body %s, with what may be', async (_, odd, words) => {
    const { options } = openOperations()
    expect(await askerOf(options)('/api/v1/runs', { body: `{"runbook":${odd}}` })).toMatchObject({
      status: 400,
      data: { code: 'bad-request', message: `The body is ${words}.` },
    })
  })

  it('a body that is too large, told by its length or not', async () => {
    const { options } = openOperations()
    const large = `{"runbook":"${'x'.repeat(5 * 1024 * 1024)}"}`
    expect(await askerOf(options)('/api/v1/runs', { body: large })).toMatchObject({
      status: 413,
      data: { code: 'too-large' },
    })
    const { socket: socketPath } = await serveOwner(options)
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { 'transfer-encoding': 'chunked' }
      const asked = { socketPath, path: '/api/v1/runs', method: 'POST', headers }
      const sent = request(asked, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject)
      // It is answered before all of it is sent.
      sent.on('socket', (socket) => socket.on('error', () => {}))
      sent.end(large)
    })
    expect(status).toBe(413)
  })

  it('a run that is not there', async () => {
    const ask = askerOf(openOperations().options)
    expect(await ask('/api/v1/runs/gone')).toMatchObject({
      status: 404,
      data: { code: 'unknown-run', message: expect.stringContaining('"gone"') },
    })
    expect(await ask('/api/v1/find?prefix=gone')).toMatchObject({
      status: 404,
      data: { code: 'unknown-run' },
    })
    for (const kind of ['cancel', 'retry', 'discard'])
      expect(await ask('/api/v1/runs/gone/actions', { body: { kind } })).toMatchObject({
        status: 404,
        data: { code: 'unknown-run' },
      })
    expect(await ask('/api/v1/kept/abc')).toMatchObject({ status: 404 })
    expect(await ask('/api/v1/runs/gone/events')).toEqual({ status: 200, data: [] })
    expect(await ask('/api/v1/nothing')).toMatchObject({ status: 404, data: { code: 'not-found' } })
  })

  it('a method that an address does not take, saying which it does', async () => {
    const { options } = openOperations()
    const ask = askerOf(options)
    const headers = { host: 'localhost', authorization: `Bearer ${TOKEN}` }
    const plain = await appOf(options).request('/api/v1/runs', { method: 'DELETE', headers })
    expect(plain.headers.get('allow')).toBe('GET, POST')
    const away = {
      status: 405,
      data: { code: 'wrong-method', message: '/api/v1/runs takes GET or POST, not DELETE.' },
    }
    expect(await ask('/api/v1/runs', { method: 'DELETE' })).toEqual(away)
    expect(await ask('/api/v1/decisions/x', { method: 'PUT' })).toMatchObject({ status: 405 })
    expect(await ask('/api/v1/runs', { method: 'DELETE', token: null })).toMatchObject({ status: 401 })
  })

  it('the beginning of an id that several runs have, until there is more of it', async () => {
    const { options, host } = openOperations()
    const program = programOf(SIGN_OFF)
    for (const run of ['abcd', 'abce', 'abce2', 'b']) {
      await host.runs.begin({ program, start: { ...startOf(run), vars: { what: run } } })
    }
    const ask = askerOf(options)
    expect(await ask('/api/v1/find?prefix=ab')).toEqual({
      status: 409,
      data: {
        code: 'ambiguous',
        message: 'Several runs begin with "ab": abcd, abce, abce2. Give more of the id.',
      },
    })
    for (const [prefix, run] of [
      ['abcd', 'abcd'],
      ['abce', 'abce'],
      ['abce2', 'abce2'],
      ['b', 'b'],
    ])
      expect((await ask(`/api/v1/find?prefix=${prefix}`)).data).toEqual({ run })
  })

  it('a run that cannot be started, with every reason', async () => {
    const { options, repo, runbook } = openOperations()
    const ask = askerOf(options)
    const body = { runbook, dir: repo }
    expect(await ask('/api/v1/runs', { body })).toMatchObject({
      status: 422,
      data: { code: 'not-started', problems: [expect.stringContaining('what')] },
    })
    expect(await ask('/api/v1/runs', { body: { ...body, base: 'gone', vars: { what: 'x' } } })).toMatchObject(
      {
        status: 422,
        data: { problems: [expect.stringContaining('gone')] },
      },
    )
  })

  it('a command that does not fit, with its code and a sentence', async () => {
    const { options, begin } = openOperations()
    const ask = askerOf(options)
    const run = await begin()
    const act = (body: unknown) => ask(`/api/v1/runs/${run}/actions`, { body })
    const [{ id }] = (await ask(`/api/v1/decisions?run=${run}`)).data.rows
    const answer = (pick: string) => ask(`/api/v1/decisions/${id}/answer`, { body: { pick } })
    const refused = (status: number, code: string) => ({
      status,
      data: { code, message: expect.stringMatching(/\S/) },
    })
    expect(await act({ kind: 'move', to: 'nowhere' })).toMatchObject(refused(422, 'unknown-step'))
    expect(await act({ kind: 'extend', budget: 'none', amount: 1 })).toMatchObject(
      refused(422, 'unknown-budget'),
    )
    expect(await act({ kind: 'extend', budget: 'rework', amount: -1 })).toMatchObject(
      refused(422, 'bad-amount'),
    )
    expect(await act({ kind: 'answer', question: 'sign_off#1?1', given: { kind: 'nothing' } })).toEqual({
      status: 400,
      data: {
        code: 'bad-request',
        message:
          '`kind` must be one of cancel, retry, move, extend, discard (what a run asks is answered at /api/v1/decisions/ID/answer), not "answer".',
      },
    })
    expect(await answer('perhaps')).toMatchObject(refused(422, 'not-offered'))
    expect(await act({ kind: 'discard' })).toMatchObject(refused(409, 'not-discarded'))
    expect(await answer('again')).toMatchObject({ status: 200, data: { answered: [id] } })
    expect(await answer('ship')).toMatchObject(refused(409, 'already-answered'))
    expect(await act({ kind: 'cancel' })).toMatchObject({ status: 200 })
    expect(await act({ kind: 'retry' })).toMatchObject(refused(409, 'ended'))
  })

  it('nothing because of odd numbers in a query', async () => {
    const { options, begin } = openOperations()
    const ask = askerOf(options)
    const run = await begin()
    for (const limit of ['0', '-1', '1.5', 'x', '', '1e99', '9999999'])
      expect((await ask(`/api/v1/runs?limit=${limit}`)).data).toHaveLength(1)
    const all = (await ask(`/api/v1/runs/${run}/events`)).data
    for (const after of ['-2', 'x', '1.5', '']) {
      expect((await ask(`/api/v1/runs/${run}/events?after=${after}`)).data).toEqual(all)
    }
    expect((await ask(`/api/v1/runs/${run}/events?after=1`)).data).toEqual(all.slice(1))
  })

  it('[V14] what is not a parameter of a list, and takes the beginning of an id', async () => {
    const { options, begin } = openOperations()
    const ask = askerOf(options)
    const run = await begin()
    const unknown = await ask('/api/v1/runs?stauts=waiting')
    expect(unknown).toMatchObject({ status: 400 })
    expect(unknown.data).toMatchObject({
      message: expect.stringContaining('There is no parameter "stauts".'),
    })
    expect((await ask(`/api/v1/runs/${run.slice(0, 4)}`)).data).toMatchObject({ row: { run } })
    expect(await ask('/api/v1/runs/nothing')).toMatchObject({ status: 404 })
    await begin()
    await ask('/api/v1/runs?all=true').then(({ data }) => expect(data).toHaveLength(2))
    const cancelled = await ask(`/api/v1/runs/${run.slice(0, -1)}/actions`, { body: { kind: 'cancel' } })
    expect(cancelled).toMatchObject({ status: 200 })
  })

  it('by a bug, which is told as one', async () => {
    const { options } = openOperations()
    const broken = changed(options, () => ({ runs: () => Promise.reject(new Error('something broke')) }))
    expect(await askerOf(broken)('/api/v1/runs')).toEqual({
      status: 500,
      data: { code: 'bug', message: 'something broke' },
    })
  })
})

const changed = (options: ServerOptions, change: (operations: Operations) => Partial<Operations>) => ({
  ...options,
  operationsFor: (by: Actor) => {
    const operations = options.operationsFor(by)
    return { ...operations, ...change(operations) }
  },
})

/** A server whose operations tell how many follow. */
function counted(options: ServerOptions) {
  let followers = 0
  const counting = changed(options, (operations) => ({
    follow: (listener) => {
      followers++
      const stop = operations.follow(listener)
      return () => {
        followers--
        stop()
      }
    },
  }))
  return { counting, followers: () => followers }
}

describe('the live stream', () => {
  it('[J4] delivers every event once it is durable, and lets go of whoever leaves', async () => {
    const { options, operations, begin } = openOperations()
    const { counting, followers } = counted(options)
    const app = appOf(counting)
    const abort = new AbortController()
    const headers = { host: 'localhost', authorization: `Bearer ${TOKEN}` }
    const response = await app.request('/api/v1/stream', { headers, signal: abort.signal })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const readUntil = async (mark: string): Promise<void> => {
      while (!text.includes(mark)) {
        const { value, done } = await reader.read()
        if (done) throw new Error('the stream ended')
        text += value
      }
    }
    await readUntil('event: ready')
    const run = await begin('a\nb')
    await readUntil('question.opened')
    const events = text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as StoredEvent)
    expect(events).toEqual(await operations.events(run, 0))
    expect(followers()).toBe(1)
    await reader.cancel()
    await until(() => followers() === 0, 'the follower is let go')
  })

  it('lets go of clients that break off, over a real socket', async () => {
    const { options, begin } = openOperations()
    const { counting, followers } = counted(options)
    const { fetch } = await serveOwner(counting)
    const aborts = Array.from({ length: 5 }, () => new AbortController())
    const streams = await Promise.all(aborts.map(({ signal }) => fetch('/api/v1/stream', { signal })))
    await until(() => followers() === 5, 'five follow')
    await begin()
    for (const abort of aborts) abort.abort()
    await until(() => followers() === 0, 'all are let go')
    await Promise.all(streams.map((one) => one.text().catch(() => '')))
    // Whoever leaves before the first word.
    const hasty = Array.from({ length: 10 }, () => {
      const abort = new AbortController()
      const gone = fetch('/api/v1/stream', { signal: abort.signal }).catch(() => null)
      setImmediate(() => abort.abort())
      return gone
    })
    await Promise.all(hasty)
    await begin()
    await until(() => followers() === 0, 'the hasty are let go')
  })
})

describe('a reply', () => {
  it('[V26] is kept by no browser and is only what it says it is, whatever it holds', async () => {
    const { options, begin } = openOperations()
    const app = appOf({
      ...options,
      mcp: { fetch: async () => new Response('{}', { headers: { 'cache-control': 'max-age=99' } }) },
    })
    const run = await begin()
    const headers = { host: 'localhost', authorization: `Bearer ${TOKEN}` }
    const paths = Object.keys(ROUTES).flatMap((address) =>
      address.startsWith('GET ') ? [address.slice(4)] : [],
    )
    expect(paths.length).toBeGreaterThan(25)
    for (const path of [...paths, '/mcp', '/api/v1/nothing', '/d/x?t=y', '/nowhere.txt', '/']) {
      const isMcp = path === '/mcp'
      const signal = AbortSignal.timeout(20_000)
      const asked = path.replace('{run}', run).replaceAll(/\{\w+\}/g, 'x')
      const response = await app.request(asked, { headers: isMcp ? { host: 'localhost' } : headers, signal })
      await response.body?.cancel()
      expect([
        path,
        response.headers.get('cache-control'),
        response.headers.get('x-content-type-options'),
      ]).toEqual([path, 'no-store', 'nosniff'])
    }
  })
})

describe('the server', () => {
  it('listens on this machine only, says where, and ends with its connections', async () => {
    const { options } = openOperations()
    const { server, fetch: asOwner } = await serveOwner(options)
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const stream = await asOwner('/api/v1/stream')
    await server.close()
    await stream.text().catch(() => '')
    await expect(fetch(`${server.url}/api/v1/health`)).rejects.toThrow()
  })

  it('says that a port is taken', async () => {
    const { options } = openOperations()
    const server = await startServer(options)
    if ('problem' in server) throw new Error(server.problem)
    onTestFinished(() => server.close())
    const port = Number(new URL(server.url).port)
    expect(await startServer({ ...options, port })).toEqual({
      problem: expect.stringMatching(
        new RegExp(`^Port ${port} at 127\\.0\\.0\\.1 cannot be used .*--port\\.$`),
      ),
    })
  })
})
