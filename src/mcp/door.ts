/**
 * The agents' door: an MCP server over HTTP. Stateless, so that it works with every client and through any restart;
 * who calls is known by the bearer token of the session, and by nothing the caller says.
 */
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { storageFailureOf } from '../host/machine/storage.ts'
import type { AgentDoor } from '../host/session/agent-door.ts'
import { EXCESS_TEXT, excessIn, type JsonExcess } from '../model/json-text.ts'
import { headOf } from '../model/message-head.ts'
import type { RejectionCode } from '../model/refusal.ts'
import {
  CREATE,
  createTool,
  decisionOf,
  HAND_OFF,
  HARMLESS,
  handOffTool,
  READ_RUN,
  REPORT,
  reportTool,
  said,
  stillOpen,
  WAIT,
  WAIT_TOOL,
} from './tools.ts'

export interface McpDoor {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

export function createMcpDoor({
  agents,
  version,
}: {
  readonly agents: AgentDoor
  readonly version: string
}): McpDoor {
  const handler = createMcpHandler(({ authInfo }) =>
    serverFor(agents, {
      ...callOf(authInfo?.extra),
      token: authInfo?.token ?? '',
      version,
    }),
  )
  return {
    fetch: async (request) => {
      const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
      if (!agents.knows(token)) return unauthorized()
      agents.greeted(token)
      const { url, method, headers, signal } = request
      if (request.body === null)
        return handler.fetch(request, { authInfo: holder(token, { received: '', signal }) })
      // Read here, so that what is kept as proof is what was sent, byte by byte.
      const received = await request.text()
      const excess = excessIn(received)
      if (excess !== null) return tooMuch(received, excess)
      const again = new Request(url, { method, headers, signal, body: received })
      return handler.fetch(again, { authInfo: holder(token, { received, signal }) })
    },
    close: () => handler.close(),
  }
}

/** One request, as it came and as long as somebody waits for what comes of it. */
interface Call {
  readonly received: string
  readonly signal: AbortSignal
}

const holder = (token: string, { received, signal }: Call) => ({
  token,
  clientId: 'agent',
  scopes: [],
  extra: { received, signal },
})

const callOf = ({ received, signal }: Readonly<Record<string, unknown>> = {}): Call => ({
  received: typeof received === 'string' ? received : '',
  signal: signal instanceof AbortSignal ? signal : new AbortController().signal,
})

const unauthorized = (): Response =>
  Response.json(
    {
      code: 'unauthorized' satisfies RejectionCode,
      message: 'This server wants the token of an agent session that Signalbox has open.',
    },
    { status: 401, headers: { 'www-authenticate': 'Bearer' } },
  )

/** By the protocol's own code for what is no request. */
const tooMuch = (received: string, excess: JsonExcess): Response =>
  Response.json(
    {
      jsonrpc: '2.0',
      id: headOf(received).id ?? null,
      error: { code: -32600, message: `What you sent is ${EXCESS_TEXT[excess]}. Send less.` },
    },
    { status: 400 },
  )

interface Caller extends Call {
  readonly token: string
  readonly version: string
}

function serverFor(agents: AgentDoor, caller: Caller): Server {
  const { token, version } = caller
  const server = new Server({ name: 'signalbox', version }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => {
    const [asked, kinds] = await Promise.all([agents.asks(token), agents.kinds(token)])
    const tools = [
      reportTool(asked),
      createTool({ kinds, after: 'turn' }),
      WAIT_TOOL,
      handOffTool(asked?.handoff ?? null),
      READ_OWN_RUN,
    ]
    agents.toolsListed(token)
    return { tools }
  })
  server.setRequestHandler('tools/call', ({ params: { name, arguments: given = {} } }) =>
    call(agents, caller, { name, given }).catch(notKept),
  )
  return server
}

/** An agent can do something about a disk that fails: wait, and say it again. */
function notKept(error: unknown) {
  const failure = storageFailureOf(error)
  if (failure === null) throw error
  return said(`${failure.message} What you sent was not kept. Wait for a minute, then call again.`, 'error')
}

async function call(
  agents: AgentDoor,
  { token, received, signal }: Caller,
  { name, given }: { readonly name: string; readonly given: Readonly<Record<string, unknown>> },
) {
  switch (name) {
    case REPORT: {
      const result = await agents.report(token, given)
      return 'accepted' in result ? said(result.accepted) : said(result.rejected, 'error')
    }
    case CREATE: {
      const result = await agents.raise(token, { payload: given, door: 'mcp', call: received })
      return 'raised' in result ? said(raisedText(result.raised)) : said(result.rejected, 'error')
    }
    case WAIT: {
      const wanted = decisionOf(given)
      if ('problem' in wanted) return said(wanted.problem, 'error')
      const { decision: question, waitMs } = wanted
      const result = await agents.wait(token, { question, waitMs, signal })
      if (result === null)
        return said(stillOpen(wanted.decision, 'End your turn; the answer will come to you.'))
      return 'answered' in result ? said(result.answered) : said(result.rejected, 'error')
    }
    case HAND_OFF: {
      const result = await agents.handOff(token, given)
      return 'accepted' in result ? said(result.accepted) : said(result.rejected, 'error')
    }
    case READ_RUN:
      return said((await agents.readRun(token)) ?? 'This session is not at work any more.')
    default:
      return said(
        `There is no tool "${name}"; there are ${REPORT}, ${CREATE}, ${WAIT}, ${HAND_OFF} and ${READ_RUN}.`,
        'error',
      )
  }
}

const raisedText = (id: string): string =>
  `Decision ${id} lies with a person. End your turn now, without doing what it is about; the answer comes to you as your next message. Do not raise it again.`

const READ_OWN_RUN = {
  name: READ_RUN,
  title: 'Read your run',
  description:
    'Where your run is, what earlier steps came to, their notes and handoffs, and what people decided so far.',
  inputSchema: { type: 'object' as const, properties: {} },
  annotations: { ...HARMLESS, readOnlyHint: true },
}
