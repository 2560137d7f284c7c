/** The ways by which an agent of a run asks, hands over and reads, each with a real agent process and a real host. */
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { type HouseOptions, houses, type Turns } from './host.fixture.ts'
import { eventually, type RunInHouse } from './run.fixture.ts'

const openHouse = houses()
const WORK = `
steps: { work: { agent: dev, prompt: Keep sessions., time: 10m, stall: 5m, options: { good: done, poor: abandoned } } }
`
const ASKS_NOTHING =
  'steps: { work: { agent: dev, prompt: Keep sessions., time: 10m, stall: 5m, next: done, on: { failed: abandoned } } }'
const tool = (name: string, given: object = {}) => ({ tool: { name, arguments: { ...given } } })
const good = { answer: { decision: 'good' }, via: 'mcp' } as const
const goodByFile = { answer: { decision: 'good' }, via: 'file' } as const

const at = (turns: Turns, more: Partial<HouseOptions> = {}) =>
  openHouse({ runbook: WORK, plays: { work: turns }, doors: true, ...more })

const recordOf = async (house: Awaited<ReturnType<typeof at>>, run: RunInHouse) => {
  const loaded = await house.host().runs.load(run.id)
  return Object.values(loaded!.book.records)
}

const askByFile = (decision: unknown) => ({
  run: `cat > "$SIGNALBOX_DECISION_FILE" <<'END'\n${typeof decision === 'string' ? decision : JSON.stringify(decision)}\nEND`,
})

/** What each tool call came to, in order. */
const toolTexts = (wire: readonly { readonly message: object }[]): string[] =>
  wire.flatMap(({ message }) => {
    const { update } =
      (message as { params?: { update?: { content?: { content?: { text: string } }[] } } }).params ?? {}
    return Array.isArray(update?.content) ? [update.content.map(({ content }) => content?.text).join()] : []
  })

describe('the proof', () => {
  it.concurrent('[Q22] is written with the question: the call as it came, the prompts, what was dictated', async () => {
    const asked = { ...EXAMPLE_DECISION, headline: 'Keep sessions. Where?' }
    const house = await at([[tool('create_decision', asked), { say: 'I wait.' }], [good]], {
      runbook: WORK.replace('Keep sessions.', '"Ask me: where should SESSIONS be kept?"'),
    })
    const run = await house.start()
    await run.question()
    const events = await run.events()
    const opened = events.findIndex(({ type }) => type === 'question.opened')
    expect(events[opened + 1]).toMatchObject({ type: 'decision.proven', question: 'work#1.0?1' })
    const [record] = await recordOf(house, run)
    const { door, call, prompts, dictated } = record!.proof!
    expect(door).toBe('mcp')
    const received = JSON.parse(await run.kept(call))
    expect(received).toMatchObject({
      method: 'tools/call',
      params: { name: 'create_decision', arguments: asked },
    })
    expect(await Promise.all(prompts.map((digest) => run.kept(digest)))).toEqual(run.prompts())
    expect(dictated).toEqual([EXAMPLE_DECISION.question])
    expect(record!.asker).toMatchObject({ agent: 'dev', program: 'scripted', version: '1', model: '' })
    await run.answer('sqlite')
    expect(await run.end()).toBe('done')
  })

  it.concurrent('[Q22] counts what the session was told since it began, and not what another was told', async () => {
    const second = { ...EXAMPLE_DECISION, headline: 'And which region then?' }
    const house = await at([
      [tool('create_decision', EXAMPLE_DECISION)],
      [tool('create_decision', second)],
      [good],
    ])
    const run = await house.start()
    await run.question()
    await run.answer('sqlite')
    await eventually(async () => (await run.question()).id).toBe('work#1.0?2')
    const records = await recordOf(house, run)
    expect(records.map(({ proof }) => proof?.prompts.length)).toEqual([1, 2])
    // Its own words came back to it with the answer.
    expect(records[1]!.proof!.dictated).toContain(EXAMPLE_DECISION.question)
    await run.answer('sqlite')
    expect(await run.end()).toBe('done')
  })

  it.concurrent('[Q22] tells a permission from a decision, and [Q12] one that takes the place of another', async () => {
    const house = await at(
      [
        [
          { permission: { title: 'rm -rf build' }, allowed: [], rejected: [] },
          tool('create_decision', EXAMPLE_DECISION),
          tool('create_decision', {
            ...EXAMPLE_DECISION,
            headline: 'Better asked so',
            supersedes: 'work#1.0?2',
          }),
        ],
        [good],
      ],
      { permissions: 'ask', runbook: WORK.replace('time: 10m', 'time: 10m, questions: 5') },
    )
    const run = await house.start()
    await run.answer({ pick: 'reject_once' })
    await eventually(async () => (await run.question()).id).toBe('work#1.0?3')
    const records = await recordOf(house, run)
    expect(records.map(({ proof }) => proof?.door)).toEqual(['permission', 'mcp', 'mcp'])
    expect(records.map(({ status }) => status).slice(1)).toEqual(['superseded', 'open'])
    expect(JSON.parse(await run.kept(records[0]!.proof!.call))).toMatchObject({
      toolCall: { title: 'rm -rf build' },
    })
    await run.answer('redis')
    expect(await run.end()).toBe('done')
  })
})

