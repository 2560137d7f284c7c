/** A program of this machine that a browser speaks to, at another port or at the port of an ended host, and what it can do with what it gets. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../src/until.fixture.ts'
import { CHROMIUM, useBrowser, type Web } from './browser.fixture.ts'

interface Heard {
  readonly server: Server
  readonly headers: IncomingHttpHeaders[]
}

/** Keeps what it is sent, as the server of a "preview" would. */
async function listen(port: number, reply: (path: string) => readonly [number, string]): Promise<Heard> {
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    headers.push(request.headers)
    const [status, body] = reply(request.url ?? '')
    // A wrong name of the host has the page prove its key to that.
    response.writeHead(status, {
      'content-type': status === 200 ? 'text/html' : 'application/json',
      'x-signalbox-host': 'evil',
    })
    response.end(body)
  })
  await until(
    () =>
      new Promise<boolean>((done) =>
        server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)),
      ),
    'the port is free',
  )
  onTestFinished(() => void server.close())
  return { server, headers }
}

const READS = [
  '/me',
  '/decisions',
  '/events',
  '/runs',
  '/decisions/export',
  '/stream?after=0',
  '/settings/doctor',
]

/** Everything that a program can send, which a page cannot: any header, at any name of the host. */
async function statuses(web: Web, id: string, stolen: Record<string, string>): Promise<number[]> {
  const origin = web.url()
  const headers = { ...stolen, origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const asked = [
    ...READS.map((path) =>
      fetch(`${origin}/api/v1${path}`, { headers, signal: AbortSignal.timeout(20_000) }),
    ),
    post(`/decisions/${id}/answer`, { pick: 'redis' }),
    post('/login/links', {}),
    post('/decisions', { decision: {} }),
    post('/login', { key: stolen['cookie']?.split('=')[1] }),
  ]
  return (await Promise.all(asked)).map(({ status }) => status)
}

describe.skipIf(CHROMIUM === null)('a program of this machine', () => {
  const open = useBrowser()

  it('[U16] that is visited at another port gets the cookie, and neither reads nor answers anything with it', async () => {
    const web = await open()
    const id = await web.raise()
    const page = await web.visit(`/inbox/${id}`)
    const preview = await listen(0, () => [200, `<!doctype html><a href="${web.url()}/inbox/${id}">look</a>`])
    const visit = await page.context().newPage()
    await visit.goto(`http://127.0.0.1:${(preview.server.address() as AddressInfo).port}/`)
    const cookie = preview.headers
      .map((each) => each.cookie ?? '')
      .find((each) => each.includes('signalbox-'))
    // Without it there is no attack.
    expect(cookie).toMatch(/^signalbox-[\w-]+=\S+$/)
    const { headers } = await fetch(`${web.url()}/api/v1/me`)
    const instance = headers.get('x-signalbox-host')!
    expect(instance).not.toBe('')
    for (const proof of [
      {},
      { 'x-signalbox': '1' },
      { 'x-signalbox': instance },
      { 'x-signalbox': cookie!.split('.')[1]! },
    ]) {
      const said = await statuses(web, id, { cookie: cookie!, ...proof })
      expect(
        said.filter((status) => status !== 401 && status !== 403),
        JSON.stringify(proof),
      ).toEqual([])
    }
    expect(await visit.evaluate(() => localStorage.length)).toBe(0)
    expect(await web.ask('GET', `/decisions/${id}`)).toMatchObject({ status: 'open' })
    // The user loads it anew, opens it in another tab, and follows a link from that very page.
    await page.reload()
    await page.getByRole('button', { name: /Redis/ }).waitFor()
    await visit.getByRole('link', { name: 'look' }).click()
    await visit.getByRole('button', { name: /Redis/ }).click()
    await until(
      async () => ((await web.ask('GET', `/decisions/${id}`)) as { pick: string }).pick === 'redis',
      'it is answered',
    )
  })

  it('[U19] that takes the port of a killed host gets from an open page nothing that the next host takes', async () => {
    const web = await open()
    const id = await web.raise()
    const page = await web.visit(`/inbox/${id}`)
    await page.evaluate(() => Object.assign(window, { isOurs: true }))
    const port = Number(new URL(web.url()).port)
    await web.kill()
    const unauthorized = JSON.stringify({ code: 'unauthorized', message: 'Sign in.' })
    const squatter = await listen(port, (path) =>
      path.startsWith('/api/') ? [401, unauthorized] : [200, '<title>evil</title>'],
    )
    // It comes back once more, to the name that was made up for it.
    const came = () => squatter.headers.filter((each) => each['x-signalbox'] !== undefined)
    await until(() => came().length >= 3, 'the page asks the wrong host')
    const stolen = came().map(({ cookie = '', 'x-signalbox': proof }) => ({
      cookie,
      'x-signalbox': String(proof),
    }))
    expect(new Set(stolen.map((each) => each['x-signalbox'])).size).toBeGreaterThan(1)
    expect(await page.evaluate(() => 'isOurs' in window)).toBe(true)
    squatter.server.closeAllConnections()
    await new Promise((closed) => squatter.server.close(closed))
    await web.start()
    for (const each of stolen) {
      const said = await statuses(web, id, each)
      expect(said.filter((status) => status !== 401 && status !== 403)).toEqual([])
    }
    // And the page goes on as if nothing had been.
    await page.getByRole('button', { name: /Redis/ }).click()
    await until(
      async () => ((await web.ask('GET', `/decisions/${id}`)) as { pick: string }).pick === 'redis',
      'it is answered',
    )
    expect(await page.evaluate(() => 'isOurs' in window)).toBe(true)
  })
})
