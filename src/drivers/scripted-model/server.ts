/**
 * A model on loopback that does what the script in its prompt says, in the four wire formats agents speak. It keeps
 * nothing but a record of what it was asked, for tests to look at.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { chat } from './chat.ts'
import { gemini } from './gemini.ts'
import { messages } from './messages.ts'
import { responses } from './responses.ts'
import { positionIn, type ScriptedStep, type Usage } from './script.ts'
import { callFor } from './tool-choice.ts'
import {
  asBody,
  type ModelAnswer,
  type ModelReply,
  type ModelRequest,
  type StreamEvent,
  type Wire,
  type WireBody,
} from './wire.ts'

export interface ScriptedModel {
  /** Without a path. */
  readonly url: string
  readonly asked: readonly AskedModel[]
  close(): Promise<void>
}

/** One request for an answer. */
export interface AskedModel {
  readonly wire: Wire['name']
  readonly body: WireBody
  readonly heard: ModelRequest
  /** Null: not a turn of the agent, but something it wants to know for itself, like a title. */
  readonly step: ScriptedStep | null
  /** The names of the tools offered with it. */
  readonly tools: readonly string[]
}

const WIRES = [chat, messages, responses, gemini]

export async function openScriptedModel({
  smallModels = [] as readonly string[],
} = {}): Promise<ScriptedModel> {
  const asked: AskedModel[] = []
  const waiting = new Set<NodeJS.Timeout>()
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(timer)
        resolve()
      }, ms)
      waiting.add(timer)
    })

  async function answer({ wire, body, path }: PutQuestion, response: ServerResponse): Promise<void> {
    const heard = wire.hear(body, path)
    const { model, streams } = heard
    const isSide = heard.tools.length === 0 || heard.wantsForm || smallModels.includes(model)
    const position = isSide ? null : positionIn(heard.conversation)
    const step = position?.step ?? null
    asked.push({ wire: wire.name, body, heard, step, tools: heard.tools.map(({ name }) => name) })
    if (step?.afterMs !== undefined) await pause(step.afterMs)
    if (step !== null && 'status' in step) {
      const { status, message, retryAfterS } = step
      const headers = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
      return tell(response, status, wire.failure(status, message), headers)
    }
    const reply: ModelReply = position === null ? SIDE : replyTo(position, heard)
    const answered: ModelAnswer = { reply, model, usage: step?.usage ?? USAGE }
    if (streams) stream(response, wire.stream(answered))
    else tell(response, 200, wire.whole(answered))
  }

  const server = createServer((request, response) => {
    void serve(request, response, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      for (const timer of waiting) clearTimeout(timer)
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** What a model says that nobody wrote a script for: a title, a summary. */
const SIDE: ModelReply = { kind: 'text', text: 'A scripted session' }
const USAGE: Usage = { input: 100, output: 10 }

function replyTo(position: ReturnType<typeof positionIn>, heard: ModelRequest): ModelReply {
  const { step } = position
  if ('say' in step) return { kind: 'text', text: step.say }
  if ('call' in step || 'shell' in step || 'write' in step) return callFor(step, position, heard)
  return { kind: 'text', text: '' }
}

interface PutQuestion {
  readonly wire: Wire
  readonly body: WireBody
  readonly path: string
}

type Answer = (question: PutQuestion, response: ServerResponse) => Promise<void>

async function serve(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  try {
    if (request.method !== 'POST') return about(pathname, response)
    const body = asBody(await json(request))
    const wire = WIRES.find((each) => each.serves(pathname))
    if (wire !== undefined) return await answer({ wire, body, path: pathname }, response)
    if (pathname === '/v1/messages/count_tokens') return tell(response, 200, { input_tokens: USAGE.input })
    if (pathname.endsWith(':countTokens')) return tell(response, 200, { totalTokens: USAGE.input })
    tell(response, 404, { error: { message: `There is no ${pathname} here.`, type: 'not_found_error' } })
  } catch (error) {
    tell(response, 400, { error: { message: String(error), type: 'invalid_request_error' } })
  }
}

/** Some look whether anybody is there, and which models there are, before they ask for anything. */
function about(pathname: string, response: ServerResponse): void {
  const isKnown = pathname === '/' || pathname === '/v1/models'
  tell(response, isKnown ? 200 : 404, { object: 'list', data: [] })
}

function tell(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function stream(response: ServerResponse, events: readonly StreamEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const { event, data } of events) {
    if (event !== null) response.write(`event: ${event}\n`)
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  response.end()
}
