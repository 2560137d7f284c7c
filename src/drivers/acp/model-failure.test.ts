/** Turns that end like any other although the model failed, and programs that end between two turns. */
import { expect, it } from 'vitest'
import { until } from '../../until.fixture.ts'
import { openSession } from '../contract.fixture.ts'
import { createAcpDriver } from './driver.ts'
import { oddAgent } from './odd-agent.fixture.ts'

const driver = createAcpDriver({ registry: null })

const FAILS_ONCE = `
  'session/prompt': (id) => {
    const status = (type) => update({ sessionUpdate: 'session_info_update', _meta: { codex: { threadStatus: { type } } } })
    status('active')
    if (!methods.failed) status('systemError')
    say(methods.failed ? 'All is well.' : 'We are experiencing high demand.')
    methods.failed = true
    end(id)
  }`

it('[D5] [agents 8] a turn whose model failed is not taken for one that ended, and the next is judged for itself', async () => {
  const { session } = await openSession(driver, oddAgent(FAILS_ONCE))
  expect(await session.prompt('Go.')).toEqual({
    kind: 'crashed',
    detail: 'The model failed: We are experiencing high demand.',
  })
  expect(await session.prompt('Again.')).toMatchObject({ kind: 'ended', text: 'All is well.' })
})

it('a session whose program ended between two prompts says so', async () => {
  const leaving = `'session/prompt': (id) => { say('Bye.'); end(id); setTimeout(() => process.exit(0), 20) }`
  const { session } = await openSession(driver, oddAgent(leaving))
  expect(session.isOpen()).toBe(true)
  await session.prompt('Go.')
  await until(() => !session.isOpen(), 'it has left')
})
