/** The OpenAPI document tells of every route there is, and every route answers as it says. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../model/api/routes.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { AGENT_TOKEN, appOf, openOperations, TOKEN } from './doors.fixture.ts'
import { createLinks } from './links.ts'
import { openApiOf } from './openapi.ts'
import { createApp, createOwnerApp } from './server.ts'
import { SETTINGS } from './settings.fixture.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: object }[]
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  readonly responses: Record<string, { description: string; content: Record<string, { schema: object }> }>
  readonly security: readonly object[]
}

interface Document {
  readonly openapi: string
  readonly info: { title: string; version: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

const document = openApiOf(ROUTES, '1.2.3') as unknown as Document
const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
)

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
ajv.addVocabulary(['components'])

const { components } = document
const validatorOf = (schema: object): ValidateFunction => ajv.compile({ ...schema, components })

describe('the document', () => {
  it('is served to whoever asks', async () => {
    const response = await appOf(openOperations().options).request('/api/v1/openapi.json', {
      headers: { host: 'localhost' },
    })
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)))
  })

  it('[V3] tells of every route that is registered, and of no other', () => {
    const registered = createApp(openOperations().options)
      .routes.filter(({ method, path }) => method !== 'ALL' && path !== '/')
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const described = operations.map(({ path, verb }) => `${verb} ${path}`)
    expect(described.toSorted()).toEqual(registered.toSorted())
    expect(described.length).toBeGreaterThan(20)
  })

  it('[V3] leaves nothing to a method that it does not tell of', async () => {
    const app = createOwnerApp(openOperations().options)
    const frame = ['/*', '/api/v1/*']
    const rest = app.routes.filter(({ method, path }) => method === 'ALL' && !frame.includes(path))
    const headers = { host: 'localhost' }
    for (const { path } of rest)
      expect(await app.request(path, { method: 'DELETE', headers }), path).toMatchObject({ status: 405 })
    expect(rest.length).toBeGreaterThan(20)
  })

  it('has the structure of OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info).toMatchObject({ title: 'Signalbox', version: '1.2.3' })
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
    for (const { path, operation } of operations) {
      const { parameters = [], responses, requestBody, security, summary } = operation
      expect(summary).toMatch(/[.]$/)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath)
      expect(parameters.filter((each) => each.in === 'path').every(({ required }) => required)).toBe(true)
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length)
      expect(Object.keys(responses).length).toBeGreaterThan(0)
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect(status).toMatch(/^[245]\d\d$/)
        expect(description).not.toBe('')
        expect(Object.keys(content)).toHaveLength(1)
      }
      for (const scheme of security.flatMap((each) => Object.keys(each)))
        expect(document.components.securitySchemes).toHaveProperty(scheme)
      if (requestBody !== undefined) expect(Object.keys(requestBody.content)).toHaveLength(1)
    }
  })

  it('has only schemas that are sound, and references that lead somewhere', () => {
    const bodies = operations.flatMap(({ operation: { requestBody, parameters = [] } }) => [
      ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
      ...parameters.map(({ schema }) => schema),
    ])
    const replies = operations.flatMap(({ operation: { responses } }) =>
      Object.values(responses).flatMap(({ content }) => Object.values(content).map(({ schema }) => schema)),
    )
    for (const schema of [...bodies, ...replies, ...Object.values(components.schemas)])
      expect(() => validatorOf(schema)).not.toThrow()
  })

  it('has examples that its own schemas accept', () => {
    const { requestBody } = document.paths['/api/v1/decisions']!['post']!
    const validate = ajv.compile(requestBody!.content['application/json']!.schema)
    expect([validate({ decision: EXAMPLE_DECISION }), validate.errors]).toEqual([true, null])
  })
})

describe('every route', () => {
  it('[V3] answers as the document says, when it does and when it refuses', async () => {
    const opened = openOperations()
    const app = appOf({ ...opened.options, settings: SETTINGS })
    const seen = new Set<string>()
    const call = async (
      name: string,
      path: string,
      { body, token = TOKEN, form }: { body?: unknown; token?: string; form?: string } = {},
    ) => {
      const { verb, operation } = operations.find((each) => each.operation.operationId === name)!
      const headers = new Headers({ host: 'localhost', authorization: `Bearer ${token}`, 'x-signalbox': '1' })
      if (form !== undefined) headers.set('content-type', 'application/x-www-form-urlencoded')
      const text = form ?? (body === undefined ? null : JSON.stringify(body))
      const response = await app.request(path, { method: verb.toUpperCase(), headers, body: text })
      const { status } = response
      const type = (response.headers.get('content-type') ?? '').split(';')[0]!
      seen.add(name)
      if (status === 303) return null
      expect([name, status, Object.keys(operation.responses)]).toEqual([
        name,
        status,
        expect.arrayContaining([`${status}`]),
      ])
      const validate = validatorOf(operation.responses[status]!.content[type]!.schema)
      const check = (value: unknown): void =>
        expect([name, status, validate(value), validate.errors]).toEqual([name, status, true, null])
      if (type === 'text/event-stream') {
        const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
        let said = ''
        while (!/data: \{.*\n/.test(said)) said += (await reader.read()).value
        check(JSON.parse(/data: (\{.*)\n/.exec(said)![1]!))
        await reader.cancel()
        return null
      }
      const said = await response.text()
      if (type === 'application/jsonl') {
        const lines = said.trimEnd().split('\n')
        expect(lines.length).toBeGreaterThan(1)
        for (const line of lines) check(JSON.parse(line))
      } else if (type === 'application/json') check(JSON.parse(said))
      else check(said)
      return type === 'application/json' ? JSON.parse(said) : said
    }
    const at = '/api/v1'
    await call('health', `${at}/health`)
    await call('describe', `${at}/openapi.json`)
    await call('spending', `${at}/spending`)
    await call('listHistory', `${at}/history?issue=1`)
    await call('whoAmI', `${at}/me`)
    const { path } = await call('createLoginLink', `${at}/login/links`, { body: {} })
    await call('createLoginLink', `${at}/login/links`, { body: { person: 'nobody' } })
    await call('logIn', `${at}/login`, { body: { key: path.split('#')[1] } })
    await call('logIn', `${at}/login`, { body: { key: 'x' } })
    await call('startDemo', `${at}/demo`)
    await call('logOut', `${at}/logout`)
    await call('lookAt', `${at}/presence`, { body: { page: 'a-page-of-nobody', place: null } })

    const settings = `${at}/settings`
    await call('listAgents', `${settings}/agents`)
    await call('probeAgent', `${settings}/agents/codex/probe`)
    await call('probeAgent', `${settings}/agents/none/probe`)
    await call('listChannels', `${settings}/channels`)
    await call('testChannel', `${settings}/channels/x/test`)
    await call('listPolicies', `${settings}/policies`)
    await call('ratifyPolicy', `${settings}/policies`, { body: { name: 'keep' } })
    await call('ratifyPolicy', `${settings}/policies`, { body: {} })
    await call('describeSandbox', `${settings}/sandbox`)
    await call('runDoctor', `${settings}/doctor`)

    const { runbook, repo: dir } = opened
    const { run } = await call('startRun', `${at}/runs`, { body: { runbook, dir, vars: { what: 'x' } } })
    await call('startRun', `${at}/runs`, { body: { runbook, dir } })
    await call('startRun', `${at}/runs`, { body: {} })
    await call('preflightRun', `${at}/preflight`, { body: { runbook, dir, vars: { what: 'x' } } })
    await call('preflightRun', `${at}/preflight`, { body: { runbook, dir } })
    await call('preflightRun', `${at}/preflight`, { body: {} })
    await call('listRepositories', `${at}/repositories`)
    await call('lookAtRepository', `${at}/repositories/look?dir=${encodeURIComponent(dir)}`)
    await call('lookAtRepository', `${at}/repositories/look?dir=relative`)
    await call('lookAtRepository', `${at}/repositories/look?dir=/nowhere/at/all`)
    await call('createIssue', `${at}/repositories/issues`, { body: { dir, title: 'Do it' } })
    await call('createIssue', `${at}/repositories/issues`, { body: { dir, title: ' ' } })
    await call('createIssue', `${at}/repositories/issues`, { body: {} })
    await call('readRunbook', `${at}/runs/${run}/runbook`)
    await call('readRunbook', `${at}/runs/gone/runbook`)
    await call('listRuns', `${at}/runs`)
    await call('findRun', `${at}/find?prefix=${run}`)
    await call('findRun', `${at}/find?prefix=gone`)
    await call('showRun', `${at}/runs/${run}`)
    await call('showRun', `${at}/runs/gone`)
    await call('readRun', `${at}/runs/${run}/events`)
    await call('actOnRun', `${at}/runs/${run}/actions`, {
      body: { kind: 'extend', budget: 'rework', amount: 1 },
    })
    await call('actOnRun', `${at}/runs/${run}/actions`, { body: { kind: 'move', to: 'nowhere' } })
    await call('diffRun', `${at}/runs/${run}/diff?stat=true`)
    await call('diffRun', `${at}/runs/${run}/diff?step=nowhere`)
    await call('diffRun', `${at}/runs/${run}/diff?to=abcd`)
    await call('diffRun', `${at}/runs/${run}/diff?to=x`)
    await call('landRun', `${at}/runs/${run}/land`, { body: { how: 'squash' } })
    await call('landRun', `${at}/runs/gone/land`, { body: {} })
    await call('sayToRun', `${at}/runs/${run}/words`, { body: { text: 'Be brief.' } })
    await call('sayToRun', `${at}/runs/${run}/words`, { body: { text: '' } })
    await call('sayToRun', `${at}/runs/${run}/words`, { body: {} })
    await call('updateRun', `${at}/runs/${run}/update`)
    await call('updateRun', `${at}/runs/gone/update`)
    await call('takeRun', `${at}/runs/gone/take`, { body: {} })
    await call('takeRun', `${at}/runs/${run}/take`, { body: { reason: 'by hand' } })
    await call('showRun', `${at}/runs/${run}`)
    await call('resumeRun', `${at}/runs/${run}/resume`, { body: { pick: 'ship' } })
    await call('resumeRun', `${at}/runs/${run}/resume`, { body: { how: 'back' } })
    await call('resumeRun', `${at}/runs/${run}/resume`, { body: { how: 'x' } })
    const digest = await opened.host.journal.keep(new Uint8Array([1, 2]))
    await call('fetchKept', `${at}/kept/${digest}`)
    await call('fetchKept', `${at}/kept/none`)
    await call('recordHeads', `${at}/record/heads`)
    await call('prune', `${at}/record/prune`, { body: { dry: true } })
    await call('prune', `${at}/record/prune`, { body: { runs: 'all', dry: true } })
    await call('prune', `${at}/record/prune`, { body: {} })
    await call('prune', `${at}/record/prune`, { body: { dry: false, odd: 1 } })
    await call('erase', `${at}/record/erase`, { body: { text: 'nothing that was ever said', dry: false } })
    await call('erase', `${at}/record/erase`, { body: { text: 'short', dry: false } })
    await call('erase', `${at}/record/erase`, { body: { decision: 'none', dry: false } })
    await call('listTombstones', `${at}/record/tombstones`)
    await call('readEvents', `${at}/events`)
    await call('readEvents', `${at}/events?after=x`)
    await call('follow', `${at}/stream?after=0`)
    mkdirSync(opened.options.logs!, { recursive: true })
    const line = { at: 1, step: 'sign_off', visit: 1, who: 'dev', kind: 'text', text: 'Hello.' }
    writeFileSync(join(opened.options.logs!, `${run}.jsonl`), `${JSON.stringify(line)}\n`)
    await call('followLog', `${at}/runs/${run}/log`)
    await call('followLog', `${at}/runs/nobody/log`)
    await call('follow', `${at}/stream?after=x`)

    const raise = async (over: object = {}) =>
      (
        await call('createDecision', `${at}/decisions`, {
          body: { decision: { ...EXAMPLE_DECISION, ...over } },
        })
      ).id
    const [first, second, third, fourth] = [await raise(), await raise(), await raise(), await raise()]
    await call('createDecision', `${at}/decisions`, { body: { decision: {} } })
    await call('createDecision', `${at}/decisions`, { body: [] })
    await call('listDecisions', `${at}/decisions`)
    await call('listDecisions', `${at}/decisions?status=x`)
    await call('listDecisions', `${at}/decisions`, { token: 'x' })
    await call('findDecision', `${at}/decisions/find?prefix=${first}`)
    await call('showDecision', `${at}/decisions/gone`)
    const one = `${at}/decisions/${first}`
    await call('snoozeDecision', `${one}/snooze`, { body: { until: 9_000_000 } })
    await call('assignDecision', `${one}/assign`, { body: { to: 'maria' } })
    await call('answerDecision', `${one}/answer`, { body: { pick: 'x' } })
    await call('answerDecision', `${one}/answer`, { body: { pick: 'redis', together: true } })
    await call('answerDecision', `${one}/answer`, { body: { pick: 'redis' } })
    await call('undoDecision', `${one}/undo`)
    await call('answerDecision', `${one}/answer`, { body: { pick: 'redis', note: 'n', edited: 'Valkey.' } })
    await call('waitForDecision', `${one}/wait?seconds=0`)
    await call('waitForDecision', `${at}/decisions/${second}/wait?seconds=0`)
    await call('reportDeed', `${one}/acted`, { body: { did: 'Done.' } })
    await call('undoDecision', `${one}/undo`)
    await call('retryDelivery', `${at}/decisions/${second}/retry`)
    await call('withdrawDecision', `${at}/decisions/${second}/withdraw`, { body: {} })
    const { digest: shown } = await call('showDecision', `${at}/decisions/${third}`)
    const link = createLinks({ url: '', secrets: opened.options.keys.secrets })({
      id: third,
      person: 'maria',
      digest: shown,
    })
    await call('lookByLink', link)
    await call('answerByLink', link, { form: 'note=x' })
    await call('answerByLink', link, { form: 'pick=redis' })
    await call('lookByLink', `/d/${third}?t=x`)
    await raise({ supersedes: fourth })
    for (const id of [first, second, third, fourth]) await call('showDecision', `${at}/decisions/${id}`)
    await call('listDecisions', `${at}/decisions?status=all`)
    await call('exportDecisions', `${at}/decisions/export`)
    await call('exportDecisions', `${at}/decisions/export?x=1`)
    const session = `${at}/session/decisions`
    await call('raiseDecision', session, { body: EXAMPLE_DECISION })
    await call('raiseDecision', session, { body: EXAMPLE_DECISION, token: AGENT_TOKEN })
    await call('waitForOwnDecision', `${session}/x/wait`)
    await call('waitForOwnDecision', `${session}/x/wait?seconds=90`, { token: AGENT_TOKEN })
    await call('waitForOwnDecision', `${session}/x/wait?seconds=0`, { token: AGENT_TOKEN })
    expect(
      operations.map(({ operation }) => operation.operationId).filter((name) => !seen.has(name)),
    ).toEqual([])
  })
})
