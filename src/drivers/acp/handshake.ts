/** From a started program to a session: who are you, what can you do, and a new conversation or the earlier one. */
import {
  type AgentCapabilities,
  type AuthMethod,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk'
import type { AgentSession, Opened, OpenRequest } from '../driver.ts'
import { errorText, meaningOfError } from '../error-meaning.ts'
import type { AgentLink, LinkAnswer } from './link.ts'
import { loginAdvice } from './login-advice.ts'
import { chooseModel } from './model-choice.ts'

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
  readonly link: AgentLink
  readonly request: OpenRequest
  readonly version: string
  /** Told before each call, so that whoever stops waiting can say for what. */
  readonly onCall: (method: string) => void
}): Promise<Handshake | Trouble> {
  const { link, request } = options
  const ask: AgentLink['ask'] = (method, params) => {
    options.onCall(method)
    return link.ask(method, params)
  }
  const program = request.launch.argv[0] ?? ''
  const hello = await ask(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'signalbox', title: 'Signalbox', version: options.version },
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      session: { compaction: {} },
      ...(request.onElicitation === undefined ? {} : { elicitation: { form: {} } }),
    },
  })
  if (hello.kind !== 'answer') return troubleOf(hello, { link, program, ways: [] })
  const { protocolVersion, agentCapabilities: can = {}, authMethods: ways = [], agentInfo } = hello.value
  if (protocolVersion !== PROTOCOL_VERSION) {
    const detail = `${program} speaks version ${protocolVersion} of the protocol, and we speak ${PROTOCOL_VERSION}.`
    return { trouble: 'failed', detail }
  }
  const mcpServers = offeredServers(request, can)
  const known = {
    agent: { name: agentInfo?.name ?? program, version: agentInfo?.version ?? '' },
    closable: Boolean(can.sessionCapabilities?.close),
  }
  const at = { cwd: request.launch.cwd, mcpServers }

  const modelled = async (
    begun: object,
    sessionId: string,
  ): Promise<{ readonly model?: string } | Trouble> => {
    const { model } = request
    if (model === undefined) return modelIn(begun)
    return (await chooseModel(ask, { model, program, sessionId, begun })) ?? { model }
  }

  if (request.resume === null) {
    const created = await ask(methods.agent.session.new, at)
    if (created.kind !== 'answer') return troubleOf(created, { link, program, ways })
    if (typeof created.value.sessionId !== 'string')
      return { trouble: 'failed', detail: `${program} gave its new session no id.` }
    const id = created.value.sessionId
    const model = await modelled(created.value, id)
    if ('trouble' in model) return model
    return { ...known, agent: { ...known.agent, ...model }, id, resumed: false, replays: false }
  }
  const earlier = { ...at, sessionId: request.resume }
  const offered = [
    can.sessionCapabilities?.resume ? 'resume' : null,
    can.loadSession ? 'load' : null,
  ] as const
  let detail = `${program} cannot go on with an earlier session.`
  // One offers to resume and does not know the word, and loads all the same.
  for (const how of offered.filter((each) => each !== null)) {
    const found = await ask(methods.agent.session[how], earlier)
    if (found.kind === 'answer') {
      const model = await modelled(found.value, request.resume)
      if ('trouble' in model) return model
      const agent = { ...known.agent, ...model }
      return { ...known, agent, id: request.resume, resumed: true, replays: how === 'load' }
    }
    const trouble = await troubleOf(found, { link, program, ways })
    // A fresh session would meet the same.
    if (found.kind === 'refused' && meaningOfError(found.error, Date.now()).kind !== 'failed') return trouble
    detail = trouble.detail
    if (found.kind === 'gone') break
  }
  // An agent that ends over a session it lost would do so again: whatever it was, a fresh session goes on from here.
  return { trouble: 'no-session', detail }
}

async function troubleOf(
  refused: Exclude<LinkAnswer<unknown>, { kind: 'answer' }>,
  { link, program, ways }: { link: AgentLink; program: string; ways: readonly AuthMethod[] },
): Promise<Trouble> {
  if (refused.kind === 'gone') return { trouble: 'failed', detail: await link.epitaph() }
  const { error } = refused
  const detail = errorText(error)
  const meaning = meaningOfError(error, Date.now())
  switch (meaning.kind) {
    case 'limited':
      return { trouble: 'limited', detail, until: meaning.until }
    case 'login':
      return { trouble: 'failed', detail: loginAdvice({ program, error, ways }) }
    case 'failed':
      return { trouble: 'failed', detail: `${program} refused: ${detail}` }
  }
}

/** Over HTTP where the agent can, else through the bridge, which every agent can start. */
function offeredServers({ mcp }: OpenRequest, can: AgentCapabilities): McpServer[] {
  if (mcp === null) return []
  const { name, url, token, bridge } = mcp
  if (can.mcpCapabilities?.http === true)
    return [{ type: 'http', name, url, headers: [{ name: 'Authorization', value: `Bearer ${token}` }] }]
  const [command = '', ...args] = bridge
  const env = [
    { name: 'SIGNALBOX_MCP_URL', value: url },
    { name: 'SIGNALBOX_MCP_TOKEN', value: token },
  ]
  return [{ name, command, args, env }]
}

/** The model it works with, where it tells: among its options, or where it was told before those came. */
export function modelIn(session: object): { readonly model?: string } {
  const { configOptions, models } = session as {
    configOptions?: readonly ({ category?: unknown; currentValue?: unknown } | null)[] | null
    models?: { currentModelId?: unknown } | null
  }
  const option = Array.isArray(configOptions)
    ? configOptions.find((option) => option?.category === 'model')?.currentValue
    : undefined
  const model = typeof option === 'string' ? option : models?.currentModelId
  return typeof model === 'string' && model !== '' ? { model } : {}
}