describe('the handoff', () => {
  const PLAN = `
handoffs: { plan: { version: 1, fields: { goal: { type: text, required: true }, file: { type: file } } } }
steps:
  work: { agent: dev, prompt: Plan it., time: 10m, stall: 5m, options: { good: next, poor: abandoned }, gives: plan }
  next: { agent: dev, prompt: Do it., time: 10m, stall: 5m, next: done }
`
  it.concurrent('[H4] may be given ahead, also before a question, and goes with the answer', async () => {
    const house = await at([], {
      runbook: PLAN,
      plays: {
        work: [
          [
            tool('hand_off', { goal: 7 }),
            tool('hand_off', { goal: 'Ship it.', file: 'not-there.md' }),
            tool('create_decision', EXAMPLE_DECISION),
          ],
          [good],
        ],
        next: [[tool('hand_off', { goal: 'x' }), tool('read_run'), { say: 'FINISHED' }]],
      },
    })
    const run = await house.start()
    await run.question()
    await run.answer('sqlite', { note: 'One machine.' })
    expect(await run.end()).toBe('done')
    const [wrong, kept, , , refused, read] = toolTexts(house.wire)
    expect(wrong).toContain('`goal` is the number 7, not a text.')
    expect(kept).toContain('there is no such file in the worktree')
    expect(refused).toContain('"next" has no handoff')
    expect(await run.all('answer.refused')).toEqual([])
    expect((await run.all('visit.left'))[0]!.answer?.handoff).toEqual({
      name: 'plan',
      version: 1,
      quality: 'full',
      values: { goal: 'Ship it.' },
    })
    expect(JSON.parse(read!)).toMatchObject({
      run: run.id,
      step: 'next',
      you: { agent: 'dev', step: 'next', visit: 1 },
      steps: [{ step: 'work', outcome: 'good', handoff: { values: { goal: 'Ship it.' } } }],
      decisions: [
        {
          decision: 'work#1.0?1',
          picked: 'sqlite (SQLite file)',
          note: 'One machine.',
          by: 'person "alice"',
        },
      ],
    })
  })
})

