/** Decisions over HTTP: what each route does, and with which status it refuses. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../host/workspace/repository.fixture.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { AGENT_TOKEN, appOf, askerOf, type Opened, openOperations, TOKEN, tokenOf } from './doors.fixture.ts'

const PATH = '/api/v1/decisions'
const MARIA = tokenOf('maria')
const JO = tokenOf('jo')

const refused = (status: number, code: string, message: RegExp = /\S/) => ({
  status,
  data: { code, message: expect.stringMatching(message) },
})

function open() {
  const opened = openOperations()
  const ask = askerOf(opened.options)
  const raise = async (over: object = {}): Promise<string> => {
    const made = await ask(PATH, { body: { decision: { ...EXAMPLE_DECISION, ...over } } })
    if (made.status !== 201) throw new Error(made.data.message)
    return made.data.id
  }
  const post = (id: string, verb: string, body: unknown = {}, token = TOKEN) =>
    ask(`${PATH}/${id}/${verb}`, { body, token })
  const show = async (id: string) => (await ask(`${PATH}/${id}`)).data
  return { ...opened, ask, raise, post, show }
}

describe('a decision from outside', () => {
  it('is made with 201 and an address, and is found by the beginning of its id', async () => {
    const { options, show } = open()
    const response = await appOf(options).request(`http://localhost${PATH}`, {
      method: 'POST',
      headers: { host: 'localhost', authorization: `Bearer ${MARIA}` },
      body: JSON.stringify({ decision: EXAMPLE_DECISION, repo: '/a', by: 'alice', unknown: 1 }),
    })
    expect(response.status).toBe(201)
    const { id } = (await response.json()) as { id: string }
    expect(response.headers.get('location')).toBe(`${PATH}/${id}`)
    expect(await show(id.slice(0, 6))).toMatchObject({
      id,
      cause: 'outside',
      repo: '/a',
      asker: { agent: 'maria' },
      shown: { headline: EXAMPLE_DECISION.headline },
      proof: { door: 'http' },
    })
  })

  it('[Q5] is refused with the contract, what was given and an example', async () => {
    const { ask } = open()
    const { status, data } = await ask(PATH, { body: { decision: { headline: 'é'.repeat(81) } } })
    expect(status).toBe(422)
    expect(data.code).toBe('invalid-decision')
    for (const part of ['may have 80 characters', '`question` is missing', 'What you gave', 'A correct one'])
      expect(data.message).toContain(part)
    for (const decision of [null, 1, 'x', []])
      expect(await ask(PATH, { body: { decision } })).toMatchObject(refused(422, 'invalid-decision'))
  })

  it.each([
    ['not JSON', 'x{'],
    ['no object', '[]'],
    ['no decision', '{"headline":"x"}'],
    ['an asker that is a text', '{"decision":{},"asker":"me"}'],
    ['an asker with a number', '{"decision":{},"asker":{"agent":1}}'],
    ['an unknown door', '{"decision":{},"door":"window"}'],
    ['a repo that is a number', '{"decision":{},"repo":1}'],
    ['a command that is a text', '{"decision":{},"resume":"rm -rf /"}'],
    ['a command without words', '{"decision":{},"resume":{"argv":[],"cwd":"/"}}'],
  ])('is malformed with %s', async (_, body) => {
    expect(await open().ask(PATH, { body })).toMatchObject(refused(400, 'bad-request', /[.}]$/))
  })

  it('[V2] may name a command to be resumed by only with the host’s own token', async () => {
    const { ask } = open()
    const body = { decision: EXAMPLE_DECISION, resume: { argv: ['true'], cwd: '/' } }
    expect(await ask(PATH, { body, token: MARIA })).toMatchObject(refused(403, 'owner-only', /Leave it out/))
    expect(await ask(PATH, { body })).toMatchObject({ status: 201 })
  })

  it('[Q12] gives way to the one that names it, and not before that one is valid', async () => {
    const { ask, raise, show } = open()
    const old = await raise()
    const wrong = await ask(PATH, { body: { decision: { headline: 'x', supersedes: old } } })
    expect(wrong.status).toBe(422)
    expect(await show(old)).toMatchObject({ status: 'open' })
    const now = await raise({ question: 'Where now?', supersedes: old })
    expect(await show(old)).toMatchObject({ status: 'superseded', supersededBy: now })
    expect(await ask(`${PATH}/${old}/answer`, { body: { pick: 'redis' } })).toMatchObject({ status: 409 })
    const late = await ask(PATH, { body: { decision: { ...EXAMPLE_DECISION, supersedes: old } } })
    expect(late).toMatchObject(refused(409, 'not-waiting', /is superseded already.*Leave out/))
  })
})

it('[Q12] cannot take the place of a question that a run asks', async () => {
  const { ask, begin, raise, show } = open()
  await begin()
  const [asked] = (await ask(PATH)).data.rows
  await expect(raise({ supersedes: asked.id })).rejects.toThrow('only its own agent')
  expect(await show(asked.id)).toMatchObject({ status: 'open', supersededBy: null })
  expect((await ask(PATH)).data.rows).toHaveLength(1)
})

describe('an answer', () => {
  it('[Q3] has one winner, and everybody else is told who and with what', async () => {
    const { raise, post, show } = open()
    const id = await raise()
    const racing = await Promise.all(
      [TOKEN, MARIA, JO].flatMap((token) =>
        ['sqlite', 'redis'].map((pick) => post(id, 'answer', { pick }, token)),
      ),
    )
    expect(racing.filter(({ status }) => status === 200)).toHaveLength(1)
    const { by, pick } = await show(id)
    for (const { status, data } of racing.filter((each) => each.status !== 200)) {
      expect([status, data.code]).toEqual([409, 'already-answered'])
      expect(data.message).toContain(by.name)
      expect(data.message).toContain(pick)
    }
  })

  it('[V1] is in the name of whoever holds the token, whatever the body says', async () => {
    const { raise, post, show, begin, ask, options } = open()
    const id = await raise()
    const body = { pick: 'redis', by: { kind: 'person', name: 'alice' }, person: 'alice' }
    expect(await post(id, 'answer', body, MARIA)).toMatchObject({ status: 200 })
    expect((await show(id)).by).toEqual({ kind: 'person', name: 'maria' })
    const run = await begin()
    const [row] = (await ask(`${PATH}?run=${run}`)).data.rows
    await post(row.id, 'answer', { pick: 'ship' }, JO)
    expect(await show(row.id)).toMatchObject({ by: { name: 'jo' }, pick: 'ship' })
    expect(options.keys.owner).toBe('alice')
  })

  it('[Q13] FIELD 20: bound to a digest, it is refused when that is not what is shown', async () => {
    const { raise, post, show } = open()
    const id = await raise()
    expect(await post(id, 'answer', { pick: 'redis', digest: '0'.repeat(64) })).toMatchObject(
      refused(409, 'superseded', /changed since/),
    )
    const { digest } = await show(id)
    expect(await post(id, 'answer', { pick: 'redis', digest })).toMatchObject({ status: 200 })
  })

  it('[Q13] FIELD 20: is refused, too, when it changed between two looks of the same answer', async () => {
    const { host, operations, repo, post, show, ask } = open()
    const runbook = join(temporaryFolder(), 'look.yaml')
    writeFileSync(
      runbook,
      'steps: { sign: { decide: Ship?, context: { diff: "git diff" }, options: { ship: done, drop: abandoned } } }',
    )
    const order = { runbook, dir: repo, base: null, issue: null, vars: {} }
    const started = await operations.start(order)
    if ('problems' in started) throw new Error(started.problems.join())
    const { run } = started
    const found = (diff: string) =>
      host.command(run, { type: 'context.report', at: 1, step: 'sign', visit: 1, items: { diff } })
    await found('one')
    const [{ id }] = (await ask(PATH)).data.rows
    const { digest } = await show(id)
    const { runs } = host
    const load = runs.load.bind(runs)
    let looks = 0
    Object.assign(runs, {
      load: async (...about: Parameters<typeof load>) => {
        // Somebody else has it looked at again, after this answer was held against what is shown.
        if (++looks === 2) await found('two')
        return load(...about)
      },
    })
    expect(await post(id, 'answer', { pick: 'ship', digest })).toMatchObject(refused(409, 'superseded'))
    expect(looks).toBeGreaterThan(1)
    expect(await show(id)).toMatchObject({ status: 'open', shown: { context: { diff: 'two' } } })
  })

  it('is refused with 422 where it does not fit what was asked', async () => {
    const { raise, post } = open()
    const id = await raise()
    expect(await post(id, 'answer', { pick: 'mysql' })).toMatchObject(
      refused(422, 'not-offered', /sqlite, redis/),
    )
    expect(await post(id, 'answer', {})).toMatchObject(refused(422, 'invalid-answer'))
  })

  it.each([
    ['not JSON', 'x'],
    ['a list', '[]'],
    ['a pick that is a number', '{"pick":1}'],
    ['a note that is a list', '{"note":[]}'],
    ['fields that are a text', '{"fields":"x"}'],
    ['an edit that is a number', '{"edited":1}'],
    ['a digest that is a flag', '{"digest":true}'],
    ['together as a text', '{"together":"yes"}'],
    ['a key that is not known', '{"option":"redis","note":"go"}'],
  ])('is malformed with %s', async (_, body) => {
    const { raise, post, show } = open()
    const id = await raise()
    expect(await post(id, 'answer', body)).toMatchObject(refused(400, 'bad-request'))
    expect((await show(id)).status).toBe('open')
  })

  it('[Q17] goes to all that ask the same, and is taken back from all', async () => {
    const { raise, post, show } = open()
    const ids = [await raise(), await raise(), await raise()]
    const { data } = await post(ids[0]!, 'answer', { pick: 'redis', together: true })
    expect(new Set(data.answered)).toEqual(new Set(ids))
    expect((await post(ids[1]!, 'undo')).data.undone).toHaveLength(3)
    for (const id of ids) expect((await show(id)).status).toBe('open')
  })
})

describe('the rest of the desk', () => {
  it('snoozes, assigns, withdraws and retries', async () => {
    const { raise, post, show, ask } = open()
    const id = await raise()
    expect(await post(id, 'assign', { to: 'leads' })).toMatchObject({ status: 200 })
    expect((await ask(`${PATH}?assignee=leads`)).data.rows).toHaveLength(1)
    expect(await post(id, 'assign', { to: null })).toMatchObject({ status: 200 })
    expect((await show(id)).assignee).toBeNull()
    for (const until of [9_000_000, '1970-01-01T02:30:00Z']) {
      expect(await post(id, 'snooze', { until })).toMatchObject({ status: 200 })
      expect((await show(id)).snoozedUntil).toBe(9_000_000)
    }
    expect((await ask(PATH)).data.rows).toEqual([])
    expect((await ask(`${PATH}?snoozed=true`)).data.rows).toHaveLength(1)
    expect(await post(id, 'snooze', { until: null })).toMatchObject({ status: 200 })
    for (const until of [-1, 1.5, 'tomorrow', true, undefined])
      expect(await post(id, 'snooze', { until })).toMatchObject(refused(400, 'bad-request', /`until`/))
    for (const to of ['', 1, undefined])
      expect(await post(id, 'assign', { to })).toMatchObject(refused(400, 'bad-request', /`to`/))
    expect(await post(id, 'retry')).toMatchObject({ status: 409 })
    expect(await post(id, 'withdraw', { reason: 1 })).toMatchObject(refused(400, 'bad-request'))
    expect(await post(id, 'withdraw', { reason: 'Not needed.' })).toMatchObject({ status: 200 })
    expect((await show(id)).status).toBe('withdrawn')
    expect(await post(id, 'answer', { pick: 'redis' })).toMatchObject({ status: 409 })
  })

  it('knows no id that is not there, and none that several begin with', async () => {
    const { ask, raise, post } = open()
    // Ids are hexadecimal: of seventeen, two begin alike.
    const seen = new Set<string>()
    let shared: string | undefined
    while (shared === undefined) {
      const [first = ''] = await raise()
      if (seen.has(first)) shared = first
      seen.add(first)
    }
    const several = refused(409, 'ambiguous', /Give more of the id/)
    expect(await ask(`${PATH}/find?prefix=${shared}`)).toMatchObject(several)
    expect(await ask(`${PATH}/${shared}`)).toMatchObject(several)
    expect(await post(shared, 'answer', { pick: 'redis' })).toMatchObject(several)
    expect(await ask(`${PATH}/zzz`)).toMatchObject(refused(404, 'unknown-decision', /"zzz"/))
    expect(await post('zzz', 'answer', { pick: 'a' })).toMatchObject({ status: 404 })
    for (const verb of ['undo', 'snooze', 'assign', 'withdraw', 'retry', 'acted'])
      expect(await post('zzz', verb, { until: null, to: null, did: 'x' })).toMatchObject({ status: 404 })
    expect(await ask(`${PATH}/zzz/wait`)).toMatchObject({ status: 404 })
    expect(await ask(`${PATH}/zzz/explode`, { body: {} })).toMatchObject(refused(404, 'not-found'))
  })

  it('lists in pages, filtered, and refuses what it does not know', async () => {
    const { ask, raise, begin } = open()
    const ids = new Set<string>()
    for (let n = 0; n < 5; n++) ids.add(await raise({ headline: `Number ${n}` }))
    const run = await begin()
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data }: Awaited<ReturnType<typeof ask>> = await ask(
        `${PATH}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      seen.push(...data.rows.map(({ id }: { id: string }) => id))
      cursor = data.next
    }
    expect(seen).toHaveLength(6)
    expect(new Set(seen).size).toBe(6)
    expect((await ask(`${PATH}?run=${run}`)).data.rows).toHaveLength(1)
    expect((await ask(`${PATH}?agent=alice&status=open`)).data.rows).toHaveLength(5)
    expect((await ask(`${PATH}?kind=tradeoff`)).data.rows).toEqual([])
    for (const [query, message] of [
      ['state=open', /no parameter "state"/],
      ['status=opn', /`status` must be one of pending, closed/],
      ['limit=0', /`limit` must be a whole number from 1 to 500, not "0"/],
      ['limit=1.5', /whole number/],
      ['snoozed=yes', /true or false/],
      ['run=', /`run` must be some text/],
      ['run=a&run=b', /`run` is given twice/],
      ['__proto__=1', /no parameter/],
    ] as const)
      expect(await ask(`${PATH}?${query}`)).toMatchObject(refused(400, 'bad-request', message))
    expect(await ask(`${PATH}?cursor=nonsense`)).toMatchObject(refused(400, 'bad-cursor'))
  })

  it('exports whole records, one a line, over all pages', async () => {
    const { ask, raise, post, show } = open()
    const ids: string[] = []
    for (let n = 0; n < 120; n++) ids.push(await raise({ headline: `Line\n${n}`, context: '„это“' }))
    await post(ids[3]!, 'answer', { pick: 'redis' })
    await post(ids[4]!, 'snooze', { until: 9_000_000 })
    const { status, data } = await ask(`${PATH}/export`)
    expect(status).toBe(200)
    const records = data
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(new Set(records.map(({ id }: { id: string }) => id))).toEqual(new Set(ids))
    for (const id of ids.slice(3, 5))
      expect(records.find((record: { id: string }) => record.id === id)).toEqual(await show(id))
    expect((await ask(`${PATH}/export?status=answered`)).data.trimEnd().split('\n')).toHaveLength(1)
    expect((await ask(`${PATH}/export?status=expired`)).data).toBe('')
    expect(await ask(`${PATH}/export?limit=1`)).toMatchObject(refused(400, 'bad-request'))
  })
})

describe('an agent at the people’s door', () => {
  it('[V2] is known by its token, and may neither ask nor answer here', async () => {
    const { raise, ask, show } = open()
    const id = await raise()
    const routes: readonly (readonly [string, unknown?])[] = [
      [PATH],
      [`${PATH}/${id}`],
      [`${PATH}/${id}/answer`, { pick: 'redis' }],
      [`${PATH}/${id}/undo`, {}],
      [PATH, { decision: EXAMPLE_DECISION }],
      ['/api/v1/stream'],
      ['/api/v1/nothing'],
    ]
    for (const [path, body] of routes)
      expect(await ask(path, { body, token: AGENT_TOKEN })).toMatchObject(
        refused(403, 'people-only', /Agents ask over MCP and never answer/),
      )
    expect((await show(id)).status).toBe('open')
  })
})

describe('people with tokens of their own', () => {
  it('[V1] are in while they are on the list', async () => {
    const { ask, people }: Opened & { ask: ReturnType<typeof askerOf> } = open()
    expect(await ask(PATH, { token: MARIA })).toMatchObject({ status: 200 })
    people.delete('maria')
    expect(await ask(PATH, { token: MARIA })).toMatchObject(refused(401, 'unauthorized'))
    expect(await ask(PATH, { token: JO })).toMatchObject({ status: 200 })
  })

  it('[V2] cannot have the host run commands by naming a runbook', async () => {
    const { ask, runbook, repo } = open()
    const body = { runbook, dir: repo, vars: { what: 'this' } }
    expect(await ask('/api/v1/runs', { body, token: MARIA })).toMatchObject(refused(403, 'owner-only'))
    expect(await ask('/api/v1/runs', { body })).toMatchObject({ status: 201 })
  })

  it.each([
    ['somebody else’s signature', `sbp_maria.${JO.split('.')[1]}`],
    ['no signature', 'sbp_maria.'],
    ['no point', 'sbp_maria'],
    ['a signature under another secret', tokenOf('maria', { secret: 'another' })],
    ['one too much', `${MARIA}x`],
    ['a name that is not listed', tokenOf('alice')],
    ['no prefix', MARIA.slice(4)],
    ['an inherited name', tokenOf('constructor')],
  ])('are not whoever has %s', async (_, token) => {
    expect(await open().ask(PATH, { token })).toMatchObject(refused(401, 'unauthorized'))
  })
})
