import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { given, type Scene } from '../engine/given.fixture.ts'
import {
  answerSchema,
  decide,
  exampleAnswer,
  handoffForm,
  judgeHandoff,
  readDecision,
} from '../engine/index.ts'
import type { AgentDoor, RaisedCall } from '../host/session/agent-door.ts'
import type { OwnRun } from '../host/session/own-run.ts'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { stepOf } from '../model/program.ts'
import { createMcpDoor } from './door.ts'

const FLOW = `
steps:
  review:
    agent: reviewer
    prompt: Review it.
    asks: verdict
    options: { approve: { say: Correct and tested, to: done }, reject: { to: abandoned } }
    fields: { feedback: { type: text, required_for: [reject], say: What must change } }
`
const OTHER = `
handoffs: { plan: { version: 2, fields: { goal: { type: text, required: true, say: What it is for } } } }
steps:
  triage:
    agent: triager
    prompt: Sort it.
    asks: kind
    options: { bug: done, feature: abandoned }
    gives: plan
`

/** Sessions at work, by their tokens, judged by the engine as the host does. */
function agentsAtWork(sessions: Readonly<Record<string, Scene>>) {
  const taken: { token: string; answer: unknown }[] = []
  const raised: RaisedCall[] = []
  const listed: string[] = []
  const at = (token: string) => (Object.hasOwn(sessions, token) ? sessions[token] : undefined)
  const agents: AgentDoor = {
    knows: (token) => at(token) !== undefined,
    greeted: () => {},
    toolsListed: (token) => listed.push(token),
    asks: async (token) => {
      const scene = at(token)
      if (scene === undefined) return null
      const { contract } = stepOf(scene.program, scene.state.current!.step)
      return {
        schema: answerSchema(contract),
        example: exampleAnswer(contract),
        handoff: contract.handoff === null ? null : handoffForm(contract.handoff),
      }
    },
    handOff: async (token, values) => {
      const { program, state } = at(token)!
      const { handoff } = stepOf(program, state.current!.step).contract
      if (handoff === null) return { rejected: 'It has no handoff.', code: 'not-offered' }
      const judged = judgeHandoff(handoff, values)
      return 'message' in judged
        ? { rejected: judged.message, code: 'invalid-answer' }
        : { accepted: 'It is kept.' }
    },
    readRun: async (token) =>
      at(token) === undefined ? null : ({ run: 'r1', steps: [], decisions: [] } as unknown as OwnRun),
    kinds: async (token) =>
      Object.entries(at(token)?.program.templates ?? {}).map(([name, { hint, requiredContext }]) => ({
        name,
        hint,
        requires: requiredContext,
      })),
    raise: async (token, asking) => {
      const { program } = at(token)!
      raised.push(asking)
      const read = readDecision(program, asking.payload)
      return 'message' in read
        ? { rejected: read.message, code: 'invalid-decision' }
        : { raised: 'review#1.0?1' }
    },
    wait: async (_token, { question }) =>
      question === 'review#1.0?1' ? { answered: `A person has answered ${question}.` } : null,
    report: async (token, answer) => {
      const { program, state } = at(token)!
      const { step, number: visit } = state.current!
      const address = { step, visit, member: 0, attempt: 1 }
      const decided = decide(program, state, {
        type: 'attempt.answer',
        at: 0,
        ...address,
        given: { kind: 'value', value: answer },
      })
      if ('refusal' in decided) return { rejected: decided.refusal.message, code: decided.refusal.code }
      const wrong = decided.events.find((event) => event.type === 'answer.refused')
      if (wrong !== undefined) return { rejected: wrong.message, code: 'invalid-answer' }
      taken.push({ token, answer })
      return { accepted: 'Your answer is taken. End your turn now.' }
    },
  }
  return { agents, taken, raised, listed }
}

