/**
 * The agents' door: an MCP server over HTTP. Stateless, so that it works with every client and through any restart;
 * who calls is known by the bearer token of the session, and by nothing the caller says.
 */
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import type { AgentDoor } from '../host/agent-door.ts'
import { decisionSchema, EXAMPLE_DECISION } from '../model/decision.ts'

export interface McpDoor {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

const REPORT = 'report_outcome'
const CREATE = 'create_decision'
const WAIT = 'wait_decision'

export function createMcpDoor({
  agents,
  version,
}: {
  readonly agents: AgentDoor
  readonly version: string
}): McpDoor {
  const handler = createMcpHandler(({ authInfo }) => serverFor(agents, authInfo?.token ?? '', version))
  return {
    fetch: (request) => {
      const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
      if (!agents.knows(token)) return Promise.resolve(unauthorized())
      return handler.fetch(request, { authInfo: { token, clientId: 'agent', scopes: [] } })
    },
    close: () => handler.close(),
  }
}

const unauthorized = (): Response =>
  Response.json(
    {
      code: 'unauthorized',
      message: 'This server wants the token of an agent session that Signalbox has open.',
    },
    { status: 401, headers: { 'www-authenticate': 'Bearer' } },
  )

function serverFor(agents: AgentDoor, token: string, version: string): Server {
  const server = new Server({ name: 'signalbox', version }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', async () => {
    const tools = [await reportTool(agents, token), await createTool(agents, token), WAIT_TOOL]
    agents.toolsListed(token)
    return { tools }
  })
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
    switch (name) {
      case REPORT: {
        const result = await agents.report(token, given)
        return 'accepted' in result ? said(result.accepted, false) : said(result.rejected, true)
      }
      case CREATE: {
        const result = await agents.raise(token, given)
        return 'raised' in result ? said(raisedText(result.raised), false) : said(result.rejected, true)
      }
      case WAIT: {
        const { decision, seconds } = given
        if (typeof decision !== 'string')
          return said('`decision` must be the id that create_decision gave.', true)
        const waitMs = (typeof seconds === 'number' ? seconds : MOST_SECONDS) * 1000
        const result = await agents.wait(token, decision, waitMs)
        if (result === null)
          return said(`${decision} is still open. End your turn; the answer will come to you.`, false)
        return 'answered' in result ? said(result.answered, false) : said(result.rejected, true)
      }
      default:
        return said(`There is no tool "${name}"; there are ${REPORT}, ${CREATE} and ${WAIT}.`, true)
    }
  })
  return server
}

const raisedText = (id: string): string =>
  `Decision ${id} lies with a person. End your turn now, without doing what it is about; the answer comes to you as your next message. Do not raise it again.`

// With these, agents call without asking for permission first.
const HARMLESS = { destructiveHint: false, openWorldHint: false }

async function reportTool(agents: AgentDoor, token: string) {
  const schema = await agents.asks(token)
  return {
    name: REPORT,
    title: 'Report the outcome of your step',
    description:
      'Your answer to what this step asks. Call it once, when the work is done; then end your turn. A wrong answer is told to you with what would be right.',
    // Plain JSON, by a type that says less.
    inputSchema: (schema ?? { type: 'object' }) as { type: 'object' },
    annotations: { ...HARMLESS, idempotentHint: true },
  }
}

async function createTool(agents: AgentDoor, token: string) {
  const kinds = await agents.kinds(token)
  return {
    name: CREATE,
    title: 'Put a decision to a person',
    description: [
      'Call this whenever the work comes to a concrete choice between alternatives that a person owns: two ways with different costs, a reading of the task that is not clear, something that cannot be undone. Not for what you can find out or decide by the task itself, and never instead of answering your step.',
      'It returns at once. End your turn then; the answer comes as your next message.',
      '',
      'Kinds:',
      ...kinds.map(
        ({ name, hint, requires }) =>
          `- ${name}: ${hint}${requires.length === 0 ? '' : ` Evidence needed: ${requires.join(', ')}.`}`,
      ),
      '',
      'For example:',
      JSON.stringify(EXAMPLE_DECISION),
    ].join('\n'),
    inputSchema: decisionSchema(kinds.map(({ name }) => name)) as { type: 'object' },
    annotations: HARMLESS,
  }
}

const MOST_SECONDS = 45

const WAIT_TOOL = {
  name: WAIT,
  title: 'Wait for the answer to a decision',
  description:
    'Waits at most 45 seconds for the answer to a decision that you raised. Use it only where the answer may be there already; else end your turn.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      decision: { type: 'string', description: 'The id that create_decision gave.' },
      seconds: { type: 'number', minimum: 0, maximum: MOST_SECONDS },
    },
    required: ['decision'],
  },
  annotations: { ...HARMLESS, readOnlyHint: true },
}

const said = (text: string, isError: boolean) => ({ content: [{ type: 'text' as const, text }], isError })
