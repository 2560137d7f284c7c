/** OpenAI Responses. Tools may stand in namespaces, and may have to be searched for before they are shown. */
import { randomUUID } from 'node:crypto'
import type { Said } from './script.ts'
import {
  asBodies,
  asBody,
  asText,
  type ModelAnswer,
  type OfferedTool,
  parametersOf,
  type StreamEvent,
  textIn,
  type Wire,
  type WireBody,
} from './wire.ts'

export const responses: Wire = {
  name: 'responses',
  serves: (path) => path === '/v1/responses',
  hear: (body) => {
    const items = asBodies(body['input'])
    const found = items.filter(({ type }) => type === 'tool_search_output')
    const offered = asBodies(body['tools'])
    return {
      model: asText(body['model']),
      streams: body['stream'] === true,
      conversation:
        items.length === 0 ? [{ by: 'user', text: asText(body['input']) }] : items.flatMap(saidIn),
      tools: [...offered, ...found.flatMap(({ tools }) => asBodies(tools))].flatMap((tool) => toolsIn(tool)),
      searches: offered.some(({ type }) => type === 'tool_search') ? found.length : null,
      wantsForm: asBody(body['text'])['format'] !== undefined,
    }
  },
  whole: (answered) => responseOf(answered, { id: `resp_${randomUUID()}`, output: itemsOf(answered) }),
  stream: (answered) => {
    const id = `resp_${randomUUID()}`
    const output = itemsOf(answered)
    const events = output.flatMap((item, output_index) => [
      event('response.output_item.added', { output_index, item: begun(item) }),
      ...(item['type'] === 'message'
        ? [
            event('response.output_text.delta', {
              output_index,
              item_id: item['id'],
              content_index: 0,
              delta: textIn(item['content']),
            }),
          ]
        : []),
      event('response.output_item.done', { output_index, item }),
    ])
    const started = { ...responseOf(answered, { id, output: [] }), status: 'in_progress', usage: null }
    const all = [
      event('response.created', { response: started }),
      ...events,
      event('response.completed', { response: responseOf(answered, { id, output }) }),
    ]
    return all.map(({ event, data }, sequence_number) => ({
      event,
      data: { ...asBody(data), sequence_number },
    }))
  },
  failure: (status, message) => {
    const type = status === 429 ? 'rate_limit_exceeded' : 'server_error'
    return { error: { message, type, param: null, code: type } }
  },
}

const event = (type: string, more: object): StreamEvent => ({ event: type, data: { type, ...more } })

const CALLS = ['function_call', 'custom_tool_call', 'local_shell_call']

function saidIn({ type, role, content }: WireBody): Said[] {
  if (CALLS.includes(asText(type))) return [{ by: 'model', toolCalls: 1 }]
  // A message need not say that it is one.
  return (type === 'message' || type === undefined) && role === 'user'
    ? [{ by: 'user', text: textIn(content) }]
    : []
}

function toolsIn(tool: WireBody, namespace: string | null = null): OfferedTool[] {
  const { type, name, tools, parameters } = tool
  if (type === 'namespace') return asBodies(tools).flatMap((inner) => toolsIn(inner, asText(name)))
  if (type !== 'function' && type !== 'custom') return []
  const known = { name: asText(name), namespace, isFreeform: type === 'custom' }
  return [{ ...known, parameters: parametersOf(parameters) }]
}

const responseOf = (
  { model, usage: { input, output: out } }: ModelAnswer,
  { id, output }: { readonly id: string; readonly output: readonly WireBody[] },
): WireBody => ({
  id,
  object: 'response',
  created_at: 0,
  status: 'completed',
  model,
  output,
  parallel_tool_calls: false,
  usage: {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: out,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + out,
  },
})

function itemsOf({ reply }: ModelAnswer): WireBody[] {
  const call_id = `call_${randomUUID()}`
  switch (reply.kind) {
    case 'text': {
      if (reply.text === '') return []
      const content = [{ type: 'output_text', text: reply.text, annotations: [] }]
      return [{ type: 'message', id: `msg_${randomUUID()}`, role: 'assistant', status: 'completed', content }]
    }
    case 'search': {
      const given = { query: reply.query, limit: 8 }
      return [
        { type: 'tool_search_call', call_id, execution: 'client', status: 'completed', arguments: given },
      ]
    }
    case 'call': {
      const { tool, input } = reply
      const called = {
        call_id,
        name: tool.name,
        ...(tool.namespace === null ? {} : { namespace: tool.namespace }),
      }
      return tool.isFreeform
        ? [{ type: 'custom_tool_call', id: `ctc_${randomUUID()}`, status: 'completed', ...called, input }]
        : [
            {
              type: 'function_call',
              id: `fc_${randomUUID()}`,
              status: 'completed',
              ...called,
              arguments: JSON.stringify(input),
            },
          ]
    }
  }
}

/** As it is before anything of it was said. */
const begun = (item: WireBody): WireBody => ({
  ...item,
  ...(item['status'] === undefined ? {} : { status: 'in_progress' }),
  ...(item['type'] === 'message' ? { content: [] } : {}),
})
