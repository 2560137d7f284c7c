/** How a browser comes in, and what a page of somebody else cannot do with it. */
import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { AGENT_TOKEN, openOperations, SECRET, TOKEN } from './doors.fixture.ts'
import { createLoginKeys } from './login-keys.ts'
import { createApp, startServer } from './server.ts'
import { personalToken } from './visitor.ts'

const HERE = 'http://127.0.0.1:7474'

interface Sent {
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

function open() {
  const opened = openOperations()
  const app = createApp(opened.options)
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
  const cookieFor = async (key: string) => {
    const { headers } = await logIn(key)
    return (headers.get('set-cookie') ?? '').split(';')[0]!
  }
  return { ...opened, send, logIn, link, cookieFor, own }
}

type Reply = Readonly<Record<string, unknown>> & {
  readonly code?: string
  readonly path?: string
  readonly person?: string
}

describe('a login link', () => {
  it('[U1] lets one browser in, once, with a cookie that scripts cannot read and other pages cannot send', async () => {
    const { logIn, link, send } = open()
    const key = await link()
    const came = await logIn(key)
    expect(came).toMatchObject({ status: 200, data: { person: 'alice' } })
    const cookie = came.headers.get('set-cookie') ?? ''
    for (const trait of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(trait)
    expect(cookie).not.toContain('Secure')
    const me = await send('GET', '/api/v1/me', { cookie: cookie.split(';')[0]! })
    expect(me).toMatchObject({ status: 200, data: { person: 'alice', isOwner: true } })
    expect(await logIn(key)).toMatchObject({ status: 401, data: { code: 'unauthorized' } })
  })

  it('[U1] is too old after an hour', () => {
    let now = 0
    const keys = createLoginKeys(() => now)
    const [one, other] = [1, 2].map(() => keys.createLink({ person: 'alice', isOwner: true }).split('#')[1]!)
    now = 59 * 60_000
    expect(keys.redeem(one!)).toEqual({ person: 'alice', isOwner: true })
    expect(keys.redeem(one!)).toBeNull()
    now = 60 * 60_000
    expect(keys.redeem(other!)).toBeNull()
  })

  it('[U1] is made by the owner, for themselves or for somebody on the list', async () => {
    const { link, send, cookieFor } = open()
    const cookie = await cookieFor(await link('maria'))
    expect(await send('GET', '/api/v1/me', { cookie })).toMatchObject({
      data: { person: 'maria', isOwner: false },
    })
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect(await send('POST', '/api/v1/login/links', { headers, body: { person: 'eve' } })).toMatchObject({
      status: 404,
      data: { code: 'unknown-person' },
    })
    const marias = { authorization: `Bearer ${personalToken('maria', SECRET)}` }
    expect(await send('POST', '/api/v1/login/links', { headers: marias, body: {} })).toMatchObject({
      status: 403,
      data: { code: 'owner-only' },
    })
  })
})

describe('a session', () => {
  it('[U2] is what its token is: a person’s own name, and no run started', async () => {
    const { send, cookieFor, own, runbook, repo } = open()
    const cookie = await cookieFor(personalToken('maria', SECRET))
    expect(await send('GET', '/api/v1/me', { cookie })).toMatchObject({ data: { person: 'maria' } })
    const body = { runbook, dir: repo, vars: { what: 'this' } }
    expect(await send('POST', '/api/v1/runs', { cookie, headers: own, body })).toMatchObject({
      status: 403,
      data: { code: 'owner-only' },
    })
  })

  it('[U2] ends with the list, the secret and the cookie’s own end', async () => {
    const { send, cookieFor, people } = open()
    const cookie = await cookieFor(personalToken('maria', SECRET))
    expect(await send('GET', '/api/v1/me', { cookie })).toMatchObject({ status: 200 })
    people.delete('maria')
    expect(await send('GET', '/api/v1/me', { cookie })).toMatchObject({ status: 401 })
    const [name, value = ''] = cookie.split('=')
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
    ])
      expect(await send('GET', '/api/v1/me', { cookie: `${name}=${odd}` })).toMatchObject({ status: 401 })
  })

  it('[U2] outlives the host that gave it', async () => {
    const { options, cookieFor, link } = open()
    const cookie = await cookieFor(await link())
    const next = createApp({ ...options, keys: { ...options.keys, token: 'of-the-next-host' } })
    const response = await next.request(`${HERE}/api/v1/me`, { headers: { host: '127.0.0.1:7474', cookie } })
    expect(response.status).toBe(200)
  })

  it('[V2] is given to no agent, and an agent’s token beside it counts before it', async () => {
    const { logIn, send, cookieFor, link } = open()
    expect(await logIn(AGENT_TOKEN)).toMatchObject({ status: 401 })
    const cookie = await cookieFor(await link())
    const headers = { authorization: `Bearer ${AGENT_TOKEN}` }
    expect(await send('GET', '/api/v1/me', { cookie, headers })).toMatchObject({
      status: 403,
      data: { code: 'people-only' },
    })
  })
})

