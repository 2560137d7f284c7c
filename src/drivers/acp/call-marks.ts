/**
 * Whether an agent told the same of two tool calls: their kind, places and changes, what was said before they ran, and what
 * came of them, each as it was told last. Kept as digests, of a bounded number of calls. What every call has anew (its
 * ids, and how long it took) says nothing of what was done.
 */
import { createHash } from 'node:crypto'
import { type HeardUpdate, list, record, type ToolStatus } from './session-update.ts'

type HeardTool = Extract<HeardUpdate, { kind: 'tool' }>

/** Equal for calls of which the same was told; empty where nothing was. */
export type CallMarks = (heard: HeardTool, status: ToolStatus) => string

interface Signs {
  readonly deed?: string
  readonly places?: string
  readonly changes?: string
  readonly asked?: string
  readonly result?: string
  readonly output?: string
}

const MOST_CALLS = 500

export function createCallMarks(): CallMarks {
  const known = new Map<string, Signs>()
  return (heard, status) => {
    const id = digest(heard.id)
    const signs = { ...known.get(id), ...signsIn(heard, status) }
    known.delete(id)
    known.set(id, signs)
    for (const oldest of known.keys()) {
      if (known.size <= MOST_CALLS) break
      known.delete(oldest)
    }
    const { deed, places, changes, asked, result, output } = signs
    const told = [deed, places, changes, asked, result ?? output]
    return told.every((sign) => sign === undefined) ? '' : digest(JSON.stringify(told))
  }
}

function signsIn({ whole, about }: HeardTool, status: ToolStatus): Signs {
  const parts = list(whole['content']).map(record)
  const changes = parts.filter(({ type }) => type === 'diff')
  // A terminal is only named, and never by the same name twice.
  const texts = parts.flatMap(({ content }) => (content === undefined ? [] : [content]))
  const places = list(whole['locations'])
  const said = { [status === 'pending' ? 'asked' : 'result']: digest(untimed(texts)) }
  return {
    ...(about.deed === null ? {} : { deed: digest(about.deed) }),
    ...(places.length === 0 ? {} : { places: digest(JSON.stringify(places)) }),
    ...(changes.length === 0 ? {} : { changes: digest(JSON.stringify(changes)) }),
    ...(texts.length === 0 ? {} : said),
    ...(isSaid(whole['rawOutput']) ? { output: digest(untimed(whole['rawOutput'])) } : {}),
  }
}

const isSaid = (output: unknown): boolean => output !== undefined && output !== null

const untimed = (told: unknown): string =>
  JSON.stringify(told, (key, value: unknown) => (OF_THE_CALL.test(key) ? undefined : value)).replace(TIME, '')

const OF_THE_CALL =
  /^(?:(?:tool_?)?call_?id|turn_?id|process_?id|pid|duration(?:_?ms)?|elapsed(?:_?ms)?|timestamp)$/i
/** How long something took, and what the clock said. */
const TIME =
  /(?<![\d.])\d+(?:\.\d+)?(?: ?(?:[nµum]?s|secs?|seconds?|min|minutes?)|m)\b|(?<!\d)\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?|(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g

const digest = (text: string): string => createHash('sha256').update(text).digest('base64').slice(0, 22)
