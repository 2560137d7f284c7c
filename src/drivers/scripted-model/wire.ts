/** What every wire format has in common: what a request says, and what may be answered. */
import type { Said, Usage } from './script.ts'

export interface ModelRequest {
  readonly model: string
  readonly streams: boolean
  readonly conversation: readonly Said[]
  readonly tools: readonly OfferedTool[]
  /** Tools are not all shown: more are found by a search, of which this many were made. */
  readonly searches: number | null
  /** A certain form of answer is wanted: no agent's turn looks like that. */
  readonly wantsForm: boolean
}

export interface OfferedTool {
  readonly name: string
  /** What the name stands in, where the wire has such a thing. */
  readonly namespace: string | null
  /** Takes a text, not fields. */
  readonly isFreeform: boolean
  readonly parameters: readonly string[]
}

export type ModelReply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: OfferedTool; readonly input: object | string }
  | { readonly kind: 'search'; readonly query: string }

/** One event of a stream; `event` is its name where the wire names them. */
export interface StreamEvent {
  readonly event: string | null
  readonly data: unknown
}

export interface ModelAnswer {
  readonly reply: ModelReply
  readonly model: string
  readonly usage: Usage
}

export interface Wire {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini'
  /** Whether a request to this path is in it. */
  serves(path: string): boolean
  hear(body: WireBody, path: string): ModelRequest
  whole(answered: ModelAnswer): unknown
  stream(answered: ModelAnswer): readonly StreamEvent[]
  failure(status: number, message: string): unknown
}

export type WireBody = Readonly<Record<string, unknown>>

/** Requests come from programs; what is not as expected is taken as absent. */
export const asBody = (value: unknown): WireBody =>
  typeof value === 'object' && value !== null ? (value as WireBody) : {}
export const asBodies = (value: unknown): WireBody[] => (Array.isArray(value) ? value.map(asBody) : [])
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The text of a message's content, whatever it is made of. */
export const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : asBodies(content)
        .map(({ text }) => asText(text))
        .join('\n')

export const parametersOf = (schema: unknown): string[] => Object.keys(asBody(asBody(schema)['properties']))