describe('a page of somebody else', () => {
  const EVIL = 'https://evil.example'
  it.each([
    ['another origin', { 'x-signalbox': '1', origin: EVIL }, 'wrong-origin'],
    ['another port of this machine', { 'x-signalbox': '1', origin: 'http://127.0.0.1:9999' }, 'wrong-origin'],
    ['no origin it would own to', { 'x-signalbox': '1', origin: 'null' }, 'wrong-origin'],
    [
      'a browser that says it is elsewhere',
      { 'x-signalbox': '1', 'sec-fetch-site': 'cross-site' },
      'wrong-origin',
    ],
    [
      'a browser that says it is nearby',
      { 'x-signalbox': '1', 'sec-fetch-site': 'same-site' },
      'wrong-origin',
    ],
    ['a form, which has no header', { origin: HERE }, 'wrong-header'],
    ['another name for this machine', { 'x-signalbox': '1', host: 'evil.example' }, 'wrong-host'],
  ])('[U3] changes nothing with a session that is sent along: %s', async (_, headers, code) => {
    const { send, cookieFor, link, begin } = open()
    const cookie = await cookieFor(await link())
    const run = await begin()
    const { data } = await send('GET', `/api/v1/decisions?run=${run}`, { cookie })
    const [{ id }] = data['rows'] as [{ id: string }]
    const refused = { status: 403, data: { code } }
    const act = (path: string, body: object) => send('POST', path, { cookie, headers, body })
    expect(await act(`/api/v1/decisions/${id}/answer`, { pick: 'ship' })).toMatchObject(refused)
    expect(await act('/api/v1/decisions', { decision: EXAMPLE_DECISION })).toMatchObject(refused)
    expect(await act('/api/v1/login', { key: TOKEN })).toMatchObject(refused)
    expect(await act('/api/v1/logout', {})).toMatchObject(refused)
    expect(await send('GET', `/api/v1/decisions/${id}`, { cookie })).toMatchObject({
      data: { status: 'open' },
    })
  })

  it('[U3] reads nothing either, and may lead a person here', async () => {
    const { send, cookieFor, link } = open()
    const cookie = await cookieFor(await link())
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
    const server = await startServer(options)
    if ('problem' in server) throw new Error(server.problem)
    const follow = async (person: string, page: string) => {
      const token = person === 'alice' ? TOKEN : personalToken(person, SECRET)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const leave = new AbortController()
      const { signal } = leave
      const response = await fetch(`${server.url}/api/v1/stream?page=${page}`, { headers, signal })
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      return {
        leave: () => leave.abort(),
        look: async (place: string | null) => {
          const body = JSON.stringify({ page, place })
          const init = { method: 'POST', headers, body }
          return (await fetch(`${server.url}/api/v1/presence`, init)).status
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
