/**
 * A launched process and everything that came of it. Five things tell who belongs: being known already (pid and
 * start time), a parent or a session that belongs, the mark in the environment, and the birthmark. Together they find
 * shells in sessions of their own, daemons that left their parents, and what wiped its environment as well.
 * Ourselves and those who started us never belong.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { hasBirthmark } from './birthmark.ts'
import type { Process, ProcessId } from './identity.ts'
import { type Mark, markOf } from './mark.ts'
import { isOlder, readProcessTable } from './table.ts'

export interface Family {
  /** Who of it is alive now. */
  survey(): Promise<Process[]>
}

export interface Kinship {
  readonly roots: readonly ProcessId[]
  /** Sessions that were the family's a moment ago. */
  readonly sessions: readonly number[]
  readonly bears: (mark: Mark) => boolean
  readonly birthmarks: readonly number[]
  /** All of it came of this one, so nobody older belongs; null where some of it may have come of others. */
  readonly eldest: ProcessId | null
}

export function createFamily({ roots, sessions: first, bears, birthmarks, eldest }: Kinship): Family {
  const known = new Map(roots.map(({ pid, startTime }) => [pid, startTime]))
  const isKnown = ({ pid, startTime }: ProcessId) => known.get(pid) === startTime
  let sessions = new Set(first)

  async function look(): Promise<Process[]> {
    const table = await readProcessTable()
    const own = new Set(ourselves(table))
    const candidates = table.filter(({ pid }) => !own.has(pid))
    // A leader we do not know bears a pid that came round again: the session is a stranger's.
    for (const process of table) if (!isKnown(process)) sessions.delete(process.pid)
    const kin = closure(
      candidates,
      candidates.filter((process) => isKnown(process) || sessions.has(process.session)),
    )
    const strangers = candidates.filter(
      (process) => !kin.has(process) && !(eldest !== null && isOlder(process, eldest)),
    )
    const born = strangers.filter(({ pid }) => hasBirthmark(pid, birthmarks))
    const marked = await bearersOf(
      strangers.filter((process) => !born.includes(process)),
      bears,
    )
    return [...closure(candidates, [...kin, ...born, ...marked])]
  }

  return {
    async survey() {
      const seen = await look()
      // The table is not read in one moment: who was handing over to a child may have been missed with it.
      const alive = seen.length > 0 ? seen : await look()
      for (const { pid, startTime } of alive) known.set(pid, startTime)
      sessions = new Set(alive.map(({ session }) => session).filter((session) => session > 0))
      return alive
    },
  }
}

/** A program takes far less to start, even on a busy machine. */
const STARTING_MS = 500

async function bearersOf(processes: readonly Process[], bears: Kinship['bears']): Promise<Process[]> {
  const found: Process[] = []
  const until = performance.now() + STARTING_MS
  for (let undecided = processes; ; await delay(1)) {
    const starting: Process[] = []
    for (const process of undecided) {
      const mark = markOf(process.pid)
      if (mark === 'starting') starting.push(process)
      else if (mark !== null && bears(mark)) found.push(process)
    }
    if (starting.length === 0 || performance.now() > until) return found
    undecided = starting
  }
}

/** Adds whoever has a parent or a session in the set, until nobody is added. */
function closure(candidates: readonly Process[], start: readonly Process[]): Set<Process> {
  const kin = new Set(start)
  const pids = new Set(start.map(({ pid }) => pid))
  const sessions = new Set(start.map(({ session }) => session))
  sessions.delete(0)
  for (let before = -1; before < kin.size; ) {
    before = kin.size
    for (const process of candidates) {
      if (kin.has(process) || !(pids.has(process.parent) || sessions.has(process.session))) continue
      kin.add(process)
      pids.add(process.pid)
      if (process.session > 0) sessions.add(process.session)
    }
  }
  return kin
}

/** This process and its ancestors. */
function ourselves(table: readonly Process[]): number[] {
  const parents = new Map(table.map(({ pid, parent }) => [pid, parent]))
  const line: number[] = []
  for (let pid = process.pid; pid > 0 && !line.includes(pid); pid = parents.get(pid) ?? 0) line.push(pid)
  return line
}
