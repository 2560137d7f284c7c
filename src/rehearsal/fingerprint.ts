/**
 * What of a state can still make a difference. Two states with the same fingerprint can do the same things from
 * here on, so the rehearsal goes on from one of them only. Notes, texts, visit numbers and times differ between
 * them and change nothing; a counter that starts again before it is next asked for changes nothing either.
 */
import type { MemberState, RunState } from '../engine/state.ts'
import type { Finding } from '../model/answer.ts'
import type { Program } from '../model/program.ts'
import { flowGraph } from '../runbook/flow-graph.ts'
import { liveness } from '../runbook/purse.ts'

export type Fingerprint = (state: RunState) => string

export function createFingerprint(program: Program): Fingerprint {
  const graph = flowGraph(program)
  const live = liveness(graph)
  return (state) => {
    const { current } = state
    if (current === null) return `end ${state.end}`
    const { step, phase, question, members } = current
    const asked = question !== null && question.cause !== 'step'
    const node = (asked ? graph.asked.get(step) : undefined) ?? graph.work.get(step)!
    let text = `${node}${phase === 'gathering' ? 'g' : ''}`
    if (question !== null) text += `?${question.reminders}`
    else for (const member of members) text += memberPrint(member, program, step)
    for (const counter of live.counters[node]!) text += `,${state.counters[counter] ?? 0}`
    for (const budget of live.budgets[node]!) text += `;${state.budgets[budget] ?? 0}`
    return text
  }
}

function memberPrint(member: MemberState, program: Program, step: string): string {
  const { status, answer, fault } = member
  if (status === 'faulted') return `|!${fault}`
  if (status === 'answered' || status === 'gating') {
    const settleOn = program.steps[step]!.settleOn
    const findings = settleOn === null ? '' : printOf(answer!.fields[settleOn] as readonly Finding[] | undefined)
    const outcome = `|${answer!.outcome}${findings}`
    return status === 'answered' ? outcome : `${outcome}~${counts(member)}`
  }
  return `|${status[0]}${counts(member)}${member.question === null ? '' : '?'}${member.metAt === null ? '' : 'm'}${member.limited ? 'l' : ''}`
}

const counts = ({ nudges, returns, holds, raised }: MemberState): string => `${nudges}.${returns}.${holds}.${raised}`

const printOf = (findings: readonly Finding[] = []): string =>
  findings.map(({ severity, status }) => `${severity[0]}${status[0]}`).join('')
