/**
 * A program that speaks ACP and does what a script says: `--script FILE [--state DIR]`. It serves demonstrations and
 * tests, where everything is real except the model. `script.ts` describes the script.
 */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import {
  type AgentContext,
  agent,
  type McpServer,
  methods,
  ndJsonStream,
  type PermissionOption,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
} from '@agentclientprotocol/sdk'
import { createMcpCaller, type McpCaller } from './mcp-call.ts'
import { playTurn, type Stage } from './play.ts'
import { parseScript, type Script, type When } from './script.ts'
import { createSessionStore, type SessionStore, type StoredSession } from './session-store.ts'

interface LiveSession {
  readonly cwd: string
  readonly mcp: McpCaller | null
  cancelled: AbortController
}

const { values } = parseArgs({ options: { script: { type: 'string' }, state: { type: 'string' } } })
if (values.script === undefined) leave('usage: scripted-agent --script FILE [--state DIR]')
const stateDirectory = values.state ?? join(tmpdir(), `signalbox-scripted-${process.getuid?.() ?? 0}`)
serve(readScript(values.script), createSessionStore(stateDirectory))

function serve(script: Script, store: SessionStore): void {
  const live = new Map<string, LiveSession>()
  const enter = (id: string, { cwd, mcpServers = [] }: { cwd: string; mcpServers?: McpServer[] }): void => {
    live.set(id, { cwd, mcp: callerOf(mcpServers), cancelled: new AbortController() })
  }
  const goOn = (id: string, where: { cwd: string; mcpServers?: McpServer[] }): Record<string, never> => {
    if (store.find(id) === null) throw RequestError.sessionNotFound(id)
    enter(id, where)
    return {}
  }
  const connection = agent({ name: 'scripted' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'scripted', version: '1' },
      agentCapabilities: {
        loadSession: true,
        mcpCapabilities: { http: true },
        sessionCapabilities: { resume: {}, close: {} },
      },
    }))
    .onRequest(methods.agent.session.new, ({ params }) => {
      const { id } = store.create()
      enter(id, params)
      return { sessionId: id }
    })
    .onRequest(methods.agent.session.resume, ({ params }) => goOn(params.sessionId, params))
    .onRequest(methods.agent.session.load, ({ params }) => goOn(params.sessionId, params))
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const session = live.get(params.sessionId)
      const stored = store.find(params.sessionId)
      if (session === undefined || stored === null) throw RequestError.sessionNotFound(params.sessionId)
      const prompt = params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
      const plays = stored.plays ?? choose(script, prompt)
      let playing: StoredSession = { ...stored, plays }
      store.save(playing)
      const use: Stage['use'] = ({ costUsd, tokens }) => {
        const used = { costUsd: playing.used.costUsd + costUsd, tokens: playing.used.tokens + tokens }
        playing = { ...playing, used }
        store.save(playing)
        return used
      }
      const turns = script.sessions[plays]?.turns ?? []
      const actions = turns[Math.min(stored.turnsEnded, turns.length - 1)] ?? []
      session.cancelled = new AbortController()
      const stopReason = await playTurn(actions, {
        ...stageOf(session, params.sessionId, client),
        prompt,
        use,
      })
      store.save({ ...playing, turnsEnded: stored.turnsEnded + 1 })
      return { stopReason }
    })
    .onNotification(methods.agent.session.cancel, ({ params }) =>
      live.get(params.sessionId)?.cancelled.abort(),
    )
    .onRequest(methods.agent.session.close, ({ params }) => {
      live.delete(params.sessionId)
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(process.stdout),
        Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
      ),
    )
  void connection.closed.then(() => process.exit(0))
}

function stageOf(
  session: LiveSession,
  sessionId: string,
  client: AgentContext,
): Omit<Stage, 'prompt' | 'use'> {
  return {
    cwd: session.cwd,
    answerFile: process.env['SIGNALBOX_ANSWER_FILE'] ?? null,
    mcp: session.mcp,
    cancelled: session.cancelled.signal,
    update: (update) => client.notify(methods.client.session.update, { sessionId, update }),
    mayI: async (toolCall) => {
      const request: RequestPermissionRequest = { sessionId, toolCall, options: PERMISSION_OPTIONS }
      const { outcome } = await client.request(methods.client.session.requestPermission, request)
      return outcome.outcome === 'selected' && outcome.optionId !== 'c'
    },
  }
}

const PERMISSION_OPTIONS: PermissionOption[] = [
  { optionId: 'a', kind: 'allow_once', name: 'Allow' },
  { optionId: 'b', kind: 'allow_always', name: 'Always allow' },
  { optionId: 'c', kind: 'reject_once', name: 'Reject' },
]

// Looked at once at the start, as agents do: whoever offers the tools can see that they were found.
function callerOf(servers: readonly McpServer[]): McpCaller | null {
  const http = servers.find((server) => 'type' in server && server.type === 'http')
  if (http === undefined || !('url' in http)) return null
  const caller = createMcpCaller({ url: http.url, headers: http.headers })
  caller.connect().catch((error: Error) => process.stderr.write(`${error.message}\n`))
  return caller
}

function choose(script: Script, prompt: string): number {
  const here = {
    step: process.env['SIGNALBOX_STEP'],
    visit: process.env['SIGNALBOX_VISIT'],
    member: process.env['SIGNALBOX_MEMBER'],
    agent: process.env['SIGNALBOX_AGENT'],
  }
  const fits = ({ prompt: part, ...when }: When): boolean =>
    (part === undefined || prompt.includes(part)) &&
    Object.entries(when).every(([key, value]) => here[key as keyof typeof here] === String(value))
  const found = script.sessions.findIndex(({ when }) => fits(when))
  if (found === -1)
    throw new RequestError(-32603, `No session of the script fits ${JSON.stringify(here)} and this prompt.`)
  return found
}

function readScript(file: string): Script {
  const parsed = parseScript(readJson(file))
  if ('script' in parsed) return parsed.script
  return leave(`${file} is no script:\n${parsed.problems.map((problem) => `  ${problem}`).join('\n')}`)
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return leave(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function leave(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}
