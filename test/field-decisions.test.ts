/** Bugs that others shipped in asking people and bringing back their answers, one test each, with real parts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRemote } from '../src/cli/hosting/remote.ts'
import { actorText } from '../src/model/answer.ts'
import { EXAMPLE_DECISION } from '../src/model/decision.ts'
import {
  answer,
  decision,
  desk,
  envelopes,
  link,
  outside,
  record,
  turnsEnded,
} from './field-decisions.fixture.ts'
import { houses, type Turns } from './host/host.fixture.ts'
import { eventually } from './host/run.fixture.ts'

const openHouse = houses()
const WORK =
  'agents: { dev: { questions: 5 } }\nsteps: { work: { agent: dev, options: { good: done, poor: abandoned } } }'
const SIGN = `
agents: { dev: { questions: 5 } }
steps:
  work: { agent: dev, next: sign }
  sign: { decide: Ship it?, options: { ship: { to: done, recommended: true }, drop: abandoned } }
`
const DAY_MS = 24 * 3_600_000

const raise = (more: object = {}) => ({
  tool: { name: 'create_decision', arguments: { ...EXAMPLE_DECISION, ...more } },
})
const good = { answer: { decision: 'good' }, via: 'mcp' } as const
/** Of a character that two code units make, one alone. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
const asleep = { say: 'I wait.' }
/** Goes on when the test says so. */
const until = (name: string) => ({ run: `while [ ! -e .signalbox/run/${name} ]; do sleep 0.05; done` })
const asking = (turns: Turns, runbook = WORK) => openHouse({ runbook, plays: { work: turns }, doors: true })

