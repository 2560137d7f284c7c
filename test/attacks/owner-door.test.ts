/** An agent that has asked an irreversible question answers it itself, at the doors for people: the port, and the owner's socket. */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { eventually } from '../host/run.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const irreversible = {
  ...EXAMPLE_DECISION,
  options: EXAMPLE_DECISION.options.map((each) => ({ ...each, reversible: false })),
}

/** As a person's program would, at the place it is given: a port with a token, or a socket. */
const ANSWERING = `
import { request } from 'node:http'
const [place, token] = process.argv.slice(2)
const { hostname, port } = place.startsWith('/') ? {} : new URL(place)
const way = place.startsWith('/') ? { socketPath: place } : { hostname, port }
const headers = { host: '127.0.0.1', 'content-type': 'application/json', ...(token ? { authorization: 'Bearer ' + token } : {}) }
const said = (path, body) => new Promise((done, fail) => {
  const sent = request({ ...way, path: '/api/v1/decisions' + path, method: body ? 'POST' : 'GET', headers }, async (reply) => {
    let text = ''
    for await (const chunk of reply) text += chunk
    if (reply.statusCode >= 400) fail(new Error(reply.statusCode + ' ' + text))
    else done(JSON.parse(text))
  })
  sent.on('error', fail)
  sent.end(body && JSON.stringify(body))
})
const { rows: [{ id }] } = await said('?status=pending')
const { digest } = await said('/' + encodeURIComponent(id))
await said('/' + encodeURIComponent(id) + '/answer', { pick: 'redis', digest })
`

const HOPELESS = ['own', 'none', 'socket', 'link', 'relative'] as const

attack(
  '[V20] with its own token, with none, and at the owner’s socket by every way to it',
  {
    doors: true,
    runbook: 'steps: { develop: { agent: dev, next: done, on: { else: abandoned } } }',
    prepare: ({ dir }) => writeFileSync(join(dir, 'answering.mjs'), ANSWERING),
    plays: ({ plant, attempt, dir, house }) => {
      const answer = (place: string, token = '') =>
        `'${process.execPath}' ${dir}/answering.mjs ${place} "${token}"`
      const { socket, dir: home } = house.home
      return {
        develop: [
          [
            { tool: { name: 'create_decision', arguments: irreversible } },
            plant(
              'reach',
              `'${process.execPath}' -e "fetch('${house.url()}').then(() => process.exit(0), () => process.exit(1))"`,
            ),
            attempt('own', answer(house.url(), '$SIGNALBOX_SESSION_TOKEN')),
            attempt('none', answer(house.url())),
            attempt('socket', answer(socket)),
            attempt('link', `ln -s ${home} ${dir}/h; ${answer(`${dir}/h/host.sock`)}`),
            attempt('relative', `cd ${home} && ${answer('$PWD/host.sock')}`),
          ],
          [{ say: 'FINISHED' }],
        ],
      }
    },
  },
  async ({ run, house, dir, exit }) => {
    const tried = (name: string): number | null => (existsSync(join(dir, 'marks', name)) ? exit(name) : null)
    await eventually(() => HOPELESS.map(tried)).toEqual(HOPELESS.map(() => expect.any(Number)))
    expect(HOPELESS.map(tried).filter((code) => code === 0)).toEqual([])
    expect(await run.all('question.answered')).toEqual([])
    // What they did would have worked for whom the door is.
    await promisify(execFile)(process.execPath, [join(dir, 'answering.mjs'), house.home.socket])
    expect((await run.until('question.answered')).by).toEqual({ kind: 'person', name: 'alice' })
    expect(await run.end()).toBe('done')
  },
)
