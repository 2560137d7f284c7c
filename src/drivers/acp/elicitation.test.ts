import type { CreateElicitationRequest } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { until } from '../../until.fixture.ts'
import { openSession } from '../contract.fixture.ts'
import type { Elicited } from '../driver.ts'
import { createAcpDriver } from './driver.ts'
import { formOf, responseOf } from './elicitation.ts'
import { oddAgent } from './odd-agent.fixture.ts'

const form = (properties: object, more: object = {}): CreateElicitationRequest =>
  ({
    mode: 'form',
    sessionId: 's',
    message: 'Which?',
    requestedSchema: { type: 'object', properties, ...more },
  }) as CreateElicitationRequest

const read = (properties: object, more?: object) => formOf(form(properties, more))

const formed = (properties: object, more?: object) => {
  const found = read(properties, more)
  if ('reason' in found) throw new Error(found.reason)
  return found
}
const picked = (key: string, fields: Extract<Elicited, { kind: 'picked' }>['fields'] = {}): Elicited => ({
  kind: 'picked',
  key,
  fields,
})

describe('a form', () => {
  it('of one text with a few values is a choice between them', () => {
    const plain = formed({ colour: { type: 'string', enum: ['Red', 'dark blue'], default: 'dark blue' } })
    expect(plain).toMatchObject({
      elicitation: {
        message: 'Which?',
        options: [
          { key: 'choice-1', label: 'Red' },
          { key: 'choice-2', label: 'dark blue' },
        ],
        recommended: 'choice-2',
        form: null,
        takesWords: false,
      },
    })
    const answers: readonly (readonly [Elicited, object])[] = [
      [picked('choice-2'), { action: 'accept', content: { colour: 'dark blue' } }],
      [picked('red'), { action: 'decline' }],
      [
        { kind: 'words', text: 'No.' },
        { action: 'decline', _meta: { 'signalbox/reason': 'No.' } },
      ],
      [
        { kind: 'declined', reason: 'No.' },
        { action: 'decline', _meta: { 'signalbox/reason': 'No.' } },
      ],
      [{ kind: 'cancelled' }, { action: 'cancel' }],
    ]
    for (const [elicited, response] of answers) expect(responseOf(plain, elicited)).toMatchObject(response)
  })

  it('of yes and no has two options, and gives back true or false', () => {
    const sure = formed({ sure: { type: 'boolean', title: 'Sure?', default: true } }, { title: 'Form' })
    expect(sure).toMatchObject({ elicitation: { title: 'Sure?', recommended: 'yes' } })
    expect(responseOf(sure, picked('no'))).toEqual({ action: 'accept', content: { sure: false } })
  })

  const LONG = 'Keep it in a file of SQLite beside the service, as today'
  const ASKED = {
    question_0: {
      type: 'string',
      title: 'Store',
      oneOf: [
        { const: 'SQLite', title: 'SQLite — one file', _meta: { about: { preview: 'PRAGMA user_version' } } },
        { const: LONG, title: LONG },
      ],
    },
    question_0_custom: { type: 'string', title: 'Other', description: 'Type your own answer (optional).' },
  }

  it('[Q36] of one choice with a free text beside it is that choice, and words are the text', () => {
    const { elicitation, contentOf } = formed(ASKED)
    expect(elicitation).toMatchObject({ title: 'Store', takesWords: true, form: null })
    expect(elicitation.options).toEqual([
      { key: 'choice-1', label: 'SQLite — one file', body: 'PRAGMA user_version' },
      // Whole in its body where it is too long for a label.
      { key: 'choice-2', label: LONG.slice(0, 40), body: LONG },
    ])
    expect(contentOf(picked('choice-2'))).toEqual({ question_0: LONG })
    expect(contentOf({ kind: 'words', text: 'Ask Maria.' })).toEqual({ question_0_custom: 'Ask Maria.' })
    const isNeeded = formed(ASKED, { required: ['question_0'] })
    expect(isNeeded.elicitation.takesWords).toBe(false)
    expect(isNeeded.contentOf({ kind: 'words', text: 'Ask Maria.' })).toBeNull()
  })

  it('[Q36] of several fields is sent as a whole, with what each may be, and what is needed', () => {
    const { elicitation, contentOf } = formed(
      {
        store: {
          type: 'string',
          title: 'Store',
          oneOf: [{ const: 'a', title: 'A', description: 'The first.' }],
        },
        'which ones?': {
          type: 'array',
          description: 'Any of them.',
          items: {
            anyOf: [
              { const: 'x, y', title: 'x, y' },
              { const: 'z', title: 'Z' },
            ],
          },
          default: ['z'],
        },
        tags: { type: 'array', items: { type: 'string' } },
        count: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
        sure: { type: 'boolean' },
        why: { type: 'string' },
      },
      { required: ['store'] },
    )
    expect(elicitation.options.map(({ key }) => key)).toEqual(['submit', 'no-answer'])
    expect(elicitation.form?.proposed).toEqual({ 'field-2': ['z'], count: 2 })
    expect(elicitation.form?.fields).toEqual([
      {
        name: 'store',
        type: 'choice',
        say: 'Store\n- a: A\nThe first.',
        requiredFor: ['submit'],
        choices: ['a'],
      },
      {
        name: 'field-2',
        type: 'list',
        say: 'Any of them.\n- x, y\n- z: Z',
        requiredFor: [],
        choices: ['x, y', 'z'],
      },
      { name: 'tags', type: 'list', say: '', requiredFor: [], choices: [] },
      {
        name: 'count',
        type: 'number',
        say: 'a whole number, at least 1, at most 5',
        requiredFor: [],
        choices: [],
      },
      { name: 'sure', type: 'boolean', say: '', requiredFor: [], choices: [] },
      { name: 'why', type: 'text', say: '', requiredFor: [], choices: [] },
    ])
    const fields = { store: 'a', 'field-2': ['x, y', 'z'], count: 3, sure: false }
    expect(contentOf(picked('submit', fields))).toEqual({
      store: 'a',
      'which ones?': ['x, y', 'z'],
      count: 3,
      sure: false,
    })
    expect(contentOf(picked('no-answer', fields))).toBeNull()
  })

  it.each([
    ['no field', {}, 'this has 0'],
    [
      'too many fields',
      Object.fromEntries('abcdefghijklmnopqrstu'.split('').map((a) => [a, { type: 'boolean' }])),
      'this has 21',
    ],
    ['an object', { a: { type: 'object', properties: {} }, b: { type: 'boolean' } }, '"a" is an object.'],
    [
      'a list of objects',
      { a: { type: 'array', items: { type: 'object' } } },
      '"a" is a list of something else',
    ],
    ['no type', { a: {} }, '"a" is something without a type.'],
    ['something that is no schema', { a: null }, '"a" is something without a type.'],
    ['an endless choice', { a: { type: 'string', enum: Array(51).fill('x') } }, '"a" is a choice among 51'],
    ['a choice among numbers', { a: { type: 'string', enum: [1, 2] } }, '"a" is a choice among other things'],
  ])('[Q36] of %s is not put to a person, and says why', (_, properties, reason) => {
    expect(read(properties)).toEqual({ reason: expect.stringContaining(reason) })
  })

  it('by address is not for us', () => {
    const request = {
      mode: 'url',
      sessionId: 's',
      message: 'm',
      url: 'https://example.com',
      elicitationId: 'e',
    }
    expect(formOf(request as CreateElicitationRequest)).toHaveProperty('reason')
  })
})

