/** The model, asked over each wire as agents ask it. */
import { onTestFinished } from 'vitest'
import { type ScriptedTurn, scriptText } from './script.ts'
import { openScriptedModel, type ScriptedModel } from './server.ts'

export interface Ask {
  /** One conversation in plain words: what the user said, and a tool call for each `call`. */
  readonly said: readonly (string | { readonly call: string })[]
  readonly tools?: readonly string[]
  readonly stream?: boolean
  readonly model?: string
  readonly more?: object
}

export interface WireCase {
  readonly name: 'chat' | 'messages' | 'responses' | 'gemini'
  path(ask: Ask): string
  body(ask: Ask): object
  /** The text, or the tool called with its input, of a whole answer. */
  read(answer: never): string | { readonly tool: string; readonly input: unknown }
  /** The same of a stream's events. */
  readStream(events: readonly never[]): string | { readonly tool: string; readonly input: unknown }
}

export async function openModel(smallModels: readonly string[] = ['small']): Promise<ScriptedModel> {
  const model = await openScriptedModel({ smallModels })
  onTestFinished(() => model.close())
  return model
}

export const prompt = (...turns: readonly ScriptedTurn[]): string => `Do this.\n${scriptText(turns)}`

export const post = (model: ScriptedModel, wire: WireCase, asked: Ask): Promise<Response> =>
  fetch(`${model.url}${wire.path(asked)}`, { method: 'POST', body: JSON.stringify(wire.body(asked)) })

/** Asks, and gives what was answered, streamed or not. */
export async function ask(
  model: ScriptedModel,
  wire: WireCase,
  asked: Ask,
): Promise<ReturnType<WireCase['read']>> {
  const response = await post(model, wire, asked)
  if (asked.stream !== true) return wire.read((await response.json()) as never)
  return wire.readStream(eventsIn(await response.text()) as never[])
}

/** Every event stands on its own lines, with its name where it has one, and holds JSON. */
export function eventsIn(text: string): object[] {
  return text
    .trimEnd()
    .split('\n\n')
    .flatMap((block) => {
      const [, name, data = ''] = /^(?:event: (.+)\n)?data: (.+)$/.exec(block) ?? []
      if (data === '[DONE]') return []
      const event = JSON.parse(data) as { type?: string }
      if (name !== undefined && event.type !== name) throw new Error(`${name} holds ${event.type}`)
      return [event]
    })
}

const schema = { type: 'object', properties: { command: {}, path: {}, content: {} } }

interface ChatMessage {
  readonly content?: string | null
  readonly tool_calls?: readonly {
    readonly function: { readonly name?: string; readonly arguments: string }
  }[]
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly name?: string
  readonly input?: unknown
}

interface Item {
  readonly type: string
  readonly name?: string
  readonly namespace?: string
  readonly arguments?: unknown
  readonly content?: readonly { readonly text: string }[]
}

const itemsRead = (items: readonly Item[]): ReturnType<WireCase['read']> => {
  const [item] = items
  if (item === undefined) return ''
  if (item.type === 'message') return item.content?.[0]?.text ?? ''
  if (item.type === 'tool_search_call') return { tool: 'tool_search', input: item.arguments }
  const tool = [item.namespace, item.name].filter((part) => part !== undefined).join('/')
  return { tool, input: JSON.parse(String(item.arguments)) }
}