describe('a decision by file', () => {
  it.concurrent('[Q23] is raised when the turn ends without an answer, read once, and answered like any other', async () => {
    const house = await at([[askByFile(EXAMPLE_DECISION), { say: 'I wait.' }], [goodByFile]], {
      doors: false,
    })
    const run = await house.start()
    const card = await run.question()
    expect(card.headline).toBe(`dev: ${EXAMPLE_DECISION.headline}`)
    const [prompt = ''] = run.prompts()
    const [, path = ''] = /write it as JSON to `([^`]+)`/.exec(prompt) ?? []
    expect(path).toMatch(/\.signalbox\/run\/decision-[0-9a-f]{16}\.json$/)
    expect(prompt).toContain(JSON.stringify(EXAMPLE_DECISION))
    await eventually(() => existsSync(path)).toBe(false)
    expect(readdirSync(join(house.home.answers, run.id, 'taken')).join()).toContain('decision-')
    const [record] = await recordOf(house, run)
    expect(record!.proof).toMatchObject({ door: 'file' })
    expect(JSON.parse(await run.kept(record!.proof!.call))).toEqual(EXAMPLE_DECISION)
    await run.answer('sqlite')
    expect(await run.end()).toBe('done')
    expect((await run.all('session.opened')).length).toBe(1)
    expect(run.prompts()[1]).toContain('sqlite (SQLite file)')
    expect((await run.all('artifact.kept')).map(({ name }) => name)).toEqual([])
  })

  it.concurrent('[Q23] that is wrong is told with the contract and an example, and may be mended', async () => {
    const house = await at(
      [
        [askByFile({ ...EXAMPLE_DECISION, headline: 'x'.repeat(81) })],
        [askByFile('{ "headline": ')],
        [{ run: 'ln -s /etc/hostname "$SIGNALBOX_DECISION_FILE"' }],
        [askByFile(EXAMPLE_DECISION)],
        [goodByFile],
      ],
      {
        doors: false,
        runbook: WORK.replace('time: 10m', 'time: 10m, nudges: 5'),
      },
    )
    const run = await house.start()
    await run.question()
    const [, first = '', second = '', third = ''] = run.prompts()
    expect(first).toContain('may have 80 characters and has 81')
    expect(second).toContain('Your decision file could not be read')
    expect(second).toContain('{ "headline":')
    expect(third).toMatch(/was not read: it is a link|not a regular file/)
    for (const told of [first, second, third]) expect(told).toContain(JSON.stringify(EXAMPLE_DECISION))
    await run.answer('sqlite')
    expect(await run.end()).toBe('done')
    expect((await run.all('question.opened')).length).toBe(1)
  })

  it.concurrent('[Q23] is never passed over as the end of the work where nothing else is asked', async () => {
    const ask = await at([[askByFile(EXAMPLE_DECISION)], [{ say: 'FINISHED' }]], {
      doors: false,
      runbook: ASKS_NOTHING,
    })
    const asking = await ask.start()
    await asking.answer('redis')
    expect(await asking.end()).toBe('done')
    const wrong = await (await at([[askByFile({})]], { doors: false, runbook: ASKS_NOTHING })).start()
    expect(await wrong.end()).toBe('abandoned')
    expect((await wrong.until('member.faulted')).detail).toContain('`headline` is missing')
  })

  it.concurrent('[Q23] is raised by the next host, where the first one ended before it could', async () => {
    const house = await at([[askByFile(EXAMPLE_DECISION), { hang: true }], [goodByFile]], { doors: false })
    const run = await house.start()
    await run.until('agent.prompted')
    await eventually(() =>
      readdirSync(join(run.work.dir, '.signalbox/run')).join().includes('decision-'),
    ).toBe(true)
    await house.restart()
    await run.answer('sqlite')
    expect(await run.end()).toBe('done')
    expect((await run.all('question.opened')).length).toBe(1)
  })
})

describe('the door of a session', () => {
  const curl = (path: string, more = '') =>
    `curl -s -o "$SIGNALBOX_STEP.json" -w '%{http_code}' ${more} -H "authorization: Bearer $SIGNALBOX_SESSION_TOKEN" "$SIGNALBOX_SESSION_URL${path}" > status.txt`

  it.concurrent('[Q26] takes a decision from a command the agent runs, and gives it the answer', async () => {
    const house = await at([
      [
        {
          run: `echo '${JSON.stringify(EXAMPLE_DECISION)}' > payload.json; ${curl('/api/v1/session/decisions', '-d @payload.json')}`,
        },
        { run: curl('/api/v1/session/decisions/work%231.0%3F1/wait?seconds=30') },
        good,
      ],
    ])
    const run = await house.start()
    await run.question()
    const [record] = await recordOf(house, run)
    expect(record!.proof!.door).toBe('cli')
    expect(JSON.parse(await run.kept(record!.proof!.call))).toEqual(EXAMPLE_DECISION)
    await run.answer('redis')
    expect(await run.end()).toBe('done')
    expect(JSON.parse(run.work.read('work.json')).answered).toContain('redis (Redis)')
    expect(await run.all('decision.delivered')).toMatchObject([{ via: 'wait' }])
  })

  it.concurrent('[Q26] is what the command line uses in an agent’s session, where it never answers', async () => {
    const command = `"${process.execPath}" --import tsx "${resolve('src/cli/main.ts')}" decision`
    const house = await at([
      [
        { run: `echo '${JSON.stringify(EXAMPLE_DECISION)}' > payload.json` },
        {
          // Where the loader is found.
          run: `here=$PWD; cd "${process.cwd()}"; ${command} create --file "$here/payload.json" --wait 30 > "$here/told.txt" 2> "$here/id.txt"`,
        },
        {
          run: `here=$PWD; cd "${process.cwd()}"; ${command} answer work redis > "$here/refused.txt" 2>&1; echo $? >> "$here/refused.txt"`,
        },
        good,
      ],
    ])
    const run = await house.start()
    await run.answer('redis')
    expect(await run.end()).toBe('done')
    expect(run.work.read('told.txt')).toContain('redis (Redis)')
    expect(run.work.read('id.txt')).toContain('work#1.0?1')
    expect(run.work.read('refused.txt')).toMatch(/An agent can raise questions[\s\S]*\n[12]\n$/)
    expect((await recordOf(house, run))[0]!.proof!.door).toBe('cli')
  })

  it.concurrent('[Q26] is shut to everybody else, and says what a wrong decision should be', async () => {
    const house = await at([[{ hang: true }]])
    const run = await house.start()
    await run.until('agent.prompted')
    const [token = ''] = house.tokens()
    const ask = (path: string, init: RequestInit, as = token) =>
      fetch(`${house.url()}/api/v1/session/decisions${path}`, {
        ...init,
        headers: { authorization: `Bearer ${as}` },
      })
    const post = (body: string, as?: string) => ask('', { method: 'POST', body }, as)
    for (const stranger of ['x', 'people-only', ''])
      expect((await post(JSON.stringify(EXAMPLE_DECISION), stranger)).status).toBe(401)
    for (const wrong of ['{}', 'no json', '[]', '']) {
      const response = await post(wrong)
      expect(response.status).toBe(422)
      const { code, message } = (await response.json()) as { code: string; message: string }
      expect(code).toBe('invalid-decision')
      expect(message).toContain(JSON.stringify(EXAMPLE_DECISION))
    }
    expect((await ask('/nothing/wait?seconds=0', {})).status).toBe(404)
    expect((await ask('/nothing/wait?seconds=99', {})).status).toBe(400)
    const raised = await post(JSON.stringify(EXAMPLE_DECISION))
    expect([raised.status, await raised.json()]).toEqual([201, { id: 'work#1.0?1' }])
    expect((await post(JSON.stringify(EXAMPLE_DECISION))).status).toBe(409)
    const waited = await ask('/work%231.0%3F1/wait?seconds=0', {})
    expect(await waited.json()).toEqual({ answered: null })
    // It opens nothing of the people's.
    const people = await fetch(`${house.url()}/api/v1/decisions`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(people.status).toBe(403)
    await run.tell({ type: 'run.cancel', reason: '' })
    await eventually(async () => (await post('{}')).status).toBe(401)
  })
})

describe('waiting', () => {
  it.concurrent('[Q8] FIELD 17, FIELD 18: finds an answer that came before it, also in a turn of over 20 minutes', async () => {
    const wait = tool('wait_decision', { decision: 'work#1.0?1', seconds: 0 })
    const house = await at(
      [
        [
          tool('create_decision', EXAMPLE_DECISION),
          { run: 'until test -f go; do sleep 0.05; done' },
          wait,
          { run: 'true' },
          good,
        ],
      ],
      { runbook: WORK.replace('time: 10m, stall: 5m', 'time: 2h, stall: 2h') },
    )
    const run = await house.start()
    await run.question()
    await run.answer('sqlite')
    // Longer than a session of most servers lives.
    house.clock.advance(25 * 60_000)
    run.work.write('go', '')
    expect(await run.end()).toBe('done')
    expect(run.prompts()).toHaveLength(1)
    expect(await run.all('decision.delivered')).toMatchObject([{ via: 'wait' }])
  })
})
