/**
 * Which runs wait for the day to be over, or once did: so that whoever wakes or ends them reads those runs and no others,
 * however many are open.
 */
import type { RunState } from '../../engine/index.ts'
import type { JournalReader, Row } from '../../journal/index.ts'
import type { Address } from '../../model/command.ts'

export const DAY_WAITS = 'day-wait'

type Facet = 'waiting' | 'went-on'

/** A run as far as it matters here. */
interface Waiter {
  readonly run: string
  readonly state: RunState
  /** When the limit of a day parked somebody in it last; null: never. */
  readonly dayParkedAt: number | null
}

/** The agents that wait. Whom a limit of its model has parked waits for something else. */
export function waitingIn({ state: { current } }: Pick<Waiter, 'state'>): Address[] {
  return (current?.members ?? []).flatMap(({ status, parkedFor, attempt }, member) =>
    status === 'parked' && parkedFor === 'day-limit'
      ? [{ step: current!.step, visit: current!.number, member, attempt }]
      : [],
  )
}

export function dayWaitRows(now: Waiter, before: Waiter | null): Row[] {
  const row = rowOf(now)
  if (row === null) return []
  const old = before === null ? null : rowOf(before)
  const isAsItWas =
    old !== null &&
    old.facet === row.facet &&
    old.rank === row.rank &&
    (old.data === null) === (row.data === null)
  return isAsItWas ? [] : [row]
}

/** An ended run waits for nothing, and nobody can end it again. */
function rowOf(waiter: Waiter): Row | null {
  const { run: key, state, dayParkedAt: rank } = waiter
  if (rank === null) return null
  const facet: Facet = waitingIn(waiter).length > 0 ? 'waiting' : 'went-on'
  return { model: DAY_WAITS, key, facet, rank, data: state.status === 'ended' ? null : { parkedAt: rank } }
}

type Lists = Pick<JournalReader, 'list' | 'count'>

export const isAnyWaiting = async (journal: Lists): Promise<boolean> =>
  (await journal.count(DAY_WAITS, 'waiting' satisfies Facet)) > 0

export const waitingRuns = (journal: Lists): Promise<readonly string[]> =>
  keysOf(journal, { facet: 'waiting', since: 0 })

/** Open runs in which somebody was parked since then, also if they have gone on. */
export const parkedRunsSince = (journal: Lists, since: number): Promise<readonly string[]> =>
  keysOf(journal, { facet: null, since })

const PAGE = 200

/** All of them before anything is done about one, for that moves its row. */
async function keysOf(
  journal: Lists,
  { facet, since }: { readonly facet: Facet | null; readonly since: number },
): Promise<readonly string[]> {
  const keys: string[] = []
  for (let before: { rank: number; key: string } | null = null; ; ) {
    const rows: Row[] = await journal.list({ model: DAY_WAITS, facet, before, limit: PAGE })
    keys.push(...rows.filter(({ rank }) => rank >= since).map(({ key }) => key))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE || last.rank < since) return keys
    before = { rank: last.rank, key: last.key }
  }
}