describe('an agent that sends a form', () => {
  const driver = createAcpDriver({ registry: null })
  const SENDS = `
    initialize: (id, params) => {
      methods.offered = params.clientCapabilities.elicitation
      send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
    },
    'session/new': (id) => send({ id, result: { sessionId: 'odd', models: { currentModelId: 'small-1' } } }),
    'session/prompt': (id) => {
      methods.prompt = id
      send({ id: 'form', method: 'elicitation/create', params: { mode: 'form', sessionId: 'odd', message: 'Go?',
        requestedSchema: { type: 'object', properties: { go: { type: 'boolean' } } } } })
    },
    answered: ({ result }) => {
      say(JSON.stringify({ offered: methods.offered ?? null, ...result }))
      end(methods.prompt, result.action === 'cancel' ? 'cancelled' : 'end_turn')
    }`

  it('gets what was picked, and had been told that forms are filled in; its model is known', async () => {
    const onElicitation = async (): Promise<Elicited> => ({ kind: 'picked', key: 'yes', fields: {} })
    const { session } = await openSession(driver, oddAgent(SENDS), { onElicitation })
    const { text } = (await session.prompt('Go.')) as { text: string }
    expect(JSON.parse(text)).toEqual({ offered: { form: {} }, action: 'accept', content: { go: true } })
    expect(session.agent.model).toBe('small-1')
  })

  it('is declined where nobody fills in forms, which it was not promised either', async () => {
    const { session } = await openSession(driver, oddAgent(SENDS))
    const { text } = (await session.prompt('Go.')) as { text: string }
    expect(JSON.parse(text)).toMatchObject({ offered: null, action: 'decline' })
  })

  it('gets it cancelled with the turn', async () => {
    let asked = false
    const onElicitation = (): Promise<Elicited> => {
      asked = true
      return new Promise(() => {})
    }
    const { session } = await openSession(driver, oddAgent(SENDS), { onElicitation })
    const end = session.prompt('Go.')
    await until(() => asked, 'it asks')
    await session.cancel()
    expect(await end).toMatchObject({ kind: 'ended', reason: 'cancelled' })
  })
})
