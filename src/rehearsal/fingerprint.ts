/**
 * What of a state can still make a difference. Two states with the same fingerprint can do the same things from
 * here on, so the rehearsal goes on from one of them only. Notes, texts, visit numbers and times differ between
 * them and change nothing; a counter that starts again before it is next asked for changes nothing either.
 *
 * A fingerprint is two numbers, because a text for every state would be most of the work.
 */
import type { MemberState, RunState, Visit } from '../engine/state.ts'
import type { Finding } from '../model/answer.ts'
import { outcomesOf } from '../model/contract.ts'
import type { Program } from '../model/program.ts'
import { flowGraph } from '../runbook/flow-graph.ts'
import { digitsOf } from '../runbook/purse.ts'

export interface Fingerprint {
  /** Where the run stands, with the counters and budgets that matter there. */
  place(state: RunState): number
  /** How far the visit is. */
  visit(state: RunState): number
}

export function createFingerprint(program: Program): Fingerprint {
  const graph = flowGraph(program)
  const digits = digitsOf(graph)
  const named = createNumbers()

  return {
    place: (state) => {
      const { current } = state
      if (current === null) return -1 - named(`end ${state.end}`)
      const asked = current.question !== null && current.question.cause !== 'step'
      const node = (asked ? graph.asked.get(current.step) : undefined) ?? graph.work.get(current.step)!
      return digits.base[node]! + digits.codeOf(node, state)
    },
    visit: ({ current }) => {
      if (current === null) return 0
      if (current.question !== null) return 1 + current.question.reminders
      if (current.phase === 'gathering') return 0
      const [only] = current.members
      if (current.members.length === 1 && only!.status !== 'gating') return 1000 + progressOf(only!)
      return current.members.length === 0 ? 0 : -1 - named(panelText(program, current))
    },
  }
}

/** Texts get numbers in the order they are met. */
function createNumbers(): (text: string) => number {
  const numbers = new Map<string, number>()
  return (text) => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }
}

const STATUSES: readonly MemberState['status'][] = ['working', 'gating', 'parked', 'answered', 'faulted']

/** The counts of a member as digits; the radixes are above what the language allows. */
function progressOf({
  status,
  nudges,
  returns,
  holds,
  raised,
  question,
  metAt,
  limited,
}: MemberState): number {
  const flags = (question === null ? 0 : 4) + (metAt === null ? 0 : 2) + (limited ? 1 : 0)
  return ((((STATUSES.indexOf(status) * 32 + nudges) * 128 + returns) * 16 + holds) * 64 + raised) * 8 + flags
}

function panelText(program: Program, { step, members }: Visit): string {
  const { settleOn, contract } = program.steps[step]!
  let text = step
  for (const member of members) {
    const { status, answer, fault } = member
    if (status === 'faulted') text += `|!${fault}`
    else if (answer !== null) {
      const outcome = outcomesOf(contract).indexOf(answer.outcome)
      const findings =
        settleOn === null ? '' : findingsText(answer.fields[settleOn] as readonly Finding[] | undefined)
      text += `|${outcome}${findings}${status === 'gating' ? `~${progressOf(member)}` : ''}`
    } else text += `|w${progressOf(member)}`
  }
  return text
}

const findingsText = (findings: readonly Finding[] = []): string =>
  findings.map(({ severity, status }) => `${severity[0]}${status[0]}`).join('')
