/** OpenAI chat completions. */
import { randomUUID } from 'node:crypto'
import type { Said } from './script.ts'
import {
  asBodies,
  asBody,
  asText,
  type ModelAnswer,
  parametersOf,
  type StreamEvent,
  textIn,
  type Wire,
  type WireBody,
} from './wire.ts'

export const chat: Wire = {
  name: 'chat',
  serves: (path) => path === '/v1/chat/completions',
  hear: (body) => ({
    model: asText(body['model']),
    streams: body['stream'] === true,
    conversation: asBodies(body['messages']).flatMap(({ role, content, tool_calls }): Said[] => {
      if (role === 'user') return [{ by: 'user', text: textIn(content) }]
      if (role !== 'assistant') return []
      const calls = asBodies(tool_calls).filter((call) => !isSearch(call))
      return [{ by: 'model', toolCalls: calls.length }]
    }),
    tools: asBodies(body['tools']).map((tool) => {
      const { name, parameters } = asBody(tool['function'])
      return { name: asText(name), namespace: null, isFreeform: false, parameters: parametersOf(parameters) }
    }),
    searches: asBodies(body['tools']).some(isSearch)
      ? asBodies(body['messages'])
          .flatMap(({ tool_calls }) => asBodies(tool_calls))
          .filter(isSearch).length
      : null,
    wantsForm: body['response_format'] !== undefined,
  }),
  whole: (answered) => ({
    ...envelope(answered),
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', ...messageOf(answered) }, finish_reason: reasonOf(answered) },
    ],
    usage: usageOf(answered),
  }),
  stream: (answered) => {
    const chunk = (more: object): StreamEvent => ({
      event: null,
      data: { ...same, object: 'chat.completion.chunk', ...more },
    })
    const same = envelope(answered)
    const choice = (delta: object, finish_reason: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason }] })
    return [
      choice({ role: 'assistant', content: '' }),
      ...deltasOf(answered).map((delta) => choice(delta)),
      choice({}, reasonOf(answered)),
      chunk({ choices: [], usage: usageOf(answered) }),
      { event: null, data: '[DONE]' },
    ]
  },
  failure: (status, message) => ({
    error: { message, type: typeOf(status), param: null, code: typeOf(status) },
  }),
}

/** With some agents, tools are found by a tool of this name. */
const SEARCH = 'tool_search'
const isSearch = (tool: WireBody): boolean => asBody(tool['function'])['name'] === SEARCH

const typeOf = (status: number): string => (status === 429 ? 'rate_limit_exceeded' : 'server_error')

const envelope = ({ model }: ModelAnswer) => ({ id: `chatcmpl-${randomUUID()}`, created: 0, model })

const reasonOf = ({ reply }: ModelAnswer): string => (reply.kind === 'text' ? 'stop' : 'tool_calls')

const usageOf = ({ usage: { input, output } }: ModelAnswer) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

function messageOf({ reply }: ModelAnswer): object {
  if (reply.kind === 'text') return { content: reply.text }
  return { content: null, tool_calls: [callOf(reply)] }
}

function deltasOf({ reply }: ModelAnswer): object[] {
  if (reply.kind === 'text') return reply.text === '' ? [] : [{ content: reply.text }]
  const { function: called, ...call } = callOf(reply)
  // Name first, arguments after it, as real servers do.
  return [
    { tool_calls: [{ index: 0, ...call, function: { name: called.name, arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: called.arguments } }] },
  ]
}

function callOf(reply: Exclude<ModelAnswer['reply'], { kind: 'text' }>) {
  const called = reply.kind === 'call' ? reply : { tool: { name: SEARCH }, input: { query: reply.query } }
  return {
    id: `call_${randomUUID()}`,
    type: 'function',
    function: { name: called.tool.name, arguments: JSON.stringify(called.input) },
  }
}
