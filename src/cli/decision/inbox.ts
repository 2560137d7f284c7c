/** `signalbox inbox`: the walk at a terminal. Draws, reads keys, asks the host, and hears what others answer meanwhile. */
import type { DecisionPage, ListedDecision } from '../../host/inbox/decisions.ts'
import type { Operations, Rejection } from '../../host/operations.ts'
import { actorText } from '../../model/answer.ts'
import { type DecisionRecord, isPending } from '../../model/decision-record.ts'
import { orAltered } from '../../model/failure.ts'
import { EXIT } from '../exit.ts'
import { harmless, type Terminal } from '../terminal/terminal.ts'
import { untilText } from './age.ts'
import { answeredText } from './answer.ts'
import { undoneText } from './handling.ts'
import { isHalf, keysIn } from './keys.ts'
import { folded } from './list.ts'
import { screenOf } from './screen.ts'
import { beginWalk, currentOf, type Item, press, type Walk, type WalkAction } from './walk.ts'
import { goneFrom, listed, saying, standingOn, withoutItems, withRecord } from './walk-news.ts'

export interface InboxScreen {
  readonly operations: Operations
  readonly paint: Terminal['paint']
  readonly input: NodeJS.ReadableStream & { setRawMode?: (raw: boolean) => unknown }
  readonly output: NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number }
  readonly signal: AbortSignal
  readonly now: () => number
  /** For how long an answer can be taken back before anything comes of it. */
  readonly holdMs: number
}

const PAGE = 100
const SECOND_MS = 1000