describe('decisions', () => {
  it.concurrent('FIELD 11: of many who answer at once, over different doors, exactly one wins, and the others are told who', async () => {
    const house = await asking([[raise(), asleep], [good]])
    const run = await house.start()
    const asked = await decision(house, run)
    const remote = createRemote({ url: house.url(), socket: house.home.socket })
    const overLink = async () => {
      const { status } = await fetch(`${link(house, asked)}&pick=redis`, {
        method: 'POST',
        redirect: 'manual',
      })
      return status === 303 ? 'won' : `${status}`
    }
    const told = async (asking: Promise<object>) => {
      const said = await asking
      return 'problem' in said ? String(said.problem) : 'won'
    }
    const said = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) =>
        told(desk(house, `person${index}`).answer(asked.id, answer(index % 2 === 0 ? 'sqlite' : 'redis'))),
      ),
      told(remote.decisions.answer(asked.id, answer('sqlite', { digest: asked.digest }))),
      told(remote.decisions.answer(asked.id, answer('redis'))),
      overLink(),
    ])
    expect(said.filter((each) => each === 'won')).toHaveLength(1)
    const { by, pick } = await run.until('question.answered')
    for (const each of said.filter((one) => one !== 'won'))
      expect(['409', `${actorText(by)} already answered this with ${pick}.`]).toContain(each)
    expect(await run.end()).toBe('done')
    expect(await run.all('question.answered')).toHaveLength(1)
    expect(envelopes(run)).toEqual([expect.stringContaining(`Picked: ${pick}`)])
  })

  it.concurrent('FIELD 12: an invalid decision leaves the one it would replace as it is; only a valid one takes its place', async () => {
    const house = await asking([
      [
        raise(),
        raise({ supersedes: 'work#1.0?1', headline: '' }),
        until('go'),
        raise({ supersedes: 'work#1.0?1', headline: 'A better question' }),
        asleep,
      ],
      [good],
    ])
    const run = await house.start()
    const first = await decision(house, run)
    await eventually(() => JSON.stringify(house.wire).includes('`headline` is empty')).toBe(true)
    expect(await record(house, first.id)).toMatchObject({ status: 'open', supersededBy: null })
    run.work.write('.signalbox/run/go', '')
    const second = await decision(house, run, 2)
    expect(await record(house, first.id)).toMatchObject({ status: 'superseded', supersededBy: second.id })
    expect(
      (await run.events()).map(({ type }) => type).filter((type) => /supersed|closed/.test(type)),
    ).toEqual(['question.closed', 'decision.superseded'])

    const old = await outside(house)
    await expect(outside(house, { ...EXAMPLE_DECISION, options: [], supersedes: old })).rejects.toThrow(
      'must be a list of 2 to 6',
    )
    expect(await record(house, old)).toMatchObject({ status: 'open' })
    const next = await outside(house, { ...EXAMPLE_DECISION, headline: 'Better', supersedes: old })
    expect(await record(house, old)).toMatchObject({ status: 'superseded', supersededBy: next })
    await desk(house).answer(second.id, answer('sqlite'))
    expect(await run.end()).toBe('done')
  })

  it.concurrent('FIELD 13: no clock ever answers: a question waits for its person, and a deadline ends it as unanswered', async () => {
    const house = await asking(
      [[raise({ deadline: '1h' }), asleep], [{ say: 'FINISHED: I did what I could.' }]],
      SIGN,
    )
    const run = await house.start()
    const asked = await decision(house, run)
    const forever = await outside(house)
    const lapsing = await outside(house, { ...EXAMPLE_DECISION, deadline: '1h' })
    house.clock.advance(2 * 3_600_000)
    await eventually(async () => (await record(house, asked.id)).status).toBe('expired')
    await eventually(async () => (await record(house, lapsing)).status).toBe('expired')
    const { status, by, pick } = await record(house, asked.id)
    expect([status, by, pick]).toEqual(['expired', null, ''])
    const sign = await decision(house, run, 2)
    house.clock.advance(400 * DAY_MS)
    await house.restart()
    for (const id of [sign.id, forever])
      expect(await record(house, id)).toMatchObject({ status: 'open', by: null, pick: '' })
    expect(await run.all('question.answered')).toEqual([])
    expect(run.prompts()[1]).toContain('That is not an answer to it.')
    expect(run.prompts()[1]).not.toContain('Picked:')
    await desk(house).answer(sign.id, answer('ship'))
    expect(await run.end()).toBe('done')
  })

  it.concurrent('FIELD 14: answers reach whoever asked, once each and in their order, also where the host was away', async () => {
    const house = await asking([
      [raise({ headline: 'First' }), asleep],
      [{ run: 'true' }, raise({ headline: 'Second' }), asleep],
      [{ run: 'true' }, raise({ headline: 'Third' }), asleep],
      [{ run: 'true' }, good],
    ])
    const log = join(house.home.dir, 'told')
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth++)
      ids.push(
        await outside(house, EXAMPLE_DECISION, [
          'sh',
          '-c',
          `echo $SIGNALBOX_DECISION >> '${log}'; cat >> '${log}.all'`,
        ]),
      )
    const run = await house.start()
    for (let nth = 1; nth <= 3; nth++) {
      const { id } = await decision(house, run, nth)
      await eventually(() => turnsEnded(house) >= nth).toBe(true)
      if (nth === 2) await house.restart()
      await desk(house).answer(id, answer(nth % 2 === 0 ? 'redis' : 'sqlite'))
      const standing = ids[3 - nth]!
      await desk(house).answer(standing, answer('redis'))
      await eventually(async () => (await record(house, standing)).status).toBe('acted')
    }
    expect(await run.end()).toBe('done')
    expect(
      envelopes(run).map((text) => [/Headline: (.*)/.exec(text)?.[1], /Picked: (\w+)/.exec(text)?.[1]]),
    ).toEqual([
      ['First', 'sqlite'],
      ['Second', 'redis'],
      ['Third', 'sqlite'],
    ])
    expect((await run.all('decision.delivered')).map(({ question }) => question)).toEqual(
      [1, 2, 3].map((nth) => `work#1.0?${nth}`),
    )
    for (let nth = 1; nth <= 3; nth++)
      expect((await decision(house, run, nth)).stages.map(({ status }) => status)).toEqual([
        'open',
        'answered',
        'delivered',
        'acknowledged',
        'acted',
      ])
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(ids.toReversed())
  })

  it.concurrent('FIELD 15: a note belongs to its decision, and goes with no other', async () => {
    const house = await openHouse({
      runbook: `
        agents: { anna: { questions: 2 }, ben: { questions: 2 } }
        steps:
          work: { panel: [anna, ben], options: { good: done, poor: abandoned } }
      `,
      plays: {
        'work@anna': [[raise({ headline: 'A1' }), asleep], [raise({ headline: 'A2' }), asleep], [good]],
        'work@ben': [[raise({ headline: 'B1' }), asleep], [good]],
      },
      doors: true,
    })
    const run = await house.start()
    const open = async (headline: string): Promise<string> => {
      const found = async () => {
        const page = await desk(house).list({ status: 'open', run: run.id, cursor: null, limit: 9 })
        return 'rows' in page ? page.rows.find((row) => row.headline.endsWith(headline))?.id : undefined
      }
      await eventually(async () => (await found()) !== undefined).toBe(true)
      return (await found())!
    }
    const [a1, b1] = [await open('A1'), await open('B1')]
    await desk(house).answer(b1, answer('redis', { note: 'A word for B1' }))
    await desk(house).answer(a1, answer('sqlite', { note: 'A word for A1' }))
    await desk(house).answer(await open('A2'), answer('sqlite'))
    expect(await run.end()).toBe('done')
    const notes = envelopes(run).map((text) => [
      /Headline: (.*)/.exec(text)![1],
      /Note: (.*)/.exec(text)?.[1],
    ])
    expect(Object.fromEntries(notes)).toEqual({ A1: 'A word for A1', A2: undefined, B1: 'A word for B1' })
    for (const text of envelopes(run)) expect(text.match(/A word for/g)?.length ?? 0).toBeLessThan(2)
  })

  it.concurrent('FIELD 16: lengths are counted in characters, whatever they are made of, and nothing is cut in the middle of one', async () => {
    const train = '🚂'
    const [headline, label, body] = [train.repeat(80), train.repeat(40), train.repeat(2048)]
    const options = [
      { key: 'sqlite', label, body },
      { key: 'redis', label: 'Redis', body: 'é'.repeat(2048) },
    ]
    const house = await asking([
      [raise({ headline: `${headline}${train}` }), raise({ headline, options }), asleep],
      [good],
    ])
    const run = await house.start()
    const asked = await decision(house, run)
    expect(JSON.stringify(house.wire)).toContain('`headline` may have 80 characters and has 81.')
    expect(asked.shown.headline).toContain(headline)
    expect(asked.shown.options[0]).toMatchObject({ label, body })
    const page = await (await fetch(link(house, asked))).text()
    expect(page).toContain(headline)
    await desk(house).answer(asked.id, answer('sqlite', { note: train.repeat(500) }))
    expect(await run.end()).toBe('done')
    const [told = ''] = envelopes(run)
    for (const whole of [headline, label, body, train.repeat(500)]) expect(told).toContain(whole)
    for (const text of [told, page]) expect(text).not.toMatch(HALF)
    await expect(outside(house, { ...EXAMPLE_DECISION, question: train.repeat(121) })).rejects.toThrow(
      'may have 120 characters and has 121',
    )
  })

  it.concurrent('FIELD 17: an answer that was there before anybody waited is given to whoever waits', async () => {
    const wait = { tool: { name: 'wait_decision', arguments: { decision: 'work#1.0?1', seconds: 40 } } }
    const house = await asking(
      [[raise(), until('answered'), wait, { run: 'true' }, good]],
      WORK.replace('agent: dev,', 'agent: dev, stall: 5m,'),
    )
    const id = await outside(house)
    await desk(house).answer(id, answer('redis'))
    for (let again = 0; again < 2; again++)
      expect(await desk(house).wait(id, 0)).toMatchObject({
        answered: expect.stringContaining('Picked: redis'),
      })

    const run = await house.start()
    const asked = await decision(house, run)
    house.clock.advance(9 * 3_600_000)
    await desk(house).answer(asked.id, answer('sqlite'))
    run.work.write('.signalbox/run/answered', '')
    expect(await run.end()).toBe('done')
    expect(run.prompts()).toHaveLength(1)
    expect(await run.all('decision.delivered')).toMatchObject([{ via: 'wait' }])
    expect(JSON.stringify(house.wire)).toContain('Picked: sqlite')
  })

  it.concurrent('FIELD 18: a turn may take hours: its tools work as at the beginning, and no session of theirs runs out', async () => {
    const house = await openHouse({
      runbook: `
        agents: { dev: { questions: 2 } }
        steps: { work: { agent: dev, time: 12h, options: { good: done, poor: abandoned } } }
      `,
      plays: {
        work: [
          [{ tool: { name: 'read_run', arguments: {} } }, until('go'), raise(), asleep],
          [until('on'), good],
        ],
      },
      doors: true,
    })
    const run = await house.start()
    await eventually(() => JSON.stringify(house.wire).includes('read_run')).toBe(true)
    house.clock.advance(5 * 3_600_000)
    run.work.write('.signalbox/run/go', '')
    const asked = await decision(house, run)
    house.clock.advance(30 * DAY_MS)
    const [token = ''] = house.tokens()
    const call = await fetch(`${house.url()}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-session-id': 'one that nobody remembers',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'wait_decision', arguments: { decision: asked.question, seconds: 0 } },
      }),
    })
    expect([call.status, await call.text()]).toEqual([200, expect.stringContaining('is still open')])
    await desk(house).answer(asked.id, answer('sqlite'))
    await run.until('agent.prompted', 2)
    house.clock.advance(5 * 3_600_000)
    run.work.write('.signalbox/run/on', '')
    expect(await run.end()).toBe('done')
    expect(await run.until('answer.received')).toMatchObject({ via: 'mcp' })
    expect(await run.all('member.faulted')).toEqual([])
  })

  it.concurrent('FIELD 19: words approve nothing: not a step, not a permission, and of a decision they pick none', async () => {
    const house = await asking(
      [
        [
          {
            permission: { title: 'rm -r build' },
            allowed: [{ write: { path: 'allowed.txt', text: '' } }],
            rejected: [{ write: { path: 'rejected.txt', text: '' } }],
          },
          raise(),
          until('on'),
          asleep,
        ],
        [{ say: 'FINISHED: then not.' }],
      ],
      SIGN,
    )
    const run = await house.start()
    const permission = await decision(house, run)
    expect(await desk(house).answer(permission.id, answer('', { note: 'yes, go ahead' }))).toHaveProperty(
      'answered',
    )
    const asked = await decision(house, run, 2)
    expect([run.work.has('rejected.txt'), run.work.has('allowed.txt')]).toEqual([true, false])
    const objection = 'Wait, sqlite would be wrong here. Do not ship.'
    expect(await desk(house).answer(asked.id, answer('', { note: objection }))).toHaveProperty('answered')
    run.work.write('.signalbox/run/on', '')
    const sign = await decision(house, run, 3)
    const [told = ''] = envelopes(run)
    expect(told).toContain('They picked none of your options')
    expect(told).toContain(objection)
    expect(told).not.toContain('Picked:')
    expect(await record(house, asked.id)).toMatchObject({ pick: '', note: objection })
    for (const words of ['ship it', 'no, wait', ''])
      expect(await desk(house).answer(sign.id, answer('', { note: words }))).toHaveProperty('problem')
    const page = await fetch(link(house, sign), {
      method: 'POST',
      body: new URLSearchParams({ note: 'approve' }),
    })
    expect(page.status).toBe(400)
    expect(await record(house, sign.id)).toMatchObject({ status: 'open', by: null })
    await desk(house).answer(sign.id, answer('drop', { note: 'ship' }))
    expect(await run.end()).toBe('abandoned')
  })

  it.concurrent('FIELD 20: what has changed since it was shown cannot be approved: it is shown again', async () => {
    const house = await openHouse({
      runbook: `
        steps:
          work: { agent: dev, next: sign }
          sign:
            decide: Ship it?
            context: cat a.txt
            options: { ship: done, drop: abandoned }
      `,
      plays: { work: [[{ say: 'FINISHED' }]] },
      doors: true,
    })
    const run = await house.start()
    const seen = await decision(house, run)
    const old = link(house, seen)
    writeFileSync(join(run.work.dir, 'a.txt'), 'something else\n')
    const approve = await fetch(`${old}&pick=ship`, { method: 'POST', redirect: 'manual' })
    expect(approve.status).toBe(409)
    expect(await approve.text()).toContain('something else')
    expect(await desk(house).answer(seen.id, answer('ship', { digest: seen.digest }))).toMatchObject({
      code: 'superseded',
    })
    expect(await run.all('question.answered')).toEqual([])
    const now = await record(house, seen.id)
    expect(now.shown.context).toEqual({ context: 'something else' })
    const second = await fetch(`${link(house, now)}&pick=ship`, { method: 'POST', redirect: 'manual' })
    expect(second.status).toBe(303)
    expect(await run.end()).toBe('done')
  })
})
