import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Action, Operations, StoredEvent } from '../host/operations.ts'
import { openOperations, TOKEN } from '../http/doors.fixture.ts'
import { startServer } from '../http/server.ts'
import { ConnectionError, createRemote } from './remote.ts'

async function openBoth() {
  const opened = openOperations()
  const server = await startServer(opened.options)
  if ('problem' in server) throw new Error(server.problem)
  onTestFinished(() => server.close())
  return { ...opened, server, remote: createRemote({ url: server.url, token: TOKEN }) }
}

async function until<T>(look: () => T | null, what: string): Promise<T> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const found = look()
    if (found !== null) return found
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('the operations, asked here and from afar', () => {
  it('answer alike, whatever is asked', async () => {
    const { operations, remote, begin, host, repo, runbook } = await openBoth()
    const [first, second] = [await begin('„это“ & <b>'), await begin('two')]
    await operations.act(second, { kind: 'cancel', reason: '' })
    const digest = await host.journal.keep(new Uint8Array([0, 255, 10, 13]))
    const alike = async (ask: (asked: Operations) => Promise<unknown>): Promise<unknown> => {
      const here = await ask(operations)
      expect(await ask(remote)).toEqual(JSON.parse(JSON.stringify(here)))
      return here
    }
    expect(await alike((asked) => asked.runs({ all: false, limit: 10 }))).toHaveLength(1)
    expect(await alike((asked) => asked.runs({ all: true, limit: 10 }))).toHaveLength(2)
    expect(await alike((asked) => asked.runs({ all: true, limit: 1 }))).toHaveLength(1)
    expect(await alike((asked) => asked.find(first.slice(0, 5)))).toEqual({ run: first })
    expect(await alike((asked) => asked.find(first))).toEqual({ run: first })
    for (const odd of ['', 'zzzz', 'a/b', '.', '..', '../runs', '%', '?', '#', 'a b', 'é', 'a&b=c+d'])
      expect(await alike((asked) => asked.find(odd))).toMatchObject({ code: 'unknown-run' })
    expect(await alike((asked) => asked.show(first))).toMatchObject({ vars: { what: '„это“ & <b>' } })
    expect(await alike((asked) => asked.show('gone'))).toMatchObject({ code: 'unknown-run' })
    expect(await alike((asked) => asked.events(first, 0))).toHaveLength(4)
    expect(await alike((asked) => asked.events(first, 2))).toHaveLength(2)
    expect(await alike((asked) => asked.events('gone', 0))).toEqual([])
    expect(await alike((asked) => asked.questions())).toHaveLength(1)
    expect(await remote.kept(digest)).toEqual(await operations.kept(digest))
    expect(await remote.kept('0'.repeat(64))).toBeNull()
    const order = { runbook, dir: repo, base: 'gone', issue: '9', vars: {} }
    expect(await alike((asked) => asked.start(order))).toMatchObject({ problems: expect.any(Array) })
  })

  it('do alike, and are refused alike', async () => {
    const { operations, remote, begin } = await openBoth()
    const question = 'sign_off#1?1'
    const actions: Action[] = [
      { kind: 'discard' },
      { kind: 'move', to: 'nowhere', reason: '' },
      { kind: 'extend', budget: 'none', amount: 1, reason: '' },
      { kind: 'extend', budget: 'rework', amount: 3, reason: 'why not' },
      { kind: 'answer', question: 'none', extra: null, given: { kind: 'nothing' }, note: '' },
      { kind: 'answer', question, extra: '@retry', given: { kind: 'nothing' }, note: '' },
      { kind: 'answer', question, extra: null, given: { kind: 'nothing' }, note: '' },
      { kind: 'answer', question, extra: null, given: { kind: 'value', value: { decision: 'x' } }, note: '' },
      {
        kind: 'answer',
        question,
        extra: null,
        given: { kind: 'value', value: { decision: 'ship' } },
        note: 'n',
      },
      { kind: 'retry', reason: '' },
      { kind: 'cancel', reason: 'late' },
    ]
    const [here, afar] = [await begin(), await begin()]
    for (const action of actions) {
      const answered = JSON.stringify(await operations.act(here, action)).replaceAll(here, 'RUN')
      const remotely = JSON.stringify(await remote.act(afar, action)).replaceAll(afar, 'RUN')
      expect(remotely).toBe(answered)
    }
    for (const kind of ['cancel', 'retry', 'discard'] as const)
      expect(await remote.act('gone', { kind, reason: '' })).toEqual(
        await operations.act('gone', { kind, reason: '' }),
      )
  })

  it('start alike', async () => {
    const { operations, remote, repo, runbook } = await openBoth()
    const order = { runbook, dir: repo, base: null, issue: null, vars: { what: 'it' } }
    const started = await remote.start(order)
    if ('problems' in started) throw new Error(started.problems.join())
    expect(await operations.show(started.run)).toMatchObject({ row: { status: 'waiting', name: 'sign-off' } })
  })
})

describe('following from afar', () => {
  it('tells when it has begun, and then every event', async () => {
    const { operations, remote, begin } = await openBoth()
    const seen: (StoredEvent | null)[] = []
    const stop = remote.follow((event) => seen.push(event))
    onTestFinished(stop)
    await until(() => (seen.includes(null) ? true : null), 'the beginning')
    const run = await begin('a text that says event: ready')
    await until(() => (seen.length === 5 ? true : null), 'four events')
    expect(seen.slice(1)).toEqual(await operations.events(run, 0))
    stop()
    const others: (StoredEvent | null)[] = []
    onTestFinished(remote.follow((event) => others.push(event)))
    await until(() => (others.includes(null) ? true : null), 'another one who follows')
    await begin()
    await until(() => (others.length === 5 ? true : null), 'what the other one sees')
    expect(seen).toHaveLength(5)
  })

  it('goes on after a stream that was cut, and says that something may have been missed', async () => {
    let asked = 0
    const cutting = createServer((_request, response) => {
      asked++
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: ready\ndata: \n\n')
      response.write(`data: {"n":${asked}`)
      if (asked < 3) response.end('}\n\n')
      else response.write('}\n\n')
    })
    await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      cutting.closeAllConnections()
      cutting.close()
    })
    const url = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}`
    const seen: unknown[] = []
    const stop = createRemote({ url, token: 't' }).follow((event) => seen.push(event))
    onTestFinished(stop)
    await until(() => (seen.length === 8 ? true : null), 'three streams')
    expect(seen).toEqual([null, { n: 1 }, null, null, { n: 2 }, null, null, { n: 3 }])
  })
})

describe('a host that is gone', () => {
  it('is told in a sentence, and not in a stack', async () => {
    const { server, remote } = await openBoth()
    await server.close()
    for (const ask of [
      () => remote.questions(),
      () => remote.find('x'),
      () => remote.runs({ all: true, limit: 1 }),
    ]) {
      await expect(ask()).rejects.toThrow(ConnectionError)
      await expect(ask()).rejects.toThrow(/^The host at http:\S+ does not answer any more\.$/)
    }
  })

  it('is another one when the token does not fit', async () => {
    const { server } = await openBoth()
    const stranger = createRemote({ url: server.url, token: 'old' })
    await expect(stranger.questions()).rejects.toThrow(ConnectionError)
    expect(await stranger.find('x')).toMatchObject({ code: 'unauthorized' })
  })
})