/** The exit code; what still waits makes it 3. */
export async function walkInbox(seat: InboxScreen): Promise<number> {
  const { operations, input, output, signal } = seat
  const { decisions } = operations
  let walk: Walk = beginWalk([])
  let more = false
  let leave: (code: number) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const left = new Promise<number>((resolve, reject) => {
    leave = resolve
    fail = reject
  })

  const draw = (): void => {
    const { columns = 80, rows = 24 } = output
    const { lines, ...seen } = screenOf(walk, { paint: seat.paint, columns, rows, now: seat.now(), more })
    walk = { ...walk, ...seen }
    output.write(`\u001B[H${lines.map((line) => `${harmless(line)}\u001B[K`).join('\r\n')}\u001B[J`)
  }

  /** The list as it is now, and the decision on the screen. While an answer is under way, that one looks afterwards. */
  const refresh = async (): Promise<void> => {
    const wanted = walk.at + 1 < walk.items.length || !more ? walk.items.length : walk.items.length + PAGE
    const page = await pending(operations, wanted)
    const current = currentOf(walk)
    const record = current === null ? null : await orAltered(() => decisions.show(current.id))
    if (walk.mode.kind === 'busy' || currentOf(walk)?.id !== current?.id) return
    if ('problem' in page) {
      walk = saying(walk, page.problem)
      return draw()
    }
    more = page.more
    if (current !== null && record !== null && isGone(record, seat.now()))
      walk = listed(goneFrom(walk, current.id, whyGone(record)), page.items)
    else {
      walk = listed(walk, withCurrent(page.items, current))
      if (record !== null && !('problem' in record)) walk = withRecord(walk, record)
    }
    await readCurrent()
    draw()
  }

  const readCurrent = async (): Promise<void> => {
    const item = currentOf(walk)
    if (item === null || walk.record !== null) return
    const record = await orAltered(() => decisions.show(item.id))
    walk = 'problem' in record ? saying(walk, record.problem) : withRecord(walk, record)
  }

  /** One at a time; what comes meanwhile is seen by one more. */
  const refreshSoon = coalesced(refresh, (error) => fail(error))

  /** Second after second, while there is something to take back. */
  let ticking: NodeJS.Timeout | undefined
  const tick = (): void => {
    clearTimeout(ticking)
    if (walk.last !== null && walk.last.until <= seat.now()) walk = { ...walk, last: null }
    if (walk.last !== null)
      ticking = setTimeout(() => {
        tick()
        draw()
      }, SECOND_MS)
  }

  const take = async (action: WalkAction): Promise<void> => {
    if (action.kind === 'quit') return leave(EXIT.ok)
    if (action.kind === 'interrupt') return leave(EXIT.interrupted)
    const told = await orAltered(() => done(walk, action, seat))
    walk = 'problem' in told ? saying(walk, told.problem) : told
    tick()
    await refresh()
    if (action.kind === 'undo') walk = standingOn(walk, action.id)
    await readCurrent()
  }

  let typed = ''
  const onData = (chunk: string): void => {
    typed += chunk
    if (isHalf(typed)) return
    const keys = keysIn(typed)
    typed = ''
    for (const key of keys) {
      const step = press(walk, key)
      walk = step.walk
      draw()
      const follow = step.action === null ? readCurrent() : take(step.action)
      follow.then(draw, fail)
      if (more && walk.at + 1 >= walk.items.length) refreshSoon()
    }
  }
  const onEnd = (): void => leave(EXIT.interrupted)
  const unfollow = operations.follow((event) => {
    if (event === null || ABOUT_DECISIONS.test(typeOf(event.data))) refreshSoon()
  })
  signal.addEventListener('abort', onEnd, { once: true })
  input.setRawMode?.(true)
  input.setEncoding('utf8')
  input.on('data', onData).on('end', onEnd)
  output.on('resize', draw)
  output.write(ENTER)
  input.resume()
  try {
    await refresh()
    if (walk.items.length === 0) return EXIT.ok
    const code = await left
    if (code !== EXIT.ok) return code
    const page = await decisions.list({ status: 'pending', cursor: null, limit: 1 })
    return 'problem' in page || page.rows.length === 0 ? EXIT.ok : EXIT.waiting
  } finally {
    unfollow()
    clearTimeout(ticking)
    signal.removeEventListener('abort', onEnd)
    input.off('data', onData).off('end', onEnd)
    output.off('resize', draw)
    input.setRawMode?.(false)
    input.pause()
    output.write(LEAVE)
  }
}

/** A screen of its own, no cursor, and pasted text marked as such. */
const ENTER = '\u001B[?1049h\u001B[?25l\u001B[?2004h'
const LEAVE = '\u001B[?2004l\u001B[?25h\u001B[?1049l'

const ABOUT_DECISIONS = /^(?:question|decision|answer)\./

const typeOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'type' in data ? String(data.type) : ''

interface Listed {
  readonly items: readonly Item[]
  readonly more: boolean
}

/** So many that somebody has seen, and at least a page. */
async function pending({ decisions }: Operations, wanted: number): Promise<Listed | Rejection> {
  const rows: ListedDecision[] = []
  for (let cursor: string | null = null; ; ) {
    const page: DecisionPage | Rejection = await decisions.list({ status: 'pending', cursor, limit: PAGE })
    if ('problem' in page) return page
    rows.push(...page.rows)
    cursor = page.next
    const items = folded(rows).map(({ id, group }) => ({ id, group }))
    if (cursor === null || items.length >= wanted) return { items, more: cursor !== null }
  }
}

/** What is read is not lost when the list is longer than a page. */
const withCurrent = (items: readonly Item[], current: Item | null): readonly Item[] =>
  current === null || items.some(({ id }) => id === current.id) ? items : [...items, current]

/** One whose record was changed stays on the list, and nothing can be done about it here. */
const isGone = (record: DecisionRecord | Rejection, now: number): boolean =>
  'problem' in record ? record.code !== 'altered' : !isHere(record, now)

const isHere = (record: DecisionRecord, now: number): boolean =>
  isPending(record) && (record.snoozedUntil === null || record.snoozedUntil <= now)

function whyGone(record: DecisionRecord | { readonly problem: string }): string {
  if ('problem' in record) return record.problem
  const { shown, by, pick, status, supersededBy, note } = record
  const words = note === '' ? '' : `: ${note}`
  if (by !== null)
    return `${actorText(by)} answered "${shown.headline}" ${pick === '' ? 'in words' : `with ${pick}`}${words}.`
  if (isPending(record)) return `"${shown.headline}" was put off.`
  return `"${shown.headline}" is ${status}${supersededBy === null ? '' : ` by ${supersededBy}`}.`
}

/** What the host says to it, as the next state. */
async function done(
  walk: Walk,
  action: Exclude<WalkAction, { kind: 'quit' | 'interrupt' }>,
  { operations: { decisions }, now, holdMs }: InboxScreen,
): Promise<Walk> {
  switch (action.kind) {
    case 'answer': {
      const told = await decisions.answer(action.id, { ...action.answer, holdMs })
      if ('problem' in told) return saying(walk, told.problem)
      const said = answeredText(action.answer, told.answered.length)
      const refused = told.refused.map(({ id, problem }) => ` ${id}: ${problem}`).join('')
      const until = told.undoableUntil
      const last = until === null ? null : { id: action.id, until }
      return { ...withoutItems(walk, told.answered, `${action.id} ${said}.${refused}`), last }
    }
    case 'snooze': {
      const told = await decisions.snooze(action.id, now() + action.durationMs)
      return 'problem' in told
        ? saying(walk, told.problem)
        : withoutItems(walk, [action.id], `${action.id} comes back in ${untilText(action.durationMs)}.`)
    }
    case 'assign': {
      const told = await decisions.assign(action.id, action.to)
      if ('problem' in told) return saying(walk, told.problem)
      return saying(walk, `${action.id} is for ${action.to ?? 'whoever is there'}.`)
    }
    case 'retry': {
      const told = await decisions.retry(action.id)
      if ('problem' in told) return saying(walk, told.problem)
      return withoutItems(walk, [action.id], `${action.id} is delivered again.`)
    }
    case 'undo': {
      const told = await decisions.undo(action.id)
      if ('problem' in told) return saying(walk, told.problem)
      return { ...saying(walk, `${action.id} ${undoneText(told)}.`), last: null }
    }
  }
}

function coalesced(work: () => Promise<void>, fail: (error: unknown) => void): () => void {
  let [isAtIt, isWanted] = [false, false]
  const go = async (): Promise<void> => {
    isAtIt = true
    while (isWanted) {
      isWanted = false
      await work()
    }
    isAtIt = false
  }
  return () => {
    isWanted = true
    if (!isAtIt) go().catch(fail)
  }
}
