/** Requests for permission as eight agents send them: what a person is told must come from wherever it stands. */
import { expect, it } from 'vitest'
import { openSession } from '../contract.fixture.ts'
import type { Permission } from '../driver.ts'
import { createAcpDriver } from './driver.ts'
import { oddAgent } from './odd-agent.fixture.ts'

const driver = createAcpDriver({ registry: null, leaveMs: 50, graceMs: 100 })

/** What is asked when these updates came first, and then this request. */
async function asked(updates: readonly object[], toolCall: object): Promise<Permission> {
  const launch = oddAgent(`
    'session/prompt': (id) => {
      methods.prompt = id
      for (const each of ${JSON.stringify(updates)}) update(each)
      send({ id: 'ask', method: 'session/request_permission', params: { sessionId: 'odd',
        toolCall: { toolCallId: 't', ...${JSON.stringify(toolCall)} },
        options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] } })
    },
    answered: () => end(methods.prompt)`)
  const { session, permissions } = await openSession(driver, launch)
  await session.prompt('Go.')
  return permissions[0]!
}

const call = (more: object) => ({ sessionUpdate: 'tool_call', toolCallId: 't', ...more })
const later = (more: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...more })
const text = (said: string) => [{ type: 'content', content: { type: 'text', text: said } }]

it('[D17] [agents 9] the command of a request stands in its input', async () => {
  const rawInput = { command: 'make' }
  expect(await asked([], { title: 'Build', kind: 'execute', rawInput })).toMatchObject({
    title: 'Build',
    deed: 'execute',
    input: rawInput,
    names: ['Build', 'Yes'],
  })
})

it('[D17] [agents 9] or in the content of an update that came before', async () => {
  const permission = await asked(
    [
      call({ title: 'Bash', kind: 'execute', content: text('') }),
      later({ content: text('{"command":"make"}') }),
    ],
    { title: 'Bash', content: text('Requesting approval to Running: make') },
  )
  expect(permission).toMatchObject({
    deed: 'execute',
    input: { command: 'make' },
    texts: ['Requesting approval to Running: make'],
  })
})

it('[D17] [agents 9] or was told with another title, and the request has only the id', async () => {
  const permission = await asked(
    [call({ title: 'signalbox-read_run', kind: 'other', rawInput: {} }), later({ rawInput: { a: 1 } })],
    { title: 'Read your run' },
  )
  expect(permission).toMatchObject({ input: { a: 1 }, deed: 'other' })
  expect(permission.names).toEqual(['signalbox-read_run', 'Read your run', 'Yes'])
})

it('[D17] [agents 9] files stand among its places, and in what it would change', async () => {
  const content = [{ type: 'diff', path: '/w/a.ts', oldText: 'a', newText: 'b' }]
  expect(
    await asked([], { title: 'Edit', kind: 'edit', content, locations: [{ path: '/w/b.ts' }] }),
  ).toMatchObject({ files: ['/w/a.ts', '/w/b.ts'], texts: ['b'], input: null })
})

it('[D17] what was said to touch something is not made harmless by a later word', async () => {
  expect(await asked([call({ kind: 'execute' })], { title: 'x', kind: 'other' })).toMatchObject({
    deed: 'execute',
  })
})
