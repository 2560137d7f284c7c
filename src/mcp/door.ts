/**
 * The agents' door: an MCP server over HTTP. Stateless, so that it works with every client and through any restart;
 * who calls is known by the bearer token of the session, and by nothing the caller says.
 */
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import type { AgentDoor } from '../host/host.ts'

export interface McpDoor {
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

const REPORT = 'report_outcome'

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
    const schema = await agents.asks(token)
    agents.toolsListed(token)
    return {
      tools: [
        {
          name: REPORT,
          title: 'Report the outcome of your step',
          description:
            'Your answer to what this step asks. Call it once, when the work is done; then end your turn. A wrong answer is told to you with what would be right.',
          // Plain JSON, by a type that says less.
          inputSchema: (schema ?? { type: 'object' }) as { type: 'object' },
          annotations: { destructiveHint: false, openWorldHint: false, idempotentHint: true },
        },
      ],
    }
  })
  server.setRequestHandler('tools/call', async ({ params }) => {
    if (params.name !== REPORT) return said(`There is no tool "${params.name}"; there is ${REPORT}.`, true)
    const result = await agents.report(token, params.arguments ?? {})
    return 'accepted' in result ? said(result.accepted, false) : said(result.rejected, true)
  })
  return server
}

const said = (text: string, isError: boolean) => ({ content: [{ type: 'text' as const, text }], isError })
