/** The page behind a link: it shows one decision to one person, and decides only on a POST. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DecisionOrder } from '../host/inbox/decisions.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { appOf, openOperations } from './doors.fixture.ts'
import { createLinks } from './links.ts'
import type { ServerOptions } from './server.ts'

const ORDER = {
  asker: { agent: 'claude', program: '', version: '', model: '' },
  door: 'http',
  resume: null,
  repo: '/somewhere',
} as const

function visitOf(options: ServerOptions) {
  const app = appOf(options)
  return async (path: string, init: RequestInit & { readonly host?: string } = {}) => {
    const { host = 'localhost', headers, ...rest } = init
    const response = await app.request(path, {
      ...rest,
      headers: { ...(headers as Record<string, string>), host },
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

async function open() {
  const opened = openOperations()
  const { decisions } = opened.operations
  const linkFor = createLinks({ url: '', secrets: opened.options.keys.secrets })
  const raise = async (over: object = {}, order: Partial<DecisionOrder> = {}) => {
    const made = await decisions.create({ ...ORDER, payload: { ...EXAMPLE_DECISION, ...over }, ...order })
    if ('problem' in made) throw new Error(made.problem)
    return show(made.id)
  }
  const show = async (id: string) => {
    const record = await decisions.show(id)
    if ('problem' in record) throw new Error(record.problem)
    return record
  }
  return { ...opened, decisions, linkFor, raise, show, visit: visitOf(opened.options) }
}

const beside = (link: string, other: string): string => {
  const { pathname, search } = new URL(other, `http://localhost${link}`)
  return `${pathname}${search}`
}

const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

describe('a link', () => {
  it('[Q28] says until when an answer that is held can be taken back', async () => {
    const { raise, show, decisions, linkFor, visit } = await open()
    const {
      id,
      digest,
      shown: { recommended },
    } = await raise()
    await decisions.answer(id, {
      note: '',
      fields: {},
      edited: null,
      digest,
      together: false,
      pick: recommended!,
      holdMs: 60_000,
    })
    const { undoableUntil } = await show(id)
    const { text } = await visit(linkFor({ id, person: 'maria', digest }))
    const time = new Date(undoableUntil!).toISOString().slice(11, 19)
    expect(text).toContain(`Now: answered, and it can be taken back until ${time} UTC`)
  })

  it('[Q27] shows the command that any answer has run, and where', async () => {
    const { raise, linkFor, visit } = await open()
    const { id, digest } = await raise({}, { resume: { argv: ['claude', '<b>'], cwd: '/repo' } })
    const { text } = await visit(linkFor({ id, person: 'maria', digest }))
    expect(text).toContain('Runs in /repo, outside any sandbox:')
    expect(text).toContain('claude &#39;&lt;b&gt;&#39;')
  })

  it('[V5] shows the question, its context and its options, and looking decides nothing', async () => {
    const { raise, linkFor, visit, show } = await open()
    const { id, digest } = await raise({ evidence: { 'tests run': '42 passed' } })
    const link = linkFor({ id, person: 'maria', digest })
    for (const path of [link, `${link}&pick=redis`]) {
      const { status, text, headers } = await visit(path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toContain('text/html')
      for (const part of [
        EXAMPLE_DECISION.headline,
        EXAMPLE_DECISION.question,
        EXAMPLE_DECISION.context,
        '42 passed',
        'name="pick" value="sqlite"',
        'name="pick" value="redis"',
        'name="note"',
        'You answer as maria',
        'recommended',
      ])
        expect(text).toContain(part)
    }
    for (const method of ['HEAD', 'OPTIONS', 'PUT']) await visit(`${link}&pick=redis`, { method })
    expect((await show(id)).status).toBe('open')
  })

  it('loads nothing, runs nothing, and is not kept, framed or told to others', async () => {
    const { raise, linkFor, visit } = await open()
    const { id, digest } = await raise()
    const { text, headers } = await visit(linkFor({ id, person: 'maria', digest }))
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self'")
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? ''
    const digestOf = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    expect(policy).toContain(`'sha256-${Buffer.from(digestOf).toString('base64')}'`)
    expect(text).not.toMatch(/<script|<link|<img|src=|https?:|@import|url\(|style="|\son\w+=/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    // Enter presses the first button there is.
    expect(/<button[^>]*>/.exec(text)?.[0]).toContain('disabled')
  })

  it('shows what others wrote as text, whatever it is', async () => {
    const { raise, linkFor, visit } = await open()
    const nasty = '"><script>alert(1)</script><b>'
    const { id, digest } = await raise({
      headline: nasty,
      question: `</title>${nasty}`,
      context: `</pre>${nasty}`,
      evidence: { [nasty]: nasty },
      options: [
        { key: 'a', label: nasty, body: nasty },
        { key: 'b', label: "'", body: '&lt;' },
      ],
      recommended: 'a',
    })
    const { text } = await visit(linkFor({ id, person: 'maria', digest }))
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<b>')
    expect(text).toContain('&lt;script&gt;')
    expect(text).toContain('&amp;lt;')
  })

  it('[V5] answers on a POST in the name of its person, once, and then says who and with what', async () => {
    const { raise, linkFor, visit, show } = await open()
    const { id, digest } = await raise()
    const [marias, jos] = ['maria', 'jo'].map((person) => linkFor({ id, person, digest }))
    const done = await visit(marias!, form({ pick: 'redis', note: 'One\r\ntwo <i>', by: 'alice' }))
    expect(done.status).toBe(303)
    expect(await show(id)).toMatchObject({ by: { name: 'maria' }, pick: 'redis', note: 'One\ntwo <i>' })
    const { status, text } = await visit(beside(marias!, done.headers.get('location')!))
    expect(status).toBe(200)
    expect(text).toContain('maria answered with “Redis”')
    expect(text).toContain('two &lt;i&gt;')
    expect(text).not.toContain('<form')
    const late = await visit(jos!, form({ pick: 'sqlite' }))
    expect(late.status).toBe(409)
    expect(late.text).toMatch(/maria already answered this with/)
    expect((await show(id)).pick).toBe('redis')
  })

  it('takes the pick of a button in a notification from the address of a POST', async () => {
    const { raise, linkFor, visit, show } = await open()
    const { id, digest } = await raise()
    const link = linkFor({ id, person: 'alice', digest })
    expect((await visit(`${link}&pick=sqlite`, { method: 'POST' })).status).toBe(303)
    expect(await show(id)).toMatchObject({ by: { name: 'alice' }, pick: 'sqlite' })
  })

  it('takes what comes as a form in several parts, and lets pass what else is sent along with a pick', async () => {
    const { raise, linkFor, visit, show } = await open()
    const [one, other] = [await raise(), await raise({ headline: 'Another?' })]
    const parts = new FormData()
    parts.set('pick', 'redis')
    parts.set('note', 'in\r\nparts')
    const link = linkFor({ id: one.id, person: 'alice', digest: one.digest })
    expect((await visit(link, { method: 'POST', body: parts })).status).toBe(303)
    expect(await show(one.id)).toMatchObject({ pick: 'redis', note: 'in\nparts' })
    const relayed = `${linkFor({ id: other.id, person: 'alice', digest: other.digest })}&pick=sqlite`
    const headers = { 'content-type': 'application/json' }
    expect((await visit(relayed, { method: 'POST', headers, body: '{"pick":"redis"}' })).status).toBe(303)
    expect(await show(other.id)).toMatchObject({ pick: 'sqlite', note: '' })
  })

  it('[Q7] FIELD 19: takes words as words, and nothing as nothing', async () => {
    const { raise, linkFor, visit, show } = await open()
    const { id, digest } = await raise()
    const link = linkFor({ id, person: 'maria', digest })
    const nothing = await visit(link, form({ note: 'redis' }))
    expect([nothing.status, (await show(id)).status]).toEqual([400, 'open'])
    expect(nothing.text).toContain('redis</textarea>')
    const unknown = await visit(link, form({ pick: 'yes' }))
    expect(unknown.status).toBe(422)
    expect(unknown.text).toContain('not one of the options')
    expect((await visit(link, form({ pick: '', note: '' }))).status).toBe(422)
    expect((await visit(link, form({ pick: '', note: 'redis' }))).status).toBe(303)
    expect(await show(id)).toMatchObject({ pick: '', note: 'redis' })
    expect((await visit(link)).text).toContain('maria answered in words')
  })

  it.each([
    ['fields', 'a=b&'],
    ['lines of one field', '%0Ax'],
    ['lines of one field, plainly', '\nx'],
  ])('[K6] decides nothing by a form of too many %s, and says so', async (_, part) => {
    const { raise, linkFor, visit, show } = await open()
    const { id, digest } = await raise()
    const link = `${linkFor({ id, person: 'maria', digest })}&pick=redis`
    const body = new URLSearchParams({ pick: 'redis' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const refused = await visit(link, {
      method: 'POST',
      headers,
      body: `${body}&note=${part.repeat(100_000)}`,
    })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('The form is made of more than 100000 values, so nothing is decided.')
    expect((await show(id)).status).toBe('open')
    expect((await visit(link, { method: 'POST', headers, body: `${body}&note=it` })).status).toBe(303)
  })

  it('[Q13] FIELD 20: made for what has changed since, it shows the new one and what is different', async () => {
    const { raise, linkFor, visit, show } = await open()
    const old = await raise()
    const link = linkFor({ id: old.id, person: 'maria', digest: old.digest })
    const now = await raise({ question: 'Where should they be kept now?', supersedes: old.id })
    const looked = await visit(link)
    expect(looked.text).toContain('has changed since')
    expect(looked.text).toContain('Changed: question.')
    expect(looked.text).toContain('Where should they be kept now?')
    const pressed = await visit(link, form({ pick: 'redis' }))
    expect(pressed.status).toBe(409)
    expect((await show(now.id)).status).toBe('open')
    const action = /action="([^"]+)"/.exec(pressed.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(beside(link, action)).toContain(`/d/${now.id}?`)
    expect((await visit(beside(link, action), form({ pick: 'redis' }))).status).toBe(303)
    expect(await show(now.id)).toMatchObject({ by: { name: 'maria' }, pick: 'redis' })
  })

  it('[V7] FIELD 15: a note typed for one that was replaced does not stand ready for the other', async () => {
    const { raise, linkFor, visit } = await open()
    const old = await raise()
    const link = linkFor({ id: old.id, person: 'maria', digest: old.digest })
    const next = await raise({ question: 'Where should they be kept now?', supersedes: old.id })
    const last = await raise({ question: 'Or nowhere at all?', supersedes: next.id })
    const pressed = await visit(link, form({ pick: 'redis', note: 'Only with a password.' }))
    expect(pressed.status).toBe(409)
    expect(pressed.text).toContain('Or nowhere at all?')
    expect(pressed.text).toContain(`./${last.id}?t=`)
    expect(pressed.text).not.toContain('Only with a password.')
  })

  it('[V5] decides nothing by a form that came broken', async () => {
    const { raise, linkFor, options, show } = await open()
    const { id, digest } = await raise()
    const headers = { host: 'localhost', 'content-type': 'multipart/form-data; boundary=a' }
    const path = `${linkFor({ id, person: 'maria', digest })}&pick=redis`
    const response = await appOf(options).request(path, { method: 'POST', headers, body: '--b' })
    expect(response.status).toBe(400)
    expect((await show(id)).status).toBe('open')
  })

  it('[Q13] FIELD 20: with another digest than what is shown, it cannot decide', async () => {
    const { raise, linkFor, visit, show } = await open()
    const { id } = await raise()
    const link = linkFor({ id, person: 'maria', digest: '0'.repeat(64) })
    expect((await visit(link)).text).toContain('has changed since')
    expect((await visit(link, form({ pick: 'redis' }))).status).toBe(409)
    expect((await show(id)).status).toBe('open')
  })

  it('[V5] is for one decision and one person, as long as they are on the list', async () => {
    const { raise, linkFor, visit, show, people } = await open()
    const [one, two] = [await raise(), await raise({ question: 'Another?' })]
    const link = linkFor({ id: one.id, person: 'maria', digest: one.digest })
    const ticket = link.split('?t=')[1]!
    const [said, signature] = ticket.split('.')
    const asJo = Buffer.from(JSON.stringify(['jo', one.digest])).toString('base64url')
    for (const path of [
      `/d/${two.id}?t=${ticket}`,
      `/d/${one.id}`,
      `/d/${one.id}?t=`,
      `/d/${one.id}?t=${said}`,
      `/d/${one.id}?t=${asJo}.${signature}`,
      `/d/${one.id}?t=%00.${signature}`,
      `/d/${one.id}?t=${ticket.slice(0, -1)}`,
      createLinks({ url: '', secrets: { ensure: () => 'another' } })({
        id: one.id,
        person: 'maria',
        digest: one.digest,
      }),
      linkFor({ id: one.id, person: 'mallory', digest: one.digest }),
    ])
      for (const init of [{}, form({ pick: 'redis' })]) {
        const { status, text } = await visit(path, init)
        expect([path, status]).toEqual([path, 403])
        expect(text).not.toContain(EXAMPLE_DECISION.question)
      }
    people.delete('maria')
    expect((await visit(link, form({ pick: 'redis' }))).status).toBe(403)
    expect((await show(one.id)).status).toBe('open')
    const gone = linkFor({ id: 'gone', person: 'alice', digest: '' })
    expect((await visit(gone)).status).toBe(404)
  })

  it('is all that the address of a tunnel lets in', async () => {
    const { raise, linkFor, options } = await open()
    const { id, digest } = await raise()
    const visit = visitOf({ ...options, publicUrl: 'https://box.example:8443' })
    const link = linkFor({ id, person: 'maria', digest })
    expect((await visit(link, { host: 'box.example:8443' })).status).toBe(200)
    for (const path of ['/', '/mcp', '/api/v1/health', '/api/v1/decisions'])
      expect((await visit(path, { host: 'box.example' })).status).toBe(403)
    expect((await visit(link, { host: 'other.example' })).status).toBe(403)
  })

  it('[R7] asks for what a step’s question needs beside its option, and holds it to the same contract', async () => {
    const { operations, decisions, linkFor, visit, repo, show } = await open()
    const runbook = join(dirname(repo), 'fields.yaml')
    writeFileSync(runbook, FIELDS)
    const started = await operations.start({ runbook, dir: repo, base: 'main', issue: null, vars: {} })
    if ('problems' in started) throw new Error(started.problems.join())
    const page = await decisions.list({ status: 'pending', cursor: null, limit: 1 })
    if ('problem' in page) throw new Error(page.problem)
    const [{ id, digest } = { id: '', digest: '' }] = page.rows
    const link = linkFor({ id, person: 'alice', digest })
    const { text } = await visit(link)
    for (const part of ['name="field.why"', 'needed for drop', 'name="field.size"', '<option>large</option>'])
      expect(text).toContain(part)
    // A step's question is answered by its options only.
    expect(text).not.toContain('Send only the note')
    expect((await visit(link, form({ pick: 'drop', 'field.why': ' ' }))).status).toBe(422)
    expect((await show(id)).status).toBe('open')
    const given = { pick: 'drop', 'field.why': 'Too late.', 'field.many': '3', 'field.names': 'a\r\nb\r\n' }
    expect((await visit(link, form({ ...given, 'field.sure': 'true', 'field.size': '' }))).status).toBe(303)
    const events = JSON.stringify(await operations.events(started.run, 0))
    expect(events).toContain('"fields":{"why":"Too late.","many":3,"names":["a","b"],"sure":true}')
  })
})

const FIELDS = `
name: fields
steps:
  sign_off:
    decide: Ship it?
    options: { ship: { to: done, recommended: true }, drop: { to: abandoned } }
    fields:
      why: { type: text, required_for: [drop], say: Why not }
      many: { type: number }
      names: { type: list }
      sure: { type: boolean }
      size: { type: choice, choices: [small, large] }
`
