/**
 * Reads a `session/update` as agents send it, not as the schema wishes: fields may be missing, and kinds may be newer
 * than we are. What is not understood is still a sign of life.
 */
import type { Update } from '../driver.ts'

export type ToolStatus = Extract<Update, { kind: 'tool' }>['status']

export type HeardUpdate =
  | { readonly kind: 'text' | 'thought'; readonly text: string; readonly messageId: string | null }
  /** Null or undefined: this update says nothing about it. */
  | {
      readonly kind: 'tool'
      readonly id: string
      readonly title: string | null
      readonly status: ToolStatus | null
      readonly input: unknown
    }
  /** Tokens in the context now, and what the session has cost so far. */
  | { readonly kind: 'usage'; readonly used: number | null; readonly costUsd: number | null }
  /** The model failed, and the turn will end like any other. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'compacted' }
  | { readonly kind: 'other'; readonly about: string }

export function readSessionUpdate(params: unknown): {
  readonly sessionId: string | null
  readonly heard: HeardUpdate
} {
  const { sessionId, update } = record(params)
  return { sessionId: string(sessionId), heard: readUpdate(record(update)) }
}

function readUpdate(update: Readonly<Record<string, unknown>>): HeardUpdate {
  const about = string(update['sessionUpdate']) ?? 'session/update'
  switch (about) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk': {
      const text = string(record(update['content'])['text'])
      if (text === null) return { kind: 'other', about }
      const kind = about === 'agent_message_chunk' ? 'text' : 'thought'
      return { kind, text, messageId: string(update['messageId']) }
    }
    case 'tool_call':
    case 'tool_call_update':
      return readTool(update) ?? { kind: 'other', about }
    case 'usage_update': {
      const cost = record(update['cost'])
      const priced = cost['currency'] === undefined || cost['currency'] === 'USD'
      return { kind: 'usage', used: amount(update['used']), costUsd: priced ? amount(cost['amount']) : null }
    }
    case 'compaction_update':
      return update['status'] === 'completed' ? { kind: 'compacted' } : { kind: 'other', about }
    case 'session_info_update':
      return hasBroken(update) ? { kind: 'broken' } : { kind: 'other', about }
    default:
      return { kind: 'other', about }
  }
}

/** The only sign of it that codex gives: its last message then reads like any other. */
const hasBroken = (update: Readonly<Record<string, unknown>>): boolean =>
  record(record(record(update['_meta'])['codex'])['threadStatus'])['type'] === 'systemError'

/** Also the tool call inside a permission request. */
export function readTool(
  tool: Readonly<Record<string, unknown>>,
): Extract<HeardUpdate, { kind: 'tool' }> | null {
  const id = string(tool['toolCallId'])
  if (id === null) return null
  const title = string(tool['title']) ?? string(tool['name'])
  const status = STATUSES.find((known) => known === tool['status']) ?? null
  return { kind: 'tool', id, title, status, input: tool['rawInput'] }
}

const STATUSES: readonly ToolStatus[] = ['pending', 'in_progress', 'completed', 'failed']

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const string = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
