/**
 * The door of an agent's own session, for commands it runs: it puts decisions to people and fetches their answers. The
 * session's token opens this and nothing else, and nothing else opens this.
 */
import type { AgentDoor, Rejected } from '../host/session/agent-door.ts'
import { decisionSchema } from '../model/decision.ts'
import { parseQuery } from './queries.ts'
import type { Parameters, Passing, Route } from './route.ts'
import { badRequest, refuse } from './status.ts'

const PATH = '/api/v1/session/decisions'
const LONGEST_WAIT_S = 45

const WAITING = {
  seconds: { kind: 'number', says: 'How long to wait; 30 unless said.', least: 0, most: LONGEST_WAIT_S },
} as const satisfies Parameters

const { properties, ...shape } = decisionSchema([])
// Which kinds there are is the runbook's to say.
const DECISION = { ...shape, properties: { ...(properties as object), kind: { type: 'string' } } }

export const SESSION_ROUTES: readonly Route[] = [
  {
    method: 'post',
    path: PATH,
    name: 'raiseDecision',
    says: 'An agent at work in a run puts a decision to a person.',
    access: 'session',
    query: {},
    body: { schema: DECISION, required: true },
    reply: {
      status: 201,
      says: 'It lies with a person.',
      schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    },
    refuses: [401, 409, 413, 422],
    answer: (asked) => atSession(asked, raise),
  },
  {
    method: 'get',
    path: `${PATH}/{id}/wait`,
    name: 'waitForOwnDecision',
    says: 'The answer to a decision of its own, if it comes within the time.',
    access: 'session',
    query: WAITING,
    body: null,
    reply: {
      status: 200,
      says: 'The answer as a text that needs no memory; null: not yet, ask again.',
      schema: {
        type: 'object',
        properties: { answered: { type: ['string', 'null'] } },
        required: ['answered'],
      },
    },
    refuses: [400, 401, 404, 409],
    answer: (asked) => atSession(asked, wait),
  },
]

type Agents = Pick<AgentDoor, 'knows' | 'raise' | 'wait'>
type AtSession = Passing & { readonly agents: Agents; readonly token: string }

function atSession(
  { c, door }: Passing,
  answer: (asked: AtSession) => Promise<Response>,
): Response | Promise<Response> {
  const { agents } = door.keys
  const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  if (token !== '' && agents.knows(token)) return answer({ c, door, agents, token })
  c.header('www-authenticate', 'Bearer')
  return refuse(c, {
    code: 'unauthorized',
    problem: 'This takes the token of an agent’s session that is open: SIGNALBOX_SESSION_TOKEN.',
  })
}

async function raise({ c, agents, token }: AtSession): Promise<Response> {
  const call = await c.req.raw.text()
  const result = await agents.raise(token, { payload: parsed(call), door: 'cli', call })
  return 'raised' in result ? c.json({ id: result.raised }, 201) : refuseAgent(c, result)
}

async function wait({ c, agents, token }: AtSession): Promise<Response> {
  const query = parseQuery(c.req.url, WAITING)
  if ('problem' in query) return refuse(c, badRequest(query.problem))
  const { seconds = 30 } = query.values
  const question = c.req.param('id') ?? ''
  const { signal } = c.req.raw
  const result = await agents.wait(token, { question, waitMs: Math.round(seconds * 1000), signal })
  if (result === null) return c.json({ answered: null })
  return 'answered' in result ? c.json({ answered: result.answered }) : refuseAgent(c, result)
}

const refuseAgent = (c: Passing['c'], { rejected, code }: Rejected): Response =>
  refuse(c, { code, problem: rejected })

/** What is no JSON is judged like any other wrong decision: with the contract and an example. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
