/** Why a run is where it is at a moment, in a few facts. */
import type { RunState } from '../../engine/state.ts'
import { actorText } from '../../model/answer.ts'
import type { RunDetail } from '../../model/api/runs.ts'
import { isFault } from '../../model/fault.ts'
import type { Program } from '../../model/program.ts'
import { chooseArm, type Route, targetText } from '../../model/route.ts'
import { worstFrom } from '../../runbook/proof/worst-from.ts'
import { boundsLeft } from '../course/bounds.view.ts'
import { worstText } from '../course/worst-text.ts'
import type { TimedEvent } from './axis.view.ts'
import type { RunMoment } from './moment.view.ts'
import { positionOf } from './position.view.ts'

export interface ReasonFact {
  readonly name: string
  readonly text: string
}

export function reasonsOf({ state, events }: RunMoment, program: Program | null): readonly ReasonFact[] {
  const facts = [
    { name: state.current?.step ?? state.end ?? 'not begun', text: howItCame(events) },
    { name: 'Left', text: leftText(state, program) },
    { name: 'Next', text: nextText(state, program) },
    { name: 'Still', text: stillText(state, program) },
    {
      name: 'So far',
      text: soFarText(state),
    },
  ]
  return facts.filter(({ text }) => text !== '')
}

function soFarText({ totals: { visits, dispatches, flowQuestions, agentQuestions } }: RunState): string {
  const counts = [
    [visits, 'visit'],
    [dispatches, 'dispatch'],
    [flowQuestions + agentQuestions, 'question'],
  ] as const
  return counts
    .map(
      ([count, word]) => `${count} ${count === 1 ? word : word === 'dispatch' ? 'dispatches' : `${word}s`}`,
    )
    .join(', ')
}

/** What led here last. */
function howItCame(events: readonly TimedEvent[]): string {
  for (let index = events.length - 1; index >= 0; index--) {
    const { event } = events[index]!
    if (event.type === 'run.moved')
      return `moved here by ${actorText(event.by)}${event.reason === '' ? '' : `: ${event.reason}`}`
    if (event.type === 'run.ended' && event.reason !== '') return event.reason
    if (event.type === 'visit.left')
      return `${event.step} came to ${event.outcome}${event.visit === 1 ? '' : ` in visit ${event.visit}`}`
    if (event.type === 'run.started') return 'this is where it begins'
  }
  return ''
}

/** Budgets, and the bounds of the routes that can be taken from here. */
function leftText(state: RunState, program: Program | null): string {
  const budgets = Object.entries(state.budgets).map(([name, left]) => `${name} ${left}`)
  const bounds = boundsLeft(program, state.current?.step ?? null, state).map(
    ({ outcome, left, times }) => `${left} of ${times} ${outcome}`,
  )
  return [...new Set([...bounds, ...budgets])].join(' · ')
}

/** What can still come at most, by the proof of the certificate, from here on. */
function stillText(state: RunState, program: Program | null): string {
  const position = positionOf(state)
  const from = position === null || program === null ? null : worstFrom(program, position)
  if (from === null) return ''
  const { visits, dispatches, questions } = from.worst
  return visits + dispatches + questions === 0
    ? 'nothing but its end'
    : `at most ${worstText(from.worst, true)}`
}

/** Where each outcome leads with what is left. */
function nextText(state: RunState, program: Program | null): string {
  const step = state.current === null ? undefined : program?.steps[state.current.step]
  const ways = Object.entries(step?.routes ?? {}).filter(
    ([outcome]) => !outcome.startsWith('@') && !isFault(outcome),
  )
  return ways.map(([outcome, route]) => `${outcome} → ${leadsTo(route, state)}`).join(' · ')
}

const leadsTo = (route: Route, state: Pick<RunState, 'budgets' | 'counters'>): string =>
  targetText(route.arms[chooseArm(route, state, false)]!.to)

/** How its work stands to the branch it came from. */
export function baseText(work: RunDetail['work']): string {
  if (work === null) return ''
  const { into, ahead, behind, merged } = work
  const commits = (count: number): string => `${count} ${count === 1 ? 'commit' : 'commits'}`
  const own = merged ? `${into} has all of it` : `${commits(ahead)} that ${into} has not got`
  return behind === 0 ? own : `${own}; ${into} got ${commits(behind)} since it was taken`
}