async function serve(agents: AgentDoor) {
  const openDoor = () => createMcpDoor({ agents, version: '1.2.3' })
  let door = openDoor()
  const listen = getRequestListener((request) => door.fetch(request))
  const server = createServer((request, response) => void listen(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await door.close()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  const restart = async (): Promise<void> => {
    await door.close()
    door = openDoor()
  }
  return { url: `http://127.0.0.1:${port}/mcp`, restart }
}

async function connect(url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'agent', version: '0' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

const report = async (client: Client, answer: Record<string, unknown>) => {
  const { content, isError } = await client.callTool({ name: 'report_outcome', arguments: answer })
  const [first] = content
  return { isError: isError === true, text: first?.type === 'text' ? first.text : '' }
}

const open = async () => {
  const work = agentsAtWork({ 'token-a': given(FLOW).started(), 'token-b': given(OTHER).started() })
  return { ...work, server: await serve(work.agents) }
}

describe('the agents’ door', () => {
  it('shows its tools, with the contract of the step as the schema of the first', async () => {
    const { server, listed } = await open()
    const { tools } = await (await connect(server.url, 'token-a')).listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'report_outcome',
      'create_decision',
      'wait_decision',
      'hand_off',
      'read_run',
    ])
    expect(tools[0]).toMatchObject({
      name: 'report_outcome',
      inputSchema: {
        type: 'object',
        required: ['verdict'],
        properties: {
          verdict: { type: 'string', enum: ['approve', 'reject'] },
          feedback: { type: 'string', description: 'What must change Needed with reject.' },
          notes: { type: 'string' },
        },
      },
    })
    expect(listed).toEqual(['token-a'])
  })

  it('takes an answer, and says that the turn can end', async () => {
    const { server, taken } = await open()
    const client = await connect(server.url, 'token-a')
    expect(await report(client, { verdict: 'approve' })).toEqual({
      isError: false,
      text: 'Your answer is taken. End your turn now.',
    })
    expect(taken).toEqual([{ token: 'token-a', answer: { verdict: 'approve' } }])
  })

  it.each([
    ['nothing', {}],
    ['an unknown choice', { verdict: 'perhaps' }],
    ['a choice that is no text', { verdict: 1 }],
    ['a field too few', { verdict: 'reject' }],
  ])('[A2] rejects %s with what was asked and a correct example', async (_, answer) => {
    const { server, taken } = await open()
    const { isError, text } = await report(await connect(server.url, 'token-a'), answer)
    expect(isError).toBe(true)
    expect(text).toContain('`verdict` must be one of: approve, reject.')
    expect(text).toContain('A correct answer:')
    expect(taken).toEqual([])
  })

  it('[D1] knows a session by its token alone', async () => {
    const { server, taken } = await open()
    const other = await connect(server.url, 'token-b')
    const [tool] = (await other.listTools()).tools
    expect(tool!.inputSchema.properties).toHaveProperty('kind')
    expect((await report(other, { verdict: 'approve', token: 'token-a', session: 'token-a' })).isError).toBe(
      true,
    )
    const handoff = { goal: 'Ship.' }
    expect((await report(other, { kind: 'bug', handoff })).isError).toBe(false)
    expect(taken.map(({ token }) => token)).toEqual(['token-b'])
  })

  it('is shut to everybody else', async () => {
    const { server, listed } = await open()
    for (const token of ['unknown', 'token-a2', 'constructor', '__proto__'])
      await expect(connect(server.url, token)).rejects.toThrow(/401|nauthorized/)
    const response = await fetch(server.url, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toMatchObject({ code: 'unauthorized' })
    expect(listed).toEqual([])
  })

  it('says which tool there is, where another one is called', async () => {
    const { server } = await open()
    const client = await connect(server.url, 'token-a')
    const { content, isError } = await client.callTool({ name: 'answer_decision', arguments: {} })
    expect(isError).toBe(true)
    expect(content).toEqual([
      {
        type: 'text',
        text: 'There is no tool "answer_decision"; there are report_outcome, create_decision, wait_decision, hand_off and read_run.',
      },
    ])
  })

  it('[Q5] [agents 3] takes a decision and says to end the turn; a wrong one is told with a correct example', async () => {
    const { server } = await open()
    const client = await connect(server.url, 'token-a')
    const call = async (name: string, given: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: given })
      return { isError: isError === true, text: content[0]?.type === 'text' ? content[0].text : '' }
    }
    const raised = await call('create_decision', { ...EXAMPLE_DECISION })
    expect([raised.isError, raised.text]).toEqual([false, expect.stringContaining('End your turn now')])
    const wrong = await call('create_decision', { ...EXAMPLE_DECISION, kind: 'tradeof' })
    expect(wrong.isError).toBe(true)
    expect(wrong.text).toContain('did you mean "tradeoff"?')
    expect(wrong.text).toContain(JSON.stringify(EXAMPLE_DECISION))
    expect(await call('wait_decision', { decision: 'review#1.0?1', seconds: 0 })).toEqual({
      isError: false,
      text: 'A person has answered review#1.0?1.',
    })
    expect((await call('wait_decision', { decision: 'other', seconds: 0 })).text).toContain('still open')
    expect((await call('wait_decision', {})).isError).toBe(true)
  })

  it('[Q5] [agents 13] says when to ask by what the situation is, lists the kinds, and shows an example that is right', async () => {
    const { server } = await open()
    const { tools } = await (await connect(server.url, 'token-a')).listTools()
    const [reporting, creating, , handing, reading] = tools
    for (const part of ['two to six concrete alternatives', '- tradeoff:', '- stuck:', 'Evidence needed:'])
      expect(creating!.description).toContain(part)
    const example = JSON.parse(creating!.description!.split('For example:\n')[1]!)
    expect(readDecision({ templates: {} }, example)).toHaveProperty('decision')
    expect(creating!.inputSchema.properties).toHaveProperty('supersedes')
    expect(creating!.inputSchema.properties).not.toHaveProperty('resume')
    const answer = JSON.parse(reporting!.description!.split('For example:\n')[1]!)
    expect((await report(await connect(server.url, 'token-a'), answer)).isError).toBe(false)
    expect(handing!.description).toContain('This step has no handoff')
    expect(reading!.annotations).toMatchObject({ readOnlyHint: true })
    for (const { annotations } of tools)
      expect(annotations?.readOnlyHint === true || annotations?.destructiveHint === false).toBe(true)
  })

  it('[Q22] passes a call on exactly as it was sent', async () => {
    const { server, raised } = await open()
    const body = `{ "jsonrpc":"2.0","id":7,  "method":"tools/call","params":{"name":"create_decision","arguments":${JSON.stringify(EXAMPLE_DECISION)}} }`
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        authorization: 'Bearer token-a',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    })
    expect(await response.text()).toContain('lies with a person')
    expect(raised).toEqual([{ payload: EXAMPLE_DECISION, door: 'mcp', call: body }])
  })

  it('[H4] takes the handoff by itself, with its own fields as the schema and an example of them', async () => {
    const { server } = await open()
    const client = await connect(server.url, 'token-b')
    const handing = (await client.listTools()).tools[3]!
    expect(handing.inputSchema).toMatchObject({
      properties: { goal: { type: 'string' } },
      required: ['goal'],
    })
    const example = JSON.parse(handing.description!.split('For example:\n')[1]!)
    const call = async (given: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name: 'hand_off', arguments: given })
      return { isError: isError === true, text: content[0]?.type === 'text' ? content[0].text : '' }
    }
    expect(await call(example)).toEqual({ isError: false, text: 'It is kept.' })
    const wrong = await call({ goal: 7 })
    expect(wrong.isError).toBe(true)
    for (const part of [
      '`goal` is the number 7, not a text.',
      '`goal` (text) is needed.',
      '{"goal":7}',
      'A correct answer:',
    ])
      expect(wrong.text).toContain(part)
  })

  it('[K6] refuses what is nested too deep or made of too much, and goes on', async () => {
    const { server } = await open()
    const client = await connect(server.url, 'token-a')
    const deep: unknown = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`)
    await expect(report(client, { verdict: 'approve', notes: deep })).rejects.toThrow(
      'What you sent is nested deeper than 200 levels.',
    )
    const wide = Array.from({ length: 100_000 }, () => ({}))
    await expect(report(client, { verdict: 'approve', notes: wide })).rejects.toThrow(
      'What you sent is made of more than 100000 values.',
    )
    expect(await report(client, { verdict: 'approve' })).toMatchObject({ isError: false })
    // A client that waits for the answer to its request is told that this is it.
    const headers = { authorization: 'Bearer token-a', 'content-type': 'application/json' }
    const body = `{"jsonrpc":"2.0","id":"mine","method":"tools/call","params":${JSON.stringify(deep)}}`
    const refused = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body })
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { id: 'mine', error: { code: -32600 } },
    ])
  })

  it('keeps nothing of a client, so that one goes on after a restart', async () => {
    const { server } = await open()
    const client = await connect(server.url, 'token-a')
    await client.listTools()
    await server.restart()
    expect(await report(client, { verdict: 'approve' })).toMatchObject({ isError: false })
  })

  it('[agents 12] speaks the versions that agents ask for, also to who asks before it introduced itself', async () => {
    const { server } = await open()
    const headers = {
      authorization: 'Bearer token-a',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const call = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await fetch(server.url, { method: 'POST', headers, body })
      return { status: response.status, text: await response.text() }
    }
    expect((await call('server/discover', {})).status).toBeLessThan(500)
    const clientInfo = { name: 'some agent', version: '1' }
    for (const protocolVersion of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const { status, text } = await call('initialize', { protocolVersion, capabilities: {}, clientInfo })
      expect([status, text]).toEqual([200, expect.stringContaining('"serverInfo"')])
    }
  })

  it('survives whatever is sent to it', async () => {
    const { server } = await open()
    const headers = {
      authorization: 'Bearer token-a',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    for (const body of ['', 'x', '[]', '{}', '{"jsonrpc":"2.0","id":1,"method":"nothing"}', '"text"']) {
      const response = await fetch(server.url, { method: 'POST', headers, body })
      expect(response.status).toBeLessThan(500)
      await response.text()
    }
    expect((await (await connect(server.url, 'token-a')).listTools()).tools).toHaveLength(5)
  })
})
