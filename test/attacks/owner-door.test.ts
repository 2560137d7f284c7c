/** An agent that has asked an irreversible question answers it itself, at the door for people. */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { EXAMPLE_DECISION } from '../../src/model/decision.ts'
import { KEYS } from '../host/host.fixture.ts'
import { eventually } from '../host/run.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const irreversible = {
  ...EXAMPLE_DECISION,
  options: EXAMPLE_DECISION.options.map((each) => ({ ...each, reversible: false })),
}

/** As a person's program would, with the token that it is given. */
const ANSWERING = `
const [url, token] = process.argv.slice(2)
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
const ask = (path, more) => fetch(url + '/api/v1/decisions' + path, { headers, ...more })
const said = async (path, more) => {
  const response = await ask(path, more)
  if (!response.ok) throw new Error(response.status + ' ' + (await response.text()))
  return response.json()
}
const { rows: [{ id }] } = await said('?status=pending')
const { digest } = await said('/' + encodeURIComponent(id))
await said('/' + encodeURIComponent(id) + '/answer', { method: 'POST', body: JSON.stringify({ pick: 'redis', digest }) })
`

attack(
  '[V2] with its own token, with the owner’s, or with none',
  {
    doors: true,
    runbook: 'steps: { develop: { agent: dev, next: done, on: { else: abandoned } } }',
    prepare: ({ dir, house }) => {
      writeFileSync(join(dir, 'answering.mjs'), ANSWERING)
      // Where the host keeps what opens its door.
      writeFileSync(house.home.door, JSON.stringify({ url: house.url(), token: KEYS.token }))
    },
    plays: ({ plant, attempt, dir, house }) => {
      const answer = (token: string) => `'${process.execPath}' ${dir}/answering.mjs ${house.url()} "${token}"`
      return {
        develop: [
          [
            { tool: { name: 'create_decision', arguments: irreversible } },
            plant(
              'reach',
              `'${process.execPath}' -e "fetch('${house.url()}').then(() => process.exit(0), () => process.exit(1))"`,
            ),
            attempt('own', answer('$SIGNALBOX_SESSION_TOKEN')),
            attempt('owners', answer(`$(sed 's/.*"token":"\\([^"]*\\)".*/\\1/' ${house.home.door})`)),
            attempt('none', answer('')),
          ],
          [{ say: 'Done.' }],
        ],
      }
    },
  },
  async ({ run, house, dir, exit }) => {
    const tried = (name: string): number | null => (existsSync(join(dir, 'marks', name)) ? exit(name) : null)
    await eventually(() => [tried('own'), tried('owners'), tried('none')]).toEqual([1, 1, 1])
    expect(await run.all('question.answered')).toEqual([])
    // What they did would have worked for whom the door is.
    await promisify(execFile)(process.execPath, [join(dir, 'answering.mjs'), house.url(), KEYS.token])
    expect((await run.until('question.answered')).by).toEqual({ kind: 'person', name: 'alice' })
    expect(await run.end()).toBe('done')
  },
)
