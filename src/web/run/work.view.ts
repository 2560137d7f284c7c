/** What a run left behind at a moment: commits, prompts, evidence, handoffs. Pure looks at its events. */
import type { Answer, HandedOver } from '../../model/answer.ts'
import type { Evidence, RunEvent } from '../../model/event.ts'
import type { StatusSign } from '../../model/status-sign.ts'
import type { TimedEvent } from './axis.view.ts'

export const lastCommit = (events: readonly TimedEvent[]): string | null => {
  const last = events.findLast(({ event }) => event.type === 'work.committed')
  return last?.event.type === 'work.committed' ? last.event.commit : null
}

export interface StepCommit {
  readonly commit: string
  /** The commit of the run before it; null: the run's base. */
  readonly before: string | null
  readonly label: string
}

/** What was committed, in order. */
export function commitsOf(events: readonly TimedEvent[]): readonly StepCommit[] {
  const commits: StepCommit[] = []
  for (const { event } of events) {
    if (event.type !== 'work.committed' || commits.at(-1)?.commit === event.commit) continue
    const { commit, step, visit } = event
    const label = `${visit === 1 ? step : `${step}, visit ${visit}`} (${commit.slice(0, 9)})`
    commits.push({ commit, before: commits.at(-1)?.commit ?? null, label })
  }
  return commits
}

type Prompted = Extract<RunEvent, { readonly type: 'agent.prompted' }>

export interface SentPrompt {
  readonly at: number
  readonly label: string
  readonly digest: string
}

/** Every prompt an agent got, the latest first. */
export function promptsOf(events: readonly TimedEvent[]): readonly SentPrompt[] {
  const agents = new Map<string, string>()
  const counts = new Map<string, number>()
  const prompts: SentPrompt[] = []
  for (const { event } of events) {
    if (event.type === 'session.opened') agents.set(seatOf(event), event.agent)
    if (event.type !== 'agent.prompted') continue
    const { at, step, visit, digest } = event
    const seat = seatOf(event)
    const count = (counts.get(seat) ?? 0) + 1
    counts.set(seat, count)
    const label = `${step}, visit ${visit}, ${agents.get(seat) ?? 'agent'}, prompt ${count}`
    prompts.unshift({ at, digest, label })
  }
  return prompts
}

const seatOf = ({ step, visit, member }: Pick<Prompted, 'member' | 'step' | 'visit'>): string =>
  `${step} ${visit} ${member}`

export interface ShownEvidence {
  readonly version: number
  readonly at: number
  readonly title: string
  readonly sign: StatusSign
  readonly evidence: Evidence
}

/** Gates and checks, the latest first. */
export function evidenceOf(events: readonly TimedEvent[]): readonly ShownEvidence[] {
  const shown: ShownEvidence[] = []
  let step = ''
  for (const { version, event } of events) {
    if (event.type === 'visit.entered')
      step = event.visit === 1 ? event.step : `${event.step}, visit ${event.visit}`
    const { at } = event
    if (event.type === 'gate.passed' || event.type === 'gate.failed') {
      const isPassed = event.type === 'gate.passed'
      const title = `${step}: gate ${isPassed ? 'passed' : 'failed'}`
      shown.unshift({ version, at, title, sign: isPassed ? 'done' : 'fault', evidence: event.evidence })
    }
    if (event.type === 'check.reported') {
      const { evidence } = event
      const title = `${step}: exit code ${evidence.exitCode ?? 'none'}`
      shown.unshift({ version, at, title, sign: evidence.exitCode === 0 ? 'done' : 'fault', evidence })
    }
  }
  return shown
}

export interface RefusedAnswer {
  readonly version: number
  readonly at: number
  readonly step: string
  readonly given: string
  /** What was asked, what came and what would be right, as the agent was told it. */
  readonly message: string
}

export function refusalsOf(events: readonly TimedEvent[]): readonly RefusedAnswer[] {
  const refused: RefusedAnswer[] = []
  let step = ''
  for (const { version, event } of events) {
    if (event.type === 'visit.entered') step = event.step
    if (event.type !== 'answer.refused') continue
    const { at, given, message } = event
    refused.unshift({ version, at, step, given: givenText(given), message })
  }
  return refused
}

function givenText(given: Extract<RunEvent, { readonly type: 'answer.refused' }>['given']): string {
  switch (given.kind) {
    case 'nothing':
      return 'nothing'
    case 'malformed':
      return given.text
    case 'value':
      return JSON.stringify(given.value, null, 2)
  }
}

export interface GivenAnswer {
  readonly version: number
  readonly at: number
  readonly step: string
  readonly outcome: string
  readonly answer: Answer
  readonly handoff: HandedOver | null
}

/** What each visit came to, the latest first, where it came to more than its outcome. */
export function answersOf(events: readonly TimedEvent[]): readonly GivenAnswer[] {
  return events
    .flatMap(({ version, event }) => {
      if (event.type !== 'visit.left' || event.answer === null) return []
      const { at, step, visit, outcome, answer } = event
      const name = visit === 1 ? step : `${step}, visit ${visit}`
      return [{ version, at, step: name, outcome, answer, handoff: answer.handoff }]
    })
    .reverse()
}
