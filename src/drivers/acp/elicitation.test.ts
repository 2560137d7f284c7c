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

describe('a form', () => {
  it('of one text with a few values is a choice between them', () => {
    const plain = read({ colour: { type: 'string', enum: ['Red', 'dark blue'], default: 'dark blue' } })
    expect(plain).toMatchObject({
      field: 'colour',
      values: { 'choice-1': 'Red', 'choice-2': 'dark blue' },
      elicitation: {
        message: 'Which?',
        options: [
          { key: 'choice-1', label: 'Red' },
          { key: 'choice-2', label: 'dark blue' },
        ],
        recommended: 'choice-2',
      },
    })
    if ('reason' in plain) throw new Error(plain.reason)
    const answers: readonly (readonly [Elicited, object])[] = [
      [
        { kind: 'picked', key: 'choice-2' },
        { action: 'accept', content: { colour: 'dark blue' } },
      ],
      [{ kind: 'picked', key: 'red' }, { action: 'decline' }],
      [
        { kind: 'declined', reason: 'No.' },
        { action: 'decline', _meta: { 'signalbox/reason': 'No.' } },
      ],
      [{ kind: 'cancelled' }, { action: 'cancel' }],
    ]
    for (const [elicited, response] of answers) expect(responseOf(plain, elicited)).toMatchObject(response)
  })

  it('of yes and no has two options, and gives back true or false', () => {
    const sure = read({ sure: { type: 'boolean', title: 'Sure?', default: true } }, { title: 'Form' })
    expect(sure).toMatchObject({ elicitation: { title: 'Sure?', recommended: 'yes' } })
    if ('reason' in sure) throw new Error(sure.reason)
    expect(responseOf(sure, { kind: 'picked', key: 'no' })).toEqual({
      action: 'accept',
      content: { sure: false },
    })
  })

  it.each([
    ['no field', {}, 'this has 0 fields'],
    ['two fields', { a: { type: 'boolean' }, b: { type: 'boolean' } }, 'this has 2 fields'],
    ['free text', { a: { type: 'string' } }, '"a" is a free string'],
    ['a number', { a: { type: 'integer' } }, '"a" is a free integer'],
    ['one value', { a: { type: 'string', enum: ['x'] } }, '"a" is one of 1'],
    ['seven values', { a: { type: 'string', enum: 'abcdefg'.split('') } }, '"a" is one of 7'],
    [
      'several at once',
      { a: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } } },
      '"a" is a free array',
    ],
  ])('of %s is not put to a person, and says why', (_, properties, reason) => {
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
    const onElicitation = async (): Promise<Elicited> => ({ kind: 'picked', key: 'yes' })
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
