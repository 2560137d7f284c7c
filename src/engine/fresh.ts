/** A state that is being made out of the one before: changes on fresh copies (copy.ts), never on what came in. */
import type { Paid } from '../model/event.ts'
import { copyMember, copyVisit, type Writable } from './copy.ts'
import type { MemberState, RunState, Visit } from './state.ts'

export type Fresh = Writable<RunState>

export function withVisit(state: Fresh, change: (visit: Writable<Visit>) => void): void {
  if (state.current === null) return
  const visit = copyVisit(state.current)
  change(visit)
  state.current = visit
}

export function withMember(
  state: Fresh,
  index: number,
  change: (member: Writable<MemberState>, before: MemberState) => void,
): void {
  withVisit(state, (visit) => {
    const old = visit.members[index]
    if (old === undefined) return
    const member = copyMember(old)
    member.undo = null
    change(member, old)
    const members = visit.members.slice()
    members[index] = member
    visit.members = members
  })
}

/** Stops the clock of working time. */
export function pause(member: Writable<MemberState>, at: number): void {
  if (member.runningSince === null) return
  member.workedMs += at - member.runningSince
  member.runningSince = null
}

export function count(state: Fresh, visits: number, dispatches: number, flow: number, agents: number): void {
  const { totals } = state
  state.totals = {
    visits: totals.visits + visits,
    dispatches: totals.dispatches + dispatches,
    flowQuestions: totals.flowQuestions + flow,
    agentQuestions: totals.agentQuestions + agents,
  }
}

export function pay(state: Fresh, { counted, spent, pass, restarted }: Paid): void {
  if (restarted !== undefined) state.counters = omit(state.counters, (counter) => restarted.includes(counter))
  if (counted !== null) state.counters = { ...state.counters, [counted]: (state.counters[counted] ?? 0) + 1 }
  if (spent !== null) state.budgets = { ...state.budgets, [spent]: (state.budgets[spent] ?? 0) - 1 }
  if (pass !== null) state.counters = withoutScope(state.counters, pass)
}

export const withoutScope = <T>(record: Readonly<Record<string, T>>, scope: string): Record<string, T> =>
  omit(record, (name) => name.startsWith(scope))

function omit<T>(record: Readonly<Record<string, T>>, goes: (name: string) => boolean): Record<string, T> {
  const kept: Record<string, T> = {}
  for (const name in record) if (!goes(name)) kept[name] = record[name]!
  return kept
}
