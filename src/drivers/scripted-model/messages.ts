/** Anthropic Messages. */
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
} from './wire.ts'

export const messages: Wire = {
  name: 'messages',
  serves: (path) => path === '/v1/messages',
  hear: (body) => ({
    model: asText(body['model']),
    streams: body['stream'] === true,
    conversation: asBodies(body['messages']).map(({ role, content }): Said => {
      if (role === 'user') return { by: 'user', text: textIn(content) }
      return { by: 'model', toolCalls: asBodies(content).filter(({ type }) => type === 'tool_use').length }
    }),
    tools: asBodies(body['tools']).map(({ name, input_schema }) => ({
      name: asText(name),
      namespace: null,
      isFreeform: false,
      parameters: parametersOf(input_schema),
    })),
    searches: null,
    wantsForm: asBody(body['output_config'])['format'] !== undefined || body['output_format'] !== undefined,
  }),
  whole: (answered) => ({
    ...envelope(answered),
    content: blocksOf(answered),
    stop_reason: reasonOf(answered),
    usage: usageOf(answered),
  }),
  stream: (answered) => {
    const blocks = blocksOf(answered).flatMap((block, index) => [
      event('content_block_start', { index, content_block: emptied(block) }),
      event('content_block_delta', { index, delta: deltaOf(block) }),
      event('content_block_stop', { index }),
    ])
    const { output_tokens, ...input } = usageOf(answered)
    return [
      event('message_start', {
        message: {
          ...envelope(answered),
          content: [],
          stop_reason: null,
          usage: { ...input, output_tokens: 1 },
        },
      }),
      ...blocks,
      event('message_delta', {
        delta: { stop_reason: reasonOf(answered), stop_sequence: null },
        usage: { output_tokens },
      }),
      event('message_stop', {}),
    ]
  },
  failure: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message },
  }),
}

const event = (type: string, more: object): StreamEvent => ({ event: type, data: { type, ...more } })

const envelope = ({ model }: ModelAnswer) => ({
  id: `msg_${randomUUID()}`,
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
})

const reasonOf = ({ reply }: ModelAnswer): string => (reply.kind === 'call' ? 'tool_use' : 'end_turn')

const usageOf = ({ usage: { input, output } }: ModelAnswer) => ({
  input_tokens: input,
  output_tokens: output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
})

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object | string }

function blocksOf({ reply }: ModelAnswer): Block[] {
  if (reply.kind === 'text') return reply.text === '' ? [] : [{ type: 'text', text: reply.text }]
  const called = reply.kind === 'call' ? reply : { tool: { name: 'search' }, input: { query: reply.query } }
  return [{ type: 'tool_use', id: `toolu_${randomUUID()}`, name: called.tool.name, input: called.input }]
}

const emptied = (block: Block): Block =>
  block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }

const deltaOf = (block: Block): object =>
  block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
