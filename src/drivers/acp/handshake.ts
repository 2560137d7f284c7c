/** From a started program to a session: who are you, what can you do, and a new conversation or the earlier one. */
import {
  type AgentCapabilities,
  type AuthMethod,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk'
import type { AgentSession, Opened, OpenRequest } from '../driver.ts'
import type { Conversation } from './conversation.ts'
import type { Answer, Link } from './link.ts'
import { limitOf, loginAdvice, needsLogin, refusalText } from './refusal.ts'

export interface Handshake {
  readonly id: string
  readonly agent: AgentSession['agent']
  readonly resumed: boolean
  /** The earlier conversation is being told again, maybe for some time yet. */
  readonly replays: boolean
  /** It wants to be told when a session is over. */
  readonly closable: boolean
}

type Trouble = Exclude<Opened, { session: AgentSession }>

export async function shakeHands(options: {
  readonly link: Link
  readonly request: OpenRequest
  readonly conversation: Conversation
  readonly version: string
}): Promise<Handshake | Trouble> {
  const { link, request, conversation } = options
  const program = request.launch.argv[0] ?? ''
  const hello = await link.ask(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'signalbox', title: 'Signalbox', version: options.version },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  })
  if (hello.kind !== 'answer') return troubleOf(hello, { link, program, ways: [] })
  const { protocolVersion, agentCapabilities: can = {}, authMethods: ways = [], agentInfo } = hello.value
  if (protocolVersion !== PROTOCOL_VERSION) {
    const detail = `${program} speaks version ${protocolVersion} of the protocol, and we speak ${PROTOCOL_VERSION}.`
    return { trouble: 'failed', detail }
  }
  const mcpServers = offeredServers(request.mcp, can)
  if (request.mcp !== null && mcpServers.length === 0) conversation.alive('mcp not offered')
  const known = {
    agent: { name: agentInfo?.name ?? program, version: agentInfo?.version ?? '' },
    closable: Boolean(can.sessionCapabilities?.close),
  }
  const at = { cwd: request.launch.cwd, mcpServers }

  if (request.resume === null) {
    const created = await link.ask(methods.agent.session.new, at)
    if (created.kind !== 'answer') return troubleOf(created, { link, program, ways })
    if (typeof created.value.sessionId !== 'string')
      return { trouble: 'failed', detail: `${program} gave its new session no id.` }
    return { ...known, id: created.value.sessionId, resumed: false, replays: false }
  }
  const earlier = { ...at, sessionId: request.resume }
  const how = can.sessionCapabilities?.resume ? 'resume' : can.loadSession ? 'load' : null
  if (how === null)
    return { trouble: 'no-session', detail: `${program} cannot go on with an earlier session.` }
  const found = await link.ask(methods.agent.session[how], earlier)
  if (found.kind === 'answer') return { ...known, id: request.resume, resumed: true, replays: how === 'load' }
  const trouble = await troubleOf(found, { link, program, ways })
  // An agent that ends over a session it lost would do so again: whatever it was, a fresh session goes on from here.
  const cure = found.kind === 'refused' && (trouble.trouble === 'limited' || needsLogin(found.error))
  return cure ? trouble : { trouble: 'no-session', detail: trouble.detail }
}

async function troubleOf(
  refused: Exclude<Answer<unknown>, { kind: 'answer' }>,
  { link, program, ways }: { link: Link; program: string; ways: readonly AuthMethod[] },
): Promise<Trouble> {
  if (refused.kind === 'gone') return { trouble: 'failed', detail: await link.epitaph() }
  const { error } = refused
  const limit = limitOf(error, Date.now())
  if (limit !== null) return { trouble: 'limited', detail: refusalText(error), until: limit.until }
  if (needsLogin(error)) return { trouble: 'failed', detail: loginAdvice({ program, error, ways }) }
  return { trouble: 'failed', detail: `${program} refused: ${refusalText(error)}` }
}

/** Over HTTP only: an agent that cannot do that answers through its answer file or its last message. */
function offeredServers(mcp: OpenRequest['mcp'], can: AgentCapabilities): McpServer[] {
  if (mcp === null || can.mcpCapabilities?.http !== true) return []
  const headers = [{ name: 'Authorization', value: `Bearer ${mcp.token}` }]
  return [{ type: 'http', name: mcp.name, url: mcp.url, headers }]
}
