import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DecisionOrder, DecisionQuery, Decisions, PersonAnswer } from '../../host/inbox/decisions.ts'
import type { Action, Operations, StoredEvent } from '../../host/operations.ts'
import { openOperations, serveOwner } from '../../http/doors.fixture.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { until } from '../../until.fixture.ts'
import { ConnectionError, createRemote } from './remote.ts'

async function openBoth() {
  const opened = openOperations()
  const { server, socket } = await serveOwner(opened.options)
  return { ...opened, server, socket, remote: createRemote({ url: server.url, socket }) }
}

describe('the operations, asked here and from afar', () => {
  it('[V6] answer alike, whatever is asked', async () => {
    const { operations, remote, begin, host, repo, runbook } = await openBoth()
    const [first, second] = [await begin('„это“ & <b>'), await begin('two')]
    await operations.act(second, { kind: 'cancel', reason: '' })
    // What was left of the step is looked for afterwards, and what came of that is told.
    await until(
      async () => (await operations.events(second, 0)).some(({ type }) => type === 'host.noted'),
      'the last of the cancelled run',
    )
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
    expect(await alike((asked) => asked.eventsAfter(0, 3))).toHaveLength(3)
    const later = (await operations.eventsAfter(0, 100)).slice(2)
    expect(await alike((asked) => asked.eventsAfter(2, 100))).toEqual(later)
    expect(await remote.kept(digest)).toEqual(await operations.kept(digest))
    expect(await remote.kept('0'.repeat(64))).toBeNull()
    expect((await remote.heads()).heads).toEqual((await operations.heads()).heads)
    const toErase = { text: 'never said by anybody', also: [], reason: '', dry: true }
    expect(await alike((asked) => asked.erase(toErase))).toMatchObject({ events: 0, done: false })
    expect(await alike((asked) => asked.erase({ ...toErase, text: 'it' }))).toMatchObject({
      code: 'bad-request',
    })
    const toPrune = {
      what: 'prune',
      runs: null,
      olderThanMs: null,
      states: null,
      unmerged: 'keep',
      reason: '',
      dry: true,
    } as const
    expect(await alike((asked) => asked.prune(toPrune))).toMatchObject({ done: false })
    expect(await alike((asked) => asked.tombstones())).toEqual([])
    const order = { runbook, dir: repo, base: 'gone', issue: '9', vars: {} }
    expect(await alike((asked) => asked.start(order))).toMatchObject({ problems: expect.any(Array) })
    expect(await alike((asked) => asked.preflight(order))).toMatchObject({ problems: expect.any(Array) })
    expect(await alike((asked) => asked.repositories.list())).toMatchObject([{ repo }])
    expect(await alike((asked) => asked.repositories.look(repo))).toMatchObject({ repo, issues: [] })
    for (const dir of ['/nowhere/at/all', '/'])
      expect(await alike((asked) => asked.repositories.look(dir))).toMatchObject({ code: 'not-started' })
    const unsaid = { dir: repo, title: ' ', body: '' }
    expect(await alike((asked) => asked.repositories.createIssue(unsaid))).toMatchObject({
      problem: expect.stringContaining('needs a title'),
    })
    expect(await alike((asked) => asked.runbook(first))).toMatchObject({ file: runbook })
    expect(await alike((asked) => asked.runbook('gone'))).toMatchObject({ code: 'unknown-run' })
  })

  it('do alike, and are refused alike', async () => {
    const { operations, remote, begin } = await openBoth()
    const actions: Action[] = [
      { kind: 'discard', unmerged: false },
      { kind: 'move', to: 'nowhere', reason: '' },
      { kind: 'extend', budget: 'none', amount: 1, reason: '' },
      { kind: 'extend', budget: 'rework', amount: 3, reason: 'why not' },
      { kind: 'retry', reason: '' },
      { kind: 'move', to: 'sign_off', reason: '' },
      { kind: 'cancel', reason: 'late' },
      { kind: 'retry', reason: 'too late' },
    ]
    const [here, afar] = [await begin(), await begin()]
    for (const action of actions) {
      const answered = JSON.stringify(await operations.act(here, action)).replaceAll(here, 'RUN')
      const remotely = JSON.stringify(await remote.act(afar, action)).replaceAll(afar, 'RUN')
      expect(remotely).toBe(answered)
    }
    for (const kind of ['cancel', 'retry', 'discard'] as const)
      expect(await remote.act('gone', { kind, reason: '', unmerged: false })).toEqual(
        await operations.act('gone', { kind, reason: '', unmerged: false }),
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

describe('decisions, asked here and from afar', () => {
  const ORDER: DecisionOrder = {
    payload: EXAMPLE_DECISION,
    asker: { agent: 'claude', program: 'claude-code', version: '2', model: 'm' },
    door: 'mcp',
    resume: { argv: ['true', 'a b'], cwd: '/' },
    repo: '/some/where',
  }
  const ANSWER: PersonAnswer = {
    pick: 'redis',
    note: '',
    fields: {},
    edited: null,
    digest: null,
    together: false,
  }
  const ALL: DecisionQuery = { status: 'all', cursor: null, limit: 100 }

  async function openDecisions() {
    const { operations, remote, begin } = await openBoth()
    const [here, afar] = [operations.decisions, remote.decisions]
    const alike = async <T>(ask: (asked: Decisions) => Promise<T>): Promise<T> => {
      const answered = await ask(here)
      expect(await ask(afar)).toEqual(JSON.parse(JSON.stringify(answered)))
      return answered
    }
    const raise = async (over: Partial<DecisionOrder> = {}): Promise<string> => {
      const made = await here.create({ ...ORDER, ...over })
      if ('problem' in made) throw new Error(made.problem)
      return made.id
    }
    return { here, afar, alike, raise, begin }
  }

  it('[V6] are read alike', async () => {
    const { alike, raise, begin, here } = await openDecisions()
    const [run, id] = [await begin('„это“ & <b>'), await raise()]
    for (let n = 0; n < 3; n++) await raise({ asker: { ...ORDER.asker, agent: 'a&b=c d' } })
    await here.snooze(id, 9_000_000)
    const queries: readonly Partial<DecisionQuery>[] = [
      {},
      { status: 'pending' },
      { status: 'pending', snoozed: true },
      { status: 'open', limit: 2 },
      { status: 'closed' },
      { run },
      { agent: 'a&b=c d' },
      { kind: 'tradeoff' },
      { assignee: 'maria' },
      { repo: '/some/where' },
      { cursor: 'nonsense' },
    ]
    for (const query of queries) await alike((asked) => asked.list({ ...ALL, ...query }))
    const page = await alike((asked) => asked.list({ ...ALL, limit: 2 }))
    if ('problem' in page) throw new Error(page.problem)
    expect(page.rows).toHaveLength(2)
    await alike((asked) => asked.list({ ...ALL, limit: 2, cursor: page.next }))
    expect(await alike((asked) => asked.show(id))).toMatchObject({
      shown: { question: EXAMPLE_DECISION.question },
      repo: '/some/where',
    })
    expect(await alike((asked) => asked.find(id.slice(0, 9)))).toEqual({ id })
    for (const odd of ['', 'zzz', 'a/b', '..', '%', '?', '#', 'a b', 'é', 'a&b=c+d'])
      expect(await alike((asked) => asked.find(odd))).toMatchObject({ code: 'unknown-decision' })
    expect(await alike((asked) => asked.show('zzz'))).toMatchObject({ code: 'unknown-decision' })
  })

  it('are raised alike, and refused alike', async () => {
    const { here, afar, alike } = await openDecisions()
    const raised = async (asked: Decisions) => {
      const made = await asked.create(ORDER)
      if ('problem' in made) throw new Error(made.problem)
      const text = JSON.stringify(await here.show(made.id))
      return text.replaceAll(made.id, 'ID').replaceAll(/"digest":"\w+"/g, '')
    }
    expect(await raised(afar)).toBe(await raised(here))
    for (const payload of [null, 1, 'text', [], {}, { ...EXAMPLE_DECISION, supersedes: 'zzz' }])
      expect(await alike((asked) => asked.create({ ...ORDER, payload }))).toMatchObject({
        code: 'invalid-decision',
      })
  })

  it('[V6] are dealt with alike', async () => {
    const { here, afar, raise } = await openDecisions()
    const acts: readonly ((asked: Decisions, id: string) => Promise<unknown>)[] = [
      (asked, id) => asked.wait(id, 0),
      (asked, id) => asked.assign(id, 'leads & co'),
      (asked, id) => asked.assign(id, null),
      (asked, id) => asked.snooze(id, 9_000_000),
      (asked, id) => asked.snooze(id, null),
      (asked, id) => asked.retry(id),
      (asked, id) => asked.acted(id, 'too early'),
      (asked, id) => asked.undo(id),
      (asked, id) => asked.answer(id, { ...ANSWER, pick: 'x' }),
      (asked, id) => asked.answer(id, { ...ANSWER, pick: '' }),
      (asked, id) => asked.answer(id, { ...ANSWER, digest: 'other' }),
      (asked, id) => asked.answer(id, { ...ANSWER, note: '„это“\n', edited: 'Valkey instead.' }),
      (asked, id) => asked.answer(id, { ...ANSWER, pick: 'sqlite' }),
      (asked, id) => asked.undo(id),
      (asked, id) => asked.answer(id, { ...ANSWER, pick: '', note: 'Neither.' }),
      (asked, id) => asked.wait(id, 60_000),
      (asked, id) => asked.undo(id),
      (asked, id) => asked.acted(id, 'Did neither.'),
      (asked, id) => asked.withdraw(id, 'late'),
      (asked, id) => asked.show(id),
      (asked) => asked.answer('zzz', ANSWER),
      (asked) => asked.undo('zzz'),
      (asked) => asked.snooze('zzz', null),
      (asked) => asked.assign('zzz', null),
      (asked) => asked.withdraw('zzz', ''),
      (asked) => asked.retry('zzz'),
      (asked) => asked.wait('zzz', 0),
      (asked) => asked.acted('zzz', 'x'),
    ]
    const [one, other] = [await raise(), await raise()]
    for (const act of acts) {
      const answered = JSON.stringify(await act(here, one)).replaceAll(one, 'ID')
      expect(JSON.stringify(await act(afar, other)).replaceAll(other, 'ID')).toBe(answered)
    }
    expect(await afar.withdraw(await raise(), 'Not needed.')).toEqual({ done: true })
  })

  it('[V6] of runs are answered alike, and refused alike', async () => {
    const { here, afar, begin } = await openDecisions()
    const asked = async (run: string) => {
      const page = await here.list({ ...ALL, run })
      if ('problem' in page) throw new Error(page.problem)
      return page.rows[0]!
    }
    const [one, other] = [await asked(await begin()), await asked(await begin())]
    const answers: readonly Partial<PersonAnswer>[] = [
      { pick: 'x' },
      { pick: '@retry' },
      { pick: '' },
      { pick: 'ship', fields: { unknown: 1 } },
      { pick: 'ship', edited: 'Something else.' },
      { pick: 'ship', digest: 'other' },
      { pick: 'ship', note: 'n', digest: one.digest },
      { pick: 'drop', digest: one.digest },
    ]
    expect(other.digest).toBe(one.digest)
    const said: unknown[] = []
    for (const answer of answers) {
      const answered = await here.answer(one.id, { ...ANSWER, ...answer })
      const remotely = await afar.answer(other.id, { ...ANSWER, ...answer })
      expect(JSON.stringify(remotely).replaceAll(other.id, 'ID')).toBe(
        JSON.stringify(answered).replaceAll(one.id, 'ID'),
      )
      said.push('problem' in answered ? answered.code : 'answered')
    }
    expect(said).toEqual([
      'not-offered',
      'not-offered',
      'invalid-answer',
      'invalid-answer',
      'not-offered',
      'superseded',
      'answered',
      'already-answered',
    ])
  })

  it('are answered together alike, and waited for while the answer comes', async () => {
    const { here, afar, raise } = await openDecisions()
    const ids = [await raise(), await raise()]
    const waiting = afar.wait(ids[1]!, 45_000)
    const answered = await afar.answer(ids[0]!, { ...ANSWER, together: true })
    if ('problem' in answered) throw new Error(answered.problem)
    expect(new Set(answered.answered)).toEqual(new Set(ids))
    expect(await waiting).toMatchObject({ answered: expect.stringContaining('Picked: redis') })
    expect(await here.show(ids[0]!)).toMatchObject({ batch: answered.batch, by: { name: 'alice' } })
    expect(await afar.undo(ids[0]!)).toEqual({ undone: [ids[0]], late: [ids[1]], refused: [] })
  })
})

describe('following from afar', () => {
  it('tells when it has begun, and then every event', async () => {
    const { operations, remote, begin } = await openBoth()
    const seen: (StoredEvent | null)[] = []
    const stop = remote.follow((event) => seen.push(event))
    onTestFinished(stop)
    await until(() => seen.includes(null), 'the beginning')
    const run = await begin('a text that says event: ready')
    await until(() => seen.length === 5, 'four events')
    expect(seen.slice(1)).toEqual(await operations.events(run, 0))
    stop()
    const others: (StoredEvent | null)[] = []
    onTestFinished(remote.follow((event) => others.push(event)))
    await until(() => others.includes(null), 'another one who follows')
    await begin()
    await until(() => others.length === 5, 'what the other one sees')
    expect(seen).toHaveLength(5)
  })

  it('goes on after a stream that was cut, from what it saw last', async () => {
    const asked: string[] = []
    const cutting = createServer((request, response) => {
      asked.push(request.url ?? '')
      const n = asked.length
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: ready\ndata: \n\n: still here\n\n')
      response.write(`data: {"position":${n}`)
      if (n < 3) response.end('}\n\n')
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
    await until(() => seen.length === 8, 'three streams')
    const [one, two, three] = [1, 2, 3].map((position) => ({ position }))
    expect(seen).toEqual([null, one, null, null, two, null, null, three])
    expect(asked).toEqual(['/api/v1/stream', '/api/v1/stream?after=1', '/api/v1/stream?after=2'])
  })

  it('[V4] misses nothing while the host’s server is gone', async () => {
    const { options, operations, begin, server, socket, remote } = await openBoth()
    const seen: StoredEvent[] = []
    let ready = 0
    onTestFinished(remote.follow((event) => (event === null ? ready++ : seen.push(event))))
    await until(() => ready > 0, 'the beginning')
    await begin()
    await until(() => seen.length === 4, 'the first run')
    await server.close()
    await begin()
    await serveOwner(options, socket)
    await begin()
    await until(() => seen.length >= 12, 'all three runs')
    expect(seen).toEqual(await operations.eventsAfter(0, 100))
  })
})

describe('a host that is gone', () => {
  it('is told in a sentence, and not in a stack', async () => {
    const { server, remote } = await openBoth()
    await server.close()
    for (const ask of [
      () => remote.decisions.list({ status: 'pending', cursor: null, limit: 1 }),
      () => remote.find('x'),
      () => remote.runs({ all: true, limit: 1 }),
    ]) {
      await expect(ask()).rejects.toThrow(ConnectionError)
      await expect(ask()).rejects.toThrow(/^The host at http:\S+ does not answer any more\.$/)
    }
  })

  it('says so where a token does not fit', async () => {
    const { server } = await openBoth()
    const stranger = createRemote({ url: server.url, token: 'old' })
    await expect(stranger.runs({ all: true, limit: 1 })).rejects.toThrow(ConnectionError)
    expect(await stranger.find('x')).toMatchObject({ code: 'unauthorized' })
  })
})
