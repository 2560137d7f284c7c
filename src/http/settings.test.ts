/** Who is told what is in force on a host. How it is found out is told in `cli/settings`. */
import { describe, expect, it } from 'vitest'
import { AGENT_TOKEN, askerOf, openOperations, tokenOf } from './doors.fixture.ts'
import type { HostSettings } from './host-settings.ts'
import { FINDING, SETTINGS } from './settings.fixture.ts'

const OF_OWNER = [
  ['GET', '/agents'],
  ['POST', '/agents/codex/probe'],
  ['GET', '/channels'],
  ['POST', '/channels/x/test'],
  ['POST', '/policies'],
  ['GET', '/sandbox'],
  ['GET', '/doctor'],
] as const

const open = (settings: HostSettings | null = SETTINGS) => {
  const ask = askerOf({ ...openOperations().options, settings })
  return (method: string, path: string, more: { token?: string; body?: unknown } = {}) =>
    ask(`/api/v1/settings${path}`, { method, ...more })
}

describe('the settings', () => {
  it('are told to the owner', async () => {
    const ask = open()
    expect(await ask('GET', '/doctor')).toEqual({ status: 200, data: [FINDING] })
    expect((await ask('POST', '/channels/x/test')).data).toMatchObject({ channel: 'x', result: 'sent' })
    expect(await ask('POST', '/policies', { body: { name: 'a' } })).toMatchObject({ status: 201 })
    expect(await ask('POST', '/agents/odd/probe')).toMatchObject({ status: 404, data: { code: 'unknown' } })
  })

  it('[U13] are told to others only as far as they decide: nothing is run for them', async () => {
    const ask = open()
    const token = tokenOf('maria')
    for (const [method, path] of OF_OWNER)
      expect(await ask(method, path, { token }), path).toMatchObject({
        status: 403,
        data: { code: 'owner-only' },
      })
    expect(await ask('GET', '/policies', { token })).toMatchObject({ status: 200 })
  })

  it('[U13] are nothing to an agent', async () => {
    const ask = open()
    for (const [method, path] of [...OF_OWNER, ['GET', '/policies'] as const])
      expect(await ask(method, path, { token: AGENT_TOKEN }), path).toMatchObject({ status: 403 })
  })

  it('are said to be none where nobody handed them in', async () => {
    expect(await open(null)('GET', '/agents')).toMatchObject({ status: 404, data: { code: 'not-found' } })
  })
})
