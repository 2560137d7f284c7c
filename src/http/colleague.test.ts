/** What a person of the owner's list may do, on every route there is. */
import { describe, expect, it } from 'vitest'
import { RIGHTS, type Right } from '../model/api/rights.ts'
import { ROUTES } from '../model/api/routes.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { appOf, askerOf, openOperations, TOKEN, tokenOf } from './doors.fixture.ts'
import { createLinks } from './links.ts'
import { SETTINGS } from './settings.fixture.ts'

const MARIA = tokenOf('maria')
const JO = tokenOf('jo')
const PATH = '/api/v1/decisions'

const routes = Object.entries(ROUTES).map(([address, { access }]) => {
  const [method = '', path = ''] = address.split(' ')
  return { address, method, access, path: path.replaceAll(/\{\w+\}/g, 'x') }
})
const isRight = (access: string): access is Right => Object.hasOwn(RIGHTS, access)

describe('the table of rights', () => {
  it('[V24] has every route that is a person’s, and all that a colleague can change by it is what stands here', () => {
    const changing = routes.flatMap(({ address, method, access }) =>
      method === 'POST' && isRight(access) && (RIGHTS[access].isUsual as boolean) ? [address] : [],
    )
    expect(changing.toSorted()).toEqual([
      'POST /api/v1/decisions',
      'POST /api/v1/decisions/{id}/acted',
      'POST /api/v1/decisions/{id}/answer',
      'POST /api/v1/decisions/{id}/undo',
      'POST /api/v1/decisions/{id}/withdraw',
      'POST /api/v1/presence',
    ])
  })

  it('[V24] is kept on each route: what is not among a colleague’s rights is refused, and nothing is done', async () => {
    const opened = openOperations()
    opened.people.set('jo', { groups: [], may: ['steer', 'arrange'] })
    const app = appOf({ ...opened.options, settings: SETTINGS })
    const before = await opened.operations.eventsAfter(0, 1000)
    const status = async (method: string, path: string, token: string): Promise<number> => {
      const headers = {
        host: 'localhost',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      }
      const response = await app.request(path, {
        method,
        headers,
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
      await response.body?.cancel()
      return response.status
    }
    let refused = 0
    for (const { address, method, path, access } of routes) {
      if (access === 'open' || access === 'link') continue
      const isMarias = isRight(access) && RIGHTS[access].isUsual
      const said = await status(method, path, MARIA)
      if (access === 'session') expect([address, said]).toEqual([address, 401])
      else if (isMarias) expect([401, 403], address).not.toContain(said)
      else expect([address, said]).toEqual([address, 403])
      refused += isMarias ? 0 : 1
      // To whom the config gives more by name.
      if (isRight(access)) expect([401, 403], address).not.toContain(await status(method, path, JO))
      else expect([401, 403], address).toContain(await status(method, path, JO))
    }
    expect(refused).toBeGreaterThan(20)
    expect(await opened.operations.eventsAfter(0, 1000)).toEqual(before)
  })

  it('[V24] keeps a run from a colleague who may not steer, with a sentence that says who can change that', async () => {
    const { options, begin, people } = openOperations()
    const ask = askerOf(options)
    const run = await begin()
    const cancel = () => ask(`/api/v1/runs/${run}/actions`, { body: { kind: 'cancel' }, token: MARIA })
    expect(await cancel()).toMatchObject({
      status: 403,
      data: {
        code: 'not-allowed',
        message: expect.stringMatching(/^You may not cancel, .*`may: \[steer\]`\.$/),
      },
    })
    people.set('maria', { groups: [], may: ['steer'] })
    expect(await cancel()).toMatchObject({ status: 200 })
  })
})

function open() {
  const opened = openOperations()
  const ask = askerOf(opened.options)
  const raise = async (token = TOKEN, over: object = {}, asker: object = {}) =>
    (await ask(PATH, { body: { decision: { ...EXAMPLE_DECISION, ...over }, ...asker }, token })).data as {
      id: string
    }
  const show = async (id: string) => (await ask(`${PATH}/${id}`)).data
  return { ...opened, ask, raise, show }
}

const NOT_THEIRS = { status: 403, data: { code: 'not-allowed' } }

describe('a colleague', () => {
  it('[V23] asks in their own name, whatever the request says, and as no other door', async () => {
    const { raise, show } = open()
    const asker = { agent: 'alice', program: 'claude', person: 'alice' }
    const { id } = await raise(MARIA, {}, { asker, door: 'mcp' })
    const { asker: kept, proof } = await show(id)
    expect(kept).toMatchObject({ agent: 'maria', person: 'maria' })
    expect(proof).toMatchObject({ door: 'http' })
    expect((await show((await raise()).id)).asker).not.toHaveProperty('person')
  })

  it('[V23] puts a question in the place of their own only, and withdraws, awaits and reports on no other', async () => {
    const { ask, raise, show } = open()
    const { id: owners } = await raise(TOKEN, {}, { asker: { agent: 'maria' } })
    const { id: jos } = await raise(JO)
    for (const id of [owners, jos, owners.slice(0, 6)]) {
      expect(
        await ask(PATH, { body: { decision: { ...EXAMPLE_DECISION, supersedes: id } }, token: MARIA }),
      ).toMatchObject(NOT_THEIRS)
      expect(await ask(`${PATH}/${id}/withdraw`, { body: {}, token: MARIA })).toMatchObject(NOT_THEIRS)
      expect(await ask(`${PATH}/${id}/wait?seconds=0`, { token: MARIA })).toMatchObject(NOT_THEIRS)
      expect(await ask(`${PATH}/${id}/acted`, { body: { did: 'x' }, token: MARIA })).toMatchObject(NOT_THEIRS)
    }
    expect([(await show(owners)).status, (await show(jos)).status]).toEqual(['open', 'open'])
    const { id: own } = await raise(MARIA)
    const { id: next } = await raise(MARIA, { supersedes: own })
    expect(await show(own)).toMatchObject({ status: 'superseded', supersededBy: next })
    expect(await ask(`${PATH}/${next}/withdraw`, { body: {}, token: MARIA })).toMatchObject({ status: 200 })
  })

  it('[V25] answers what is theirs, their group’s or nobody’s in particular, over any door', async () => {
    const { ask, raise, show, people, options } = open()
    people.set('maria', { groups: ['leads'], may: [] })
    const assigned = async (to: string | null): Promise<string> => {
      const { id } = await raise(TOKEN, { headline: `For ${to}?` })
      if (to !== null) await ask(`${PATH}/${id}/assign`, { body: { to } })
      return id
    }
    const answer = (id: string, over: object = {}) =>
      ask(`${PATH}/${id}/answer`, { body: { pick: 'redis', ...over }, token: MARIA })
    for (const to of ['maria', 'leads', null])
      expect(await answer(await assigned(to))).toMatchObject({ status: 200 })
    for (const to of ['alice', 'jo', 'ops']) {
      const id = await assigned(to)
      expect(await answer(id)).toMatchObject(NOT_THEIRS)
      const { digest } = await show(id)
      const link = createLinks({ url: '', secrets: options.keys.secrets })({ id, person: 'maria', digest })
      const response = await appOf(options).request(link, {
        method: 'POST',
        headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
        body: 'pick=redis',
      })
      expect(response.status).toBe(403)
      expect(await show(id)).toMatchObject({ status: 'open' })
    }
  })

  it('[V25] answers none of another person together with their own, and takes back only what they said', async () => {
    const { ask, raise, show } = open()
    const [{ id: one }, { id: other }] = [await raise(), await raise()]
    await ask(`${PATH}/${other}/assign`, { body: { to: 'alice' } })
    const together = () =>
      ask(`${PATH}/${one}/answer`, { body: { pick: 'redis', together: true }, token: MARIA })
    expect(await together()).toMatchObject(NOT_THEIRS)
    expect([(await show(one)).status, (await show(other)).status]).toEqual(['open', 'open'])
    await ask(`${PATH}/${one}/answer`, { body: { pick: 'redis', holdMs: 60_000 } })
    expect(await ask(`${PATH}/${one}/undo`, { body: {}, token: MARIA })).toMatchObject(NOT_THEIRS)
    expect(await ask(`${PATH}/${one}/undo`, { body: {} })).toMatchObject({ status: 200 })
    expect(
      await ask(`${PATH}/${one}/answer`, { body: { pick: 'redis', holdMs: 60_000 }, token: MARIA }),
    ).toMatchObject({ status: 200 })
    expect(await ask(`${PATH}/${one}/undo`, { body: {}, token: MARIA })).toMatchObject({ status: 200 })
  })
})

describe('what lets a person in', () => {
  it('[V28] ends together: token, session, link and login link', async () => {
    const { ask, raise, show, options } = open()
    const { secrets } = options.keys
    const { id } = await raise()
    const { digest } = await show(id)
    const link = createLinks({ url: '', secrets })({ id, person: 'maria', digest })
    const app = appOf(options)
    const look = async () => (await app.request(link, { headers: { host: 'localhost' } })).status
    expect([(await ask(PATH, { token: MARIA })).status, await look()]).toEqual([200, 200])
    const owners = { host: 'localhost', authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const made = await app.request('/api/v1/login/links', {
      method: 'POST',
      headers: owners,
      body: '{"person":"maria"}',
    })
    const key = ((await made.json()) as { path: string }).path.split('#')[1]
    expect(secrets.revoke('maria')).toBe(true)
    // Something is signed for them again: what was signed before stays worth nothing.
    secrets.ensure('maria')
    const logIn = await app.request('/api/v1/login', {
      method: 'POST',
      headers: { host: 'localhost', 'x-signalbox': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    })
    expect([(await ask(PATH, { token: MARIA })).status, await look(), logIn.status]).toEqual([401, 403, 401])
  })
})
