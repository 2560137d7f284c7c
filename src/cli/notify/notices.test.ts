/** From a decision to somebody's telephone and back, with a real host. */
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openReceiver, seen } from '../../../test/notices.fixture.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readEnvironment } from '../environment.ts'
import { becomeHost } from '../hosting/become-host.ts'

const PAYLOAD = {
  headline: 'Which cache?',
  question: 'Redis is here already; memory is simpler.',
  options: [
    { key: 'memory', label: 'In memory' },
    { key: 'redis', label: 'Redis' },
  ],
}

describe('a host with channels', () => {
  it('[N5] tells of a decision, takes the answer by the link in it, and tells that it is over', async () => {
    const receiver = await openReceiver()
    const place = createPlace({
      user: `people: { anna: { groups: [team] } }\nnotify:\n  - { webhook: "${receiver.url}/hook", secret_env: HOOK, for: anna }\n`,
    })
    const environment = readEnvironment({
      PATH: process.env['PATH'],
      HOME: place.dir,
      SIGNALBOX_HOME: join(place.dir, 'data'),
      SIGNALBOX_CONFIG: place.configDir,
      HOOK: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    })
    const hosting = await becomeHost({ environment, version: '0', port: 0, work: true, trace: null })
    if (hosting === null || 'problem' in hosting) throw new Error(hosting?.problem ?? 'there is a host')
    onTestFinished(() => hosting.close())
    const { decisions } = hosting.operations
    const asker = { agent: 'outside', program: 'test', version: '1', model: '' }
    const made = await decisions.create({ payload: PAYLOAD, asker, door: 'cli', resume: null, repo: '' })
    if ('problem' in made) throw new Error(made.problem)
    await seen(() => expect(receiver.received).toHaveLength(1))
    const { link: told, id } = receiver.received[0]!.body.data
    const link = told ?? ''
    expect(id).toBe(made.id)
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/d\//)
    // Looking decides nothing, with a pick in the address or without.
    for (const url of [link, `${link}&pick=redis`]) expect((await fetch(url)).status).toBe(200)
    expect(await decisions.show(id)).toMatchObject({ status: 'open' })
    expect((await fetch(`${link}&pick=redis`, { method: 'POST' })).status).toBe(200)
    await seen(() => expect(receiver.received).toHaveLength(2))
    expect(receiver.received[1]?.body).toMatchObject({
      type: 'decision.closed',
      data: { id, closing: { how: 'answered', by: 'anna', label: 'Redis' } },
    })
  })
})