export const WIRES: readonly WireCase[] = [
  {
    name: 'chat',
    path: () => '/v1/chat/completions',
    body: ({ said, tools = ['shell'], stream = false, model = 'large', more = {} }) => ({
      model,
      stream,
      messages: said.map((one) =>
        typeof one === 'string'
          ? { role: 'user', content: one }
          : { role: 'assistant', tool_calls: [{ id: 'x', function: { name: one.call, arguments: '{}' } }] },
      ),
      tools: tools.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
      ...more,
    }),
    read: (answer: { choices: readonly { message: ChatMessage }[] }) => {
      const { content, tool_calls } = answer.choices[0]!.message
      const called = tool_calls?.[0]?.function
      return called === undefined
        ? (content ?? '')
        : { tool: called.name!, input: JSON.parse(called.arguments) }
    },
    readStream: (events: readonly { choices: readonly { delta: ChatMessage }[] }[]) => {
      const deltas = events.flatMap(({ choices }) => choices.map(({ delta }) => delta))
      const calls = deltas.flatMap(({ tool_calls }) => tool_calls ?? []).map((call) => call.function)
      if (calls.length === 0) return deltas.map(({ content }) => content ?? '').join('')
      return { tool: calls[0]!.name!, input: JSON.parse(calls.map((call) => call.arguments).join('')) }
    },
  },
  {
    name: 'messages',
    path: () => '/v1/messages?beta=true',
    body: ({ said, tools = ['Bash'], stream = false, model = 'large', more = {} }) => ({
      model,
      stream,
      messages: said.map((one) =>
        typeof one === 'string'
          ? { role: 'user', content: [{ type: 'text', text: one }] }
          : { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: one.call, input: {} }] },
      ),
      tools: tools.map((name) => ({ name, input_schema: schema })),
      ...more,
    }),
    read: ({ content }: { content: readonly Block[] }) => blockRead(content[0]),
    readStream: (
      events: readonly { content_block?: Block; delta?: { text?: string; partial_json?: string } }[],
    ) => {
      const block = events.find(({ content_block }) => content_block !== undefined)?.content_block
      const said = events.map(({ delta }) => delta?.text ?? delta?.partial_json ?? '').join('')
      return blockRead(
        block?.type === 'tool_use'
          ? { ...block, input: JSON.parse(said) }
          : block && { ...block, text: said },
      )
    },
  },
  {
    name: 'responses',
    path: () => '/v1/responses',
    body: ({ said, tools = ['exec_command'], stream = false, model = 'large', more = {} }) => ({
      model,
      stream,
      input: said.map((one) =>
        typeof one === 'string'
          ? { type: 'message', role: 'user', content: [{ type: 'input_text', text: one }] }
          : { type: 'function_call', call_id: 'x', name: one.call, arguments: '{}' },
      ),
      tools: tools.map((name) => ({ type: 'function', name, parameters: schema })),
      ...more,
    }),
    read: ({ output }: { output: readonly Item[] }) => itemsRead(output),
    readStream: (events: readonly { type: string; item?: Item }[]) =>
      itemsRead(events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item!] : []))),
  },
  {
    name: 'gemini',
    path: ({ stream = false, model = 'large' }) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: ({ said, tools = ['run_shell_command'], more = {} }) => ({
      contents: said.map((one) =>
        typeof one === 'string'
          ? { role: 'user', parts: [{ text: one }] }
          : { role: 'model', parts: [{ functionCall: { name: one.call, args: {} } }] },
      ),
      tools: [{ functionDeclarations: tools.map((name) => ({ name, parametersJsonSchema: schema })) }],
      ...more,
    }),
    read: (answer: GeminiAnswer) => partRead(answer),
    readStream: (events: readonly GeminiAnswer[]) => partRead(events[0]!),
  },
]

interface GeminiAnswer {
  readonly candidates: readonly {
    readonly content: {
      readonly parts: readonly {
        readonly text?: string
        readonly functionCall?: { name: string; args: object }
      }[]
    }
  }[]
}

function partRead({ candidates }: GeminiAnswer): ReturnType<WireCase['read']> {
  const { text = '', functionCall } = candidates[0]!.content.parts[0]!
  return functionCall === undefined ? text : { tool: functionCall.name, input: functionCall.args }
}

const blockRead = (block: Block | undefined): ReturnType<WireCase['read']> =>
  block?.type === 'tool_use' ? { tool: block.name!, input: block.input } : (block?.text ?? '')
