/** A model that is asked for over the protocol: by an option, by the older list, or not at all. */
import { expect, it } from 'vitest'
import { openSession } from '../contract.fixture.ts'
import { createAcpDriver } from './driver.ts'
import { oddAgent } from './odd-agent.fixture.ts'

const driver = createAcpDriver({ registry: null, leaveMs: 50, graceMs: 100 })

async function opened(begun: string, model: string, more = '') {
  const sent: { method?: string; params?: unknown }[] = []
  const launch = oddAgent(
    `'session/new': (id) => send({ id, result: { sessionId: 'odd', ${begun} } })${more}`,
  )
  const seen = await openSession(driver, launch, {
    model,
    onWire: (direction, message) => direction === 'out' && sent.push(message as object),
  }).then(
    ({ session }) => session.agent.model,
    (error: Error) => error.message,
  )
  return { seen, asked: sent.slice(2) }
}

const OPTION = `configOptions: [{ id: 'm', category: 'model', type: 'select', currentValue: 'small',
  options: [{ group: 'g', name: 'All', options: [{ value: 'small', name: 'Small' }, { value: 'big', name: 'The Big One' }] }] }]`
const LIST = `models: { currentModelId: 'small', availableModels: [{ modelId: 'small', name: 'S' }, { modelId: 'big', name: 'B' }] }`

it.each(['big', 'The Big One'])('[D19] is chosen by the option that is offered for it: %s', async (model) => {
  const set = `, 'session/set_config_option': (id) => send({ id, result: { configOptions: [] } })`
  const { seen, asked } = await opened(OPTION, model, set)
  expect(seen).toBe(model)
  expect(asked).toMatchObject([
    { method: 'session/set_config_option', params: { sessionId: 'odd', configId: 'm', value: 'big' } },
  ])
})

it('[D19] is chosen from the older list', async () => {
  const { seen, asked } = await opened(LIST, 'big', `, 'session/set_model': (id) => send({ id, result: {} })`)
  expect(seen).toBe('big')
  expect(asked).toMatchObject([{ method: 'session/set_model', params: { sessionId: 'odd', modelId: 'big' } }])
})

it('[D19] is not asked for where it is the one already', async () => {
  expect(await opened(LIST, 'small')).toMatchObject({ seen: 'small', asked: [] })
})

it('[D19] that is not offered is told, with what is, and no other is worked with', async () => {
  expect((await opened(LIST, 'huge')).seen).toContain(
    'does not offer the model "huge". It offers: small, big.',
  )
  expect((await opened('', 'huge')).seen).toContain('cannot be told to work with the model "huge"')
  const refuses = `, 'session/set_model': (id) => refuse(id, -32603, 'not today')`
  expect((await opened(LIST, 'big', refuses)).seen).toContain('did not take the model "big": not today')
})
