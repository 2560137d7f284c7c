/** How a browser comes in, and what a page of somebody else cannot do with it. */
import { describe, expect, it } from 'vitest'
import { INSTANCE_HEADER, PROOF_HEADER } from '../model/api/session-proof.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import {
  AGENT_TOKEN,
  appOf,
  openOperations,
  openSecrets,
  serveOwner,
  TOKEN,
  tokenOf,
} from './doors.fixture.ts'
import { createLoginKeys } from './login-keys.ts'
import { signatureOf } from './signature.ts'

const HERE = 'http://127.0.0.1:7474'

interface Sent {
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

function open() {
  const opened = openOperations()
  const app = appOf(opened.options)
  const send = async (method: 'GET' | 'POST', path: string, { cookie, headers = {}, body }: Sent = {}) => {
    const response = await app.request(`${HERE}${path}`, {
      method,
      headers: {
        host: '127.0.0.1:7474',
        'content-type': 'application/json',
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, data: (await response.json()) as Reply }
  }
  const own = { 'x-signalbox': '1', origin: HERE, 'sec-fetch-site': 'same-origin' }
  const logIn = (key: string, headers: Readonly<Record<string, string>> = own) =>
    send('POST', '/api/v1/login', { headers, body: { key } })
  const link = async (person: string | null = null) => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const { data } = await send('POST', '/api/v1/login/links', { headers, body: { person } })
    return data.path!.split('#')[1]!
  }
  const sessionFor = async (key: string): Promise<Session> => {
    const { headers, data } = await logIn(key)
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0]!
    const proof = signatureOf(data.pageKey ?? '', ['host', data.instance ?? ''])
    return { cookie, headers: { [PROOF_HEADER]: proof } }
  }
  return { ...opened, app, send, logIn, link, sessionFor, own }
}

/** As the page of our own origin sends it. */
interface Session {
  readonly cookie: string
  readonly headers: Readonly<Record<string, string>>
}

type Reply = Readonly<Record<string, unknown>> & {
  readonly code?: string
  readonly path?: string
  readonly person?: string
  readonly pageKey?: string
  readonly instance?: string
}

describe('a login link', () => {
  it('[U1] lets one browser in, once, with a cookie that scripts cannot read and other pages cannot send', async () => {
    const { logIn, link } = open()
    const key = await link()
    const came = await logIn(key)
    expect(came).toMatchObject({ status: 200, data: { person: 'alice' } })
    const cookie = came.headers.get('set-cookie') ?? ''
    for (const trait of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(trait)
    expect(cookie).not.toContain('Secure')
    expect(await logIn(key)).toMatchObject({ status: 401, data: { code: 'unauthorized' } })
  })

  it('[U1] is too old after an hour', () => {
    let now = 0
    const keys = createLoginKeys(
      openSecrets(() => 'listed'),
      { now: () => now },
    )
    const [one, other] = [1, 2].map(() => keys.createLink({ person: 'alice', isOwner: true }).split('#')[1]!)
    now = 59 * 60_000
    expect(keys.redeem(one!)).toEqual({ person: 'alice', isOwner: true })
    expect(keys.redeem(one!)).toBeNull()
    now = 60 * 60_000
    expect(keys.redeem(other!)).toBeNull()
  })

  it('[U1] is made by the owner, for themselves or for somebody on the list', async () => {
    const { link, send, sessionFor } = open()
    expect(await send('GET', '/api/v1/me', await sessionFor(await link()))).toMatchObject({
      data: { person: 'alice', isOwner: true, may: expect.arrayContaining(['steer']) },
    })
    expect(await send('GET', '/api/v1/me', await sessionFor(await link('maria')))).toMatchObject({
      data: { person: 'maria', isOwner: false, may: ['look', 'ask', 'answer'] },
    })
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect(await send('POST', '/api/v1/login/links', { headers, body: { person: 'eve' } })).toMatchObject({
      status: 404,
      data: { code: 'unknown-person' },
    })
    const marias = { authorization: `Bearer ${tokenOf('maria')}` }
    expect(await send('POST', '/api/v1/login/links', { headers: marias, body: {} })).toMatchObject({
      status: 403,
      data: { code: 'owner-only' },
    })
  })
})

describe('a session', () => {
  it('[U2] is what its token is: a person’s own name, and no run started', async () => {
    const { send, sessionFor, runbook, repo } = open()
    const session = await sessionFor(tokenOf('maria'))
    expect(await send('GET', '/api/v1/me', session)).toMatchObject({ data: { person: 'maria' } })
    const body = { runbook, dir: repo, vars: { what: 'this' } }
    expect(await send('POST', '/api/v1/runs', { ...session, body })).toMatchObject({
      status: 403,
      data: { code: 'owner-only' },
    })
  })

  it('[U2] ends with the list, the secret and the cookie’s own end', async () => {
    const { send, sessionFor, people } = open()
    const session = await sessionFor(tokenOf('maria'))
    expect(await send('GET', '/api/v1/me', session)).toMatchObject({ status: 200 })
    people.delete('maria')
    expect(await send('GET', '/api/v1/me', session)).toMatchObject({ status: 401 })
    people.set('maria', { groups: [], may: [] })
    expect(await send('GET', '/api/v1/me', session)).toMatchObject({ status: 401 })
    const { headers } = session
    const [name, value = ''] = session.cookie.split('=')
    const [said = '', signature = ''] = value.split('.')
    const forged = Buffer.from(JSON.stringify(['alice', true, Date.now() + 1e9])).toString('base64url')
    for (const odd of [
      `${forged}.${signature}`,
      said,
      `${said}.`,
      `.${signature}`,
      '',
      'x.y',
      `${said}.${signature}x`,
      // Names that no file can have.
      ...['\ud800', 'x'.repeat(5_000), '../../host', '人'.repeat(100)].map(
        (odd) =>
          `${Buffer.from(JSON.stringify([odd, false, Date.now() + 1e9])).toString('base64url')}.${signature}`,
      ),
    ])
      expect(await send('GET', '/api/v1/me', { cookie: `${name}=${odd}`, headers })).toMatchObject({
        status: 401,
      })
  })

  it('[U17] lasts no longer than the token it was given for', async () => {
    const { send, sessionFor, logIn } = open()
    const endsAt = Date.now() + 60_000
    const { headers } = await logIn(tokenOf('maria', { endsAt }))
    expect(headers.get('set-cookie')).toMatch(/Max-Age=(?:59|60)(?:;|$)/)
    expect(await logIn(tokenOf('maria', { endsAt: Date.now() - 1 }))).toMatchObject({ status: 401 })
    expect(await send('GET', '/api/v1/me', await sessionFor(tokenOf('maria', { endsAt })))).toMatchObject({
      status: 200,
    })
  })

  it('[U2] outlives the host that gave it', async () => {
    const { options, logIn, link } = open()
    const { headers, data } = await logIn(await link())
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0]!
    const next = appOf(options)
    const me = (instance: string) =>
      next.request(`${HERE}/api/v1/me`, {
        headers: {
          host: '127.0.0.1:7474',
          cookie,
          [PROOF_HEADER]: signatureOf(data.pageKey!, ['host', instance]),
        },
      })
    // What was proved to the one is worth nothing to the next, which says who it is.
    const refused = await me(data.instance!)
    expect(refused.status).toBe(401)
    const instance = refused.headers.get(INSTANCE_HEADER)!
    expect(instance).not.toBe(data.instance)
    expect((await me(instance)).status).toBe(200)
  })

  it('[U16] opens nothing by its cookie alone, whatever else is sent', async () => {
    const { app, send, sessionFor, link, begin, logIn } = open()
    await begin()
    const { cookie } = await sessionFor(await link())
    const { data } = await logIn(await link())
    const proofs = ['', '1', 'true', cookie.split('.')[1]!, data.pageKey!, data.instance!]
    for (const proof of proofs)
      for (const path of ['/me', '/decisions', '/stream', '/events', '/runs', '/kept/x', '/decisions/export'])
        expect(
          await send('GET', `/api/v1${path}`, { cookie, headers: { [PROOF_HEADER]: proof } }),
        ).toMatchObject({ status: 401 })
    // The other half of another session of the same person is no half of this one.
    const { headers } = await sessionFor(await link())
    expect(await send('GET', '/api/v1/me', { cookie, headers })).toMatchObject({ status: 401 })
    expect(
      (await app.request(`${HERE}/api/v1/stream`, { headers: { host: '127.0.0.1:7474', cookie } })).status,
    ).toBe(401)
  })

  it('[U18] that was given at a port of this host is none at another', async () => {
    const { app, link } = open()
    const at = (localPort: number) => ({ incoming: { socket: { localPort } } })
    const headers = { host: '127.0.0.1:7474', 'content-type': 'application/json', [PROOF_HEADER]: '1' }
    const body = JSON.stringify({ key: await link() })
    const came = await app.request(`${HERE}/api/v1/login`, { method: 'POST', headers, body }, at(7474))
    const { pageKey, instance } = (await came.json()) as Required<Reply>
    const cookie = (came.headers.get('set-cookie') ?? '').split(';')[0]!
    const proof = { [PROOF_HEADER]: signatureOf(pageKey, ['host', instance]) }
    const me = async (port: number) =>
      (await app.request(`${HERE}/api/v1/me`, { headers: { ...headers, cookie, ...proof } }, at(port))).status
    expect([await me(7474), await me(40_123)]).toEqual([200, 401])
  })

  it('[V2] is given to no agent, and an agent’s token beside it counts before it', async () => {
    const { logIn, send, sessionFor, link } = open()
    expect(await logIn(AGENT_TOKEN)).toMatchObject({ status: 401 })
    const session = await sessionFor(await link())
    const { cookie } = session
    const headers = { ...session.headers, authorization: `Bearer ${AGENT_TOKEN}` }
    expect(await send('GET', '/api/v1/me', { cookie, headers })).toMatchObject({
      status: 403,
      data: { code: 'people-only' },
    })
  })
})

describe('a page of somebody else', () => {
  const EVIL = 'https://evil.example'
  it.each([
    ['another origin', { origin: EVIL }, 'wrong-origin'],
    ['another port of this machine', { origin: 'http://127.0.0.1:9999' }, 'wrong-origin'],
    ['no origin it would own to', { origin: 'null' }, 'wrong-origin'],
    ['a browser that says it is elsewhere', { 'sec-fetch-site': 'cross-site' }, 'wrong-origin'],
    ['a browser that says it is nearby', { 'sec-fetch-site': 'same-site' }, 'wrong-origin'],
    ['another name for this machine', { host: 'evil.example' }, 'wrong-host'],
  ])('[U3] changes nothing, even with a whole session: %s', async (_, odd, code) => {
    const { send, sessionFor, link, begin } = open()
    const session = await sessionFor(await link())
    const { cookie } = session
    const headers = { ...session.headers, ...odd }
    const run = await begin()
    const { data } = await send('GET', `/api/v1/decisions?run=${run}`, session)
    const [{ id }] = data['rows'] as [{ id: string }]
    const refused = { status: 403, data: { code } }
    const act = (path: string, body: object) => send('POST', path, { cookie, headers, body })
    expect(await act(`/api/v1/decisions/${id}/answer`, { pick: 'ship' })).toMatchObject(refused)
    expect(await act('/api/v1/decisions', { decision: EXAMPLE_DECISION })).toMatchObject(refused)
    expect(await act('/api/v1/login', { key: TOKEN })).toMatchObject(refused)
    expect(await act('/api/v1/logout', {})).toMatchObject(refused)
    expect(await send('GET', `/api/v1/decisions/${id}`, session)).toMatchObject({
      data: { status: 'open' },
    })
  })

  it('[U3] signs nobody in or out by a form, which has no header', async () => {
    const { send, sessionFor, link } = open()
    const { cookie } = await sessionFor(await link())
    for (const [path, body] of [
      ['login', { key: await link() }],
      ['logout', {}],
    ] as const)
      expect(
        await send('POST', `/api/v1/${path}`, { cookie, headers: { origin: HERE }, body }),
      ).toMatchObject({
        status: 403,
        data: { code: 'wrong-header' },
      })
  })

  it('[U3] reads nothing either, and may lead a person here', async () => {
    const { send, sessionFor, link } = open()
    const { cookie } = await sessionFor(await link())
    const evil = { origin: EVIL, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
    for (const path of ['/api/v1/runs', '/api/v1/stream', '/api/v1/health', '/mcp'])
      expect(await send('GET', path, { cookie, headers: evil })).toMatchObject({ status: 403 })
    const led = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect(await send('GET', '/api/v1/health', { headers: led })).toMatchObject({ status: 200 })
  })

  it('[U3] takes nothing from whoever uses a token', async () => {
    const { send } = open()
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect(
      await send('POST', '/api/v1/decisions', { headers, body: { decision: EXAMPLE_DECISION } }),
    ).toMatchObject({
      status: 201,
    })
  })
})

describe('who looks', () => {
  it('[U5] is told to the others for as long as their page follows, each person once a place', async () => {
    const { options } = openOperations()
    const { server, fetch } = await serveOwner(options)
    const follow = async (person: string, page: string) => {
      const authorization = person === 'alice' ? {} : { authorization: `Bearer ${tokenOf(person)}` }
      const headers = { ...authorization, 'content-type': 'application/json' }
      const leave = new AbortController()
      const { signal } = leave
      const response = await fetch(`/api/v1/stream?page=${page}`, { headers, signal })
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      return {
        leave: () => leave.abort(),
        look: async (place: string | null) => {
          const body = JSON.stringify({ page, place })
          const init = { method: 'POST', headers, body }
          return (await fetch('/api/v1/presence', init)).status
        },
        hears: async (others: unknown) => {
          const wanted = `event: presence\ndata: ${JSON.stringify(others)}\n`
          while (!text.includes(wanted)) text += (await reader.read()).value ?? ''
          text = text.slice(text.indexOf(wanted) + wanted.length)
        },
      }
    }
    const alice = await follow('alice', 'page-of-alice')
    await alice.hears([])
    const maria = await follow('maria', 'page-of-maria')
    expect(await maria.look('decision/1')).toBe(200)
    await alice.hears([{ person: 'maria', place: 'decision/1' }])
    const again = await follow('maria', 'other-of-maria')
    expect(await again.look('decision/1')).toBe(200)
    expect(await alice.look('decision/1')).toBe(200)
    await maria.hears([{ person: 'alice', place: 'decision/1' }])
    maria.leave()
    await alice.hears([{ person: 'maria', place: 'decision/1' }])
    again.leave()
    await alice.hears([])
    expect(await maria.look('decision/2')).toBe(404)
    await server.close()
  })

  it('[U5] is nobody on another’s word', async () => {
    const { send } = open()
    const headers = { authorization: `Bearer ${TOKEN}` }
    const body = { page: 'a-page-that-is-not-there', place: 'run/x' }
    expect(await send('POST', '/api/v1/presence', { headers, body })).toMatchObject({ status: 404 })
  })
})
