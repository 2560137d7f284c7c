/** An agent whose protocol has forms: a small one in raw ACP, which sends its form and notes what comes back. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../src/host/workspace/repository.fixture.ts'
import { type House, houses } from './host.fixture.ts'
import { eventually, PERSON, type RunInHouse } from './run.fixture.ts'

const openHouse = houses()
const ASKS_NOTHING =
  'steps: { work: { agent: dev, prompt: Keep sessions., time: 10m, stall: 5m, next: done, on: { failed: abandoned } } }'

const FORM_AGENT = `const { createInterface } = require('node:readline')
const { appendFileSync } = require('node:fs')
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
let prompt = null
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === 'initialize') {
    appendFileSync('heard.txt', JSON.stringify(params.clientCapabilities) + '\\n')
    send({ id, result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: 'former', version: '3' } } })
  } else if (method === 'session/new')
    send({ id, result: { sessionId: 's', configOptions: [{ type: 'select', id: 'm', name: 'Model', category: 'model', currentValue: 'large-2', options: [] }] } })
  else if (method === 'session/prompt') {
    prompt = id
    send({ id: 'form', method: 'elicitation/create', params: { mode: 'form', sessionId: 's', message: 'Which store shall I use?', requestedSchema: JSON.parse(process.env.FORM) } })
  } else if (id === 'form') {
    appendFileSync('heard.txt', JSON.stringify(result) + '\\n')
    send({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } } } })
    send({ id: prompt, result: { stopReason: 'end_turn' } })
  } else if (id !== undefined && method !== undefined) send({ id, error: { code: -32601, message: 'no' } })
}).on('close', () => process.exit(0))
`

describe('a form of the agent', () => {
  const forming = async (form: object) => {
    // Its own file each: one that is written anew while another test starts it is an empty program.
    const file = join(temporaryFolder(), 'form-agent.cjs')
    writeFileSync(file, FORM_AGENT)
    const house = await openHouse({
      runbook: ASKS_NOTHING,
      programFor: (_use, scripted) => ({
        ...scripted,
        driver: 'acp',
        argv: [process.execPath, file],
        env: { FORM: JSON.stringify(form) },
      }),
    })
    return { house, run: await house.start() }
  }
  const STORE = {
    type: 'object',
    properties: {
      store: {
        type: 'string',
        title: 'Store',
        oneOf: [
          { const: 'SQLITE', title: 'SQLite', description: 'One file.' },
          { const: 'Redis 7', title: 'Redis' },
        ],
        default: 'SQLITE',
      },
    },
  }

  it.concurrent('[Q25] is a decision where it comes to one choice, and the pick goes back as its value', async () => {
    const { house, run } = await forming(STORE)
    const card = await run.question()
    expect(card.decision).toMatchObject({
      headline: 'Store',
      question: 'Which store shall I use?',
      recommended: 'choice-1',
      options: [
        { key: 'choice-1', label: 'SQLite', body: 'One file.' },
        { key: 'choice-2', label: 'Redis' },
      ],
    })
    const [record] = Object.values((await house.host().runs.load(run.id))!.book.records)
    expect(record!.proof!.door).toBe('elicitation')
    expect(record!.asker).toMatchObject({ program: 'former', version: '3', model: 'large-2' })
    await run.answer({ pick: 'choice-2' })
    expect(await run.end()).toBe('done')
    const [capabilities, response] = run.work.read('heard.txt').trim().split('\n')
    expect(JSON.parse(capabilities!)).toMatchObject({ elicitation: { form: {} } })
    expect(JSON.parse(response!)).toEqual({ action: 'accept', content: { store: 'Redis 7' } })
    expect(run.prompts()).toHaveLength(1)
  })

  it.concurrent('[Q25] may be yes or no; words are no choice, and decline it', async () => {
    const { run } = await forming({ type: 'object', properties: { sure: { type: 'boolean' } } })
    expect((await run.question()).decision?.options.map(({ key }) => key)).toEqual(['yes', 'no'])
    await run.answer(undefined, { note: 'Neither, ask Maria.' })
    // Its protocol has no place for words: they come with its next prompt, in which it asks again.
    await run.until('question.opened', 2)
    expect(run.prompts()[1]).toContain('A person answered it in words: Neither, ask Maria.')
    await run.answer({ pick: 'yes' })
    expect(await run.end()).toBe('done')
    const [, response] = run.work.read('heard.txt').trim().split('\n')
    expect(JSON.parse(response!)).toEqual({
      action: 'decline',
      _meta: { 'signalbox/reason': 'Neither, ask Maria.' },
    })
  })

  const ASKED = {
    type: 'object',
    properties: {
      question_0: { type: 'string', title: 'Store', oneOf: STORE.properties.store.oneOf },
      question_0_custom: { type: 'string', title: 'Other' },
      question_1: {
        type: 'array',
        title: 'Where',
        items: {
          anyOf: [
            { const: 'here', title: 'Here' },
            { const: 'there', title: 'There' },
          ],
        },
      },
      port: { type: 'integer', default: 80 },
    },
    required: ['port'],
  }
  const fill = async (house: House, run: RunInHouse, pick: string, fields: object) => {
    const [record] = Object.values((await house.host().runs.load(run.id))!.book.records)
    const about = { question: record!.question, by: PERSON, pick, note: '', edited: null, batch: null }
    const command = {
      type: 'decision.answer',
      at: house.clock.now(),
      digest: record!.digest,
      ...about,
    } as const
    return house.host().runs.execute(run.id, [{ ...command, fields: { ...fields } }])
  }

  it.concurrent('[Q36] of several fields is one card, whose answers go back by their names', async () => {
    const { house, run } = await forming(ASKED)
    await run.question()
    const [record] = Object.values((await house.host().runs.load(run.id))!.book.records)
    expect(record!.shown.fields.map(({ name, type }) => [name, type])).toEqual([
      ['question_0', 'choice'],
      ['question_0_custom', 'text'],
      ['question_1', 'list'],
      ['port', 'number'],
    ])
    expect(record!.shown.proposed).toEqual({ port: 80 })
    for (const [fields, problem] of [
      [{ question_0: 'Postgres' }, 'is "Postgres", not one of SQLITE, Redis 7'],
      [{ question_1: ['here', 'nowhere'] }, 'has "nowhere", which is not one of here, there'],
      [{ other: 'x' }, 'There is no field other'],
    ] as const)
      expect(await fill(house, run, 'submit', fields)).toMatchObject({
        refusal: { message: expect.stringContaining(problem) },
      })
    await fill(house, run, 'submit', { question_0: 'Redis 7', question_1: ['here', 'there'] })
    expect(await run.end()).toBe('done')
    const [, response] = run.work.read('heard.txt').trim().split('\n')
    expect(JSON.parse(response!)).toEqual({
      action: 'accept',
      content: { question_0: 'Redis 7', question_1: ['here', 'there'], port: 80 },
    })
  })

  it.concurrent('[Q36] of one choice and a free text takes words as the text', async () => {
    const { question_0, question_0_custom } = ASKED.properties
    const { run } = await forming({ type: 'object', properties: { question_0, question_0_custom } })
    await run.question()
    await run.answer(undefined, { note: 'Keep what is there.' })
    expect(await run.end()).toBe('done')
    const [, response] = run.work.read('heard.txt').trim().split('\n')
    expect(JSON.parse(response!)).toEqual({
      action: 'accept',
      content: { question_0_custom: 'Keep what is there.' },
    })
  })

  it.concurrent('[A29] [Q36] that no person can be asked is declined with the reason, which the run and the agent are told', async () => {
    const { run } = await forming({
      type: 'object',
      properties: { a: { type: 'object' }, b: { type: 'boolean' } },
    })
    await eventually(() => run.prompts().length).toBe(2)
    expect(run.prompts()[1]).toContain('"a" is an object.')
    expect(run.prompts()[1]).toContain('one decision for each question')
    expect((await run.all('host.noted')).map(({ text }) => text).join('\n')).toContain('"a" is an object.')
    expect(await run.all('question.opened')).toEqual([])
    const [, response] = run.work.read('heard.txt').trim().split('\n')
    expect(JSON.parse(response!)).toMatchObject({
      action: 'decline',
      _meta: { 'signalbox/reason': expect.stringContaining('"a" is an object.') },
    })
  })

  it.concurrent('[Q25] is not lost with the host: the answer is told to whoever takes the work up again', async () => {
    const { house, run } = await forming(STORE)
    const { id } = await run.question()
    await house.restart()
    expect((await run.question()).id).toBe(id)
    await run.answer({ pick: 'choice-1' })
    await eventually(async () => (await run.question()).id === id).toBe(false)
    expect(run.prompts().at(-1)).toContain('Store: SQLite')
    await run.answer({ pick: 'choice-1' })
    expect(await run.end()).toBe('done')
  })
})
