/**
 * Signs that an agent goes round in circles: the same few tool calls in turn, again and again, and turns in which it makes
 * no call that it had not made before. Calls are the same where all that was told of them is, and what came of them with it.
 * Pure, and of a bounded size whatever an agent says.
 */
import { createHash } from 'node:crypto'
import type { Update } from '../../drivers/index.ts'
import { firstCharacters } from '../../model/characters.ts'

export interface Watched {
  /** Calls not finished yet, as far as they are known, by their ids. */
  readonly open: ReadonlyMap<string, Call>
  /** The last few that were finished, the latest first. */
  readonly last: readonly Call[]
  /** At `n`: how many calls in a row were each equal to the one made `n + 1` calls before it. */
  readonly echoes: readonly number[]
  /** How many were finished. */
  readonly count: number
  /** Marks of calls that it made in any turn; the first go first. */
  readonly made: readonly string[]
  /** Whether one of this turn was none of those. */
  readonly news: boolean
}

interface Call {
  /** Equal for equal calls. */
  readonly mark: string
  /** The same of what else was told of them. */
  readonly told: string
  /** Whether no more than a title is known of it. */
  readonly isTitle: boolean
  /** Whether one that ended while it was under way was taken for another one. */
  readonly hasExcused: boolean
  /** For people. */
  readonly text: string
}

/** A circle of more calls than this is not looked for: work looks like that, too. */
export const LONGEST_CIRCLE = 4
const MOST_OPEN = 50
const MOST_MARKS = 64
const LONGEST_TEXT = 200

export const NOTHING_SEEN: Watched = {
  open: new Map(),
  last: [],
  echoes: [0, 0, 0, 0],
  count: 0,
  made: [],
  news: false,
}

/** What was made before is known; whatever it does now is looked at anew. */
export const nextTurn = ({ made }: Watched): Watched => ({ ...NOTHING_SEEN, made })

/** Something came of what it did: that was no circle, and what it does from now on may be one. */
export const countAnew = (watched: Watched): Watched => {
  const { last, echoes } = NOTHING_SEEN
  return { ...watched, last, echoes }
}

export function observe(watched: Watched, update: Update): Watched {
  if (update.kind !== 'tool') return watched
  const { id, title, status, input, mark } = update
  // A later update may leave out what an earlier one said.
  const known = watched.open.get(id)
  const about = title === '' && input === undefined ? (known ?? callOf('')) : callOf(title, input)
  const hasExcused = known?.hasExcused ?? false
  const call = { ...about, told: mark ?? known?.told ?? '', hasExcused }
  if (status === 'completed' || status === 'failed') return finished(watched, id, call)
  const open = new Map(watched.open)
  open.delete(id)
  open.set(id, call)
  for (const oldest of open.keys()) {
    if (open.size <= MOST_OPEN) break
    open.delete(oldest)
  }
  return { ...watched, open }
}

function finished(watched: Watched, id: string, call: Call): Watched {
  const { last, echoes, count, made } = watched
  const open = new Map(watched.open)
  open.delete(id)
  const excuse = excuseFor(call, open)
  if (excuse !== null) open.set(excuse, { ...open.get(excuse)!, hasExcused: true })
  const mark = excuse === null ? markAtEnd(call) : digest(`${call.mark}\n${id}`)
  const isNew = !made.includes(mark)
  return {
    open,
    last: [{ ...call, mark }, ...last].slice(0, LONGEST_CIRCLE),
    echoes: echoes.map((times, before) => (last[before]?.mark === mark ? times + 1 : 0)),
    count: count + 1,
    made: isNew ? [...made, mark].slice(-MOST_MARKS) : made,
    news: watched.news || isNew,
  }
}

/**
 * Nobody makes a call again before it knows what came of it: of two at once a title says nothing of what they do. Each says so of
 * one other only: it may be under way for ever.
 */
function excuseFor({ mark, isTitle }: Call, open: Watched['open']): string | null {
  if (!isTitle) return null
  for (const [id, other] of open) if (other.mark === mark && !other.hasExcused) return id
  return null
}

const markAtEnd = ({ mark, told }: Call): string => (told === '' ? mark : `${mark}\n${told}`)

export interface Circle {
  /** In the order in which it makes them. */
  readonly calls: readonly string[]
  readonly rounds: number
}

/** The smallest that it went round so many times, without anything else in between. */
export function circleIn({ last, echoes }: Watched, mostRounds: number): Circle | null {
  for (let size = 1; size <= LONGEST_CIRCLE; size++) {
    const rounds = Math.floor((echoes[size - 1]! + size) / size)
    if (rounds >= mostRounds && last.length >= size)
      return {
        calls: last
          .slice(0, size)
          .map(({ text }) => text)
          .reverse(),
        rounds,
      }
  }
  return null
}

function callOf(title: string, input?: unknown): Omit<Call, 'hasExcused' | 'told'> {
  const text = `${title}\n${JSON.stringify(input ?? null, withoutOwnIds)}`
  const isShort = text.length <= LONGEST_TEXT
  const mark = isShort ? text : digest(text)
  const isTitle = (input ?? null) === null
  return { mark, isTitle, text: firstCharacters(text.replace('\nnull', '').replace('\n', ' '), LONGEST_TEXT) }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Some agents write the call's own id into what it is made with: it is another one each time, and says nothing of it. */
const withoutOwnIds = (key: string, value: unknown): unknown => (OWN_ID.test(key) ? undefined : value)

const OWN_ID = /^(?:(?:tool_?)?call|turn)_?id$/i
