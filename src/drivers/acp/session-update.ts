/**
 * Reads a `session/update` as agents send it, not as the schema wishes: fields may be missing, and kinds may be newer
 * than we are. What is not understood is still a sign of life.
 */
import { firstCharacters } from '../../model/characters.ts'
import type { Update } from '../driver.ts'

export type ToolStatus = Extract<Update, { kind: 'tool' }>['status']

/** What else is told of a tool call, in this update. */
export interface ToolAbout {
  readonly deed: string | null
  /** Its own name, where that is told beside the title. */
  readonly name: string | null
  readonly texts: readonly string[]
  readonly files: readonly string[]
}

export type HeardUpdate =
  | {
      readonly kind: 'text' | 'thought'
      readonly text: string
      readonly messageId: string | null
      /** What the call of the model took that this is the end of; 0 where it does not say. */
      readonly tokens: number
    }
  /** Null or undefined: this update says nothing about it. */
  | {
      readonly kind: 'tool'
      readonly id: string
      readonly title: string | null
      readonly status: ToolStatus | null
      readonly input: unknown
      readonly about: ToolAbout
      /** As it came; not to be kept. */
      readonly whole: Readonly<Record<string, unknown>>
    }
  /** Tokens in the context now, and what the session has cost so far. */
  | {
      readonly kind: 'usage'
      readonly used: number | null
      readonly costUsd: number | null
      /** Numbers that are no amounts, as they were said; null where there are none. */
      readonly odd: { readonly used: number; readonly costUsd: number } | null
      /** When the limit resets that stops it; null where it tells of none. */
      readonly resetsAt: number | null
    }
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
      const usage = record(record(update['_meta'])['usage'])
      return { kind, text, messageId: string(update['messageId']), tokens: tokensIn(usage) }
    }
    case 'tool_call':
    case 'tool_call_update':
      return readTool(update) ?? { kind: 'other', about }
    case 'usage_update': {
      const cost = record(update['cost'])
      const priced = cost['currency'] === undefined || cost['currency'] === 'USD'
      const odd = { used: oddity(update['used']), costUsd: priced ? oddity(cost['amount']) : 0 }
      return {
        kind: 'usage',
        used: amount(update['used']),
        costUsd: priced ? amount(cost['amount']) : null,
        odd: odd.used === 0 && odd.costUsd === 0 ? null : odd,
        resetsAt: resetIn(record(record(update['_meta'])['_claude/rateLimit'])),
      }
    }
    case 'compaction_update':
      return update['status'] === 'completed' ? { kind: 'compacted' } : { kind: 'other', about }
    case 'session_info_update':
      return hasBroken(update) ? { kind: 'broken' } : { kind: 'other', about }
    default:
      return { kind: 'other', about }
  }
}

/** In seconds, as claude tells it. */
const resetIn = ({ status, resetsAt }: Readonly<Record<string, unknown>>): number | null =>
  status === 'rejected' && amount(resetsAt) !== null ? amount(resetsAt)! * 1000 : null

/** The sum where it is told, else what it is the sum of, under either spelling. */
export function tokensIn(usage: Readonly<Record<string, unknown>>): number {
  const told = (...names: readonly string[]): number =>
    names.reduce((found, name) => found || (amount(usage[name]) ?? 0), 0)
  return (
    told('totalTokens', 'total_tokens') ||
    told('inputTokens', 'input_tokens') + told('outputTokens', 'output_tokens')
  )
}

/** The only sign of it that codex gives: its last message then reads like any other. */
const hasBroken = (update: Readonly<Record<string, unknown>>): boolean =>
  record(record(record(update['_meta'])['codex'])['threadStatus'])['type'] === 'systemError'

/** Also the tool call inside a permission request. */
export function readTool(
  tool: Readonly<Record<string, unknown>>,
): Extract<HeardUpdate, { kind: 'tool' }> | null {
  const id = string(tool['toolCallId'])
  if (id === null || id.length > LONGEST_ID) return null
  const title = brief(tool['title']) ?? brief(tool['name'])
  const status = STATUSES.find((known) => known === tool['status']) ?? null
  return { kind: 'tool', id, title, status, input: tool['rawInput'], about: aboutTool(tool), whole: tool }
}

function aboutTool(tool: Readonly<Record<string, unknown>>): ToolAbout {
  const parts = list(tool['content']).map(record)
  const changes = parts.filter(({ type }) => type === 'diff')
  const texts = (found: readonly unknown[]): string[] =>
    found.flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text] : []))
  return {
    deed: brief(tool['kind']),
    name: brief(record(tool['_meta'])['toolName']),
    texts: texts([
      ...parts.map(({ content }) => record(content)['text']),
      ...changes.map(({ newText }) => newText),
    ]),
    files: texts([...changes, ...list(tool['locations']).map(record)].map(({ path }) => brief(path))),
  }
}

const STATUSES: readonly ToolStatus[] = ['pending', 'in_progress', 'completed', 'failed']

export const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MOST_PARTS) : []
const MOST_PARTS = 50

export const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
export const string = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What names a call may be remembered for long, and with a piece of a text all of it is held: so it is a copy. */
const brief = (value: unknown): string | null =>
  typeof value === 'string' ? firstCharacters(value, LONGEST_NAME) : null
const LONGEST_NAME = 4_096
/** No agent's is as long; what has such a one is not a call that anybody could follow. */
const LONGEST_ID = 1_000

/** A number that cannot be an amount; 0 for all else. */
const oddity = (value: unknown): number => (typeof value === 'number' && amount(value) === null ? value : 0)
const amount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
