/** A run's story, one line an event that a person would tell: for the terminal and the browser alike. */
import { actorText } from '../../model/answer.ts'
import { elapsed } from '../../model/elapsed.ts'
import type { Evidence, RunEvent } from '../../model/event.ts'
import { doubtText } from '../../model/plausible-usage.ts'
import { firstLine, lastLine, tellingLine } from '../../model/telling-line.ts'
import { causeText } from './fault-cause.ts'

/** What kind of news it is; whoever shows it has a colour or a sign for each. */
export type StoryTone = 'bad' | 'good' | 'plain' | 'question' | 'step' | 'strong' | 'warning'

export interface StoryEntry {
  readonly mark: string
  readonly tone: StoryTone
  readonly text: string
  /** Belongs to the step above it. */
  readonly inner: boolean
}

/** Null for what is only bookkeeping. */
export function storyEntry(event: RunEvent, clock: (at: number) => string): StoryEntry | null {
  switch (event.type) {
    case 'run.placed':
      return head('▪', 'strong', `${event.name} on branch ${event.placement.branch}`)
    case 'visit.entered':
      return head('▸', 'step', event.visit === 1 ? event.step : `${event.step} (visit ${event.visit})`)
    case 'session.opened':
      return inner(
        '·',
        event.confined === 'none' ? 'warning' : 'plain',
        `${event.agent} works${event.resumed ? ' on, in the session it had' : ''} (${`${event.program} ${event.version}`.trim()}${event.model === undefined ? '' : ` with ${event.model}`})${event.confined === 'none' ? ', and no sandbox holds it' : ''}`,
      )
    case 'attempt.resumed':
      return event.since > event.at
        ? inner('·', 'plain', `the clock was set back by ${elapsed(event.since - event.at)}`)
        : inner('·', 'plain', `taken up again; ${elapsed(event.at - event.since)} do not count`)
    case 'attempt.parked':
      return inner(
        '‖',
        'warning',
        `${event.reason === 'day-limit' ? 'the limit of the day is used up' : 'usage limit'}: parked until ${clock(event.until)}`,
      )
    case 'attempt.woken':
      return inner(
        '·',
        'plain',
        event.reason === 'day-limit'
          ? 'the limit of the day no longer holds it'
          : 'the usage limit has reset',
      )
    case 'usage.recorded':
      return event.doubted?.said === undefined ? null : inner('!', 'warning', doubtText(event.doubted))
    case 'answer.refused':
      return inner('↺', 'warning', `sent back: ${whySentBack(event)}`)
    case 'signal.held':
      return inner('↺', 'warning', `held back: ${firstLine(event.message)}`)
    case 'answer.deferred':
      return inner('↺', 'warning', 'its answer waits: it hears first what was said')
    case 'word.said':
      return inner('»', 'question', `${actorText(event.by)} says: ${firstLine(event.text)}`)
    case 'word.told':
      return inner('·', 'plain', 'it is told what was said')
    case 'gate.passed':
      return inner('✓', 'good', `gate passed${at(event.evidence.commit)}${beside(event.evidence)}`)
    case 'gate.failed':
      return inner(
        '✗',
        'bad',
        `gate failed (exit code ${event.evidence.exitCode ?? 'none'}), sent back: ${tellingLine(event.evidence.output)}`,
      )
    case 'member.faulted':
      return inner('✗', 'bad', `${event.fault}: ${causeText(event)}`)
    case 'boundary.held':
      return inner('!', 'warning', `undone, outside its boundary: ${event.files.slice(0, 5).join(', ')}`)
    case 'work.committed':
      return inner('·', 'plain', `commit ${event.commit.slice(0, 9)}`)
    case 'check.reported':
      return inner(
        '·',
        'plain',
        `exit code ${event.evidence.exitCode ?? 'none'}: ${event.evidence.exitCode === 0 ? lastLine(event.evidence.output) : tellingLine(event.evidence.output)}`,
      )
    case 'question.opened':
      return inner(
        '?',
        'question',
        event.cause === 'fault' ? 'a person is asked what to do' : 'a person is asked',
      )
    case 'question.reminded':
      return inner(
        '?',
        'question',
        event.to === undefined ? 'a person was reminded' : `it lies with ${event.to} now`,
      )
    case 'question.answered':
      return inner(
        '✓',
        'good',
        `${actorText(event.by)} answered: ${[event.pick, event.note].filter((text) => text !== '').join(', ')}`,
      )
    case 'question.undone':
      return inner('↶', 'warning', `${actorText(event.by)} took the answer back`)
    case 'question.closed':
      return inner('·', 'plain', `the question is ${event.reason}`)
    case 'visit.left':
      return inner(
        '→',
        'strong',
        `${event.outcome}${event.settled ? ' (settled)' : ''} → ${event.to}${whyLeft(event)}`,
      )
    case 'run.moved':
      return head(
        '⇢',
        'warning',
        `moved from ${event.from} to ${event.to} by ${actorText(event.by)}${reason(event.reason)}`,
      )
    case 'run.taken':
      return head('✋', 'warning', `taken over by ${actorText(event.by)}${reason(event.reason)}`)
    case 'run.resumed':
      return head(
        '▸',
        'warning',
        event.how === 'back'
          ? `${actorText(event.by)} gives it back`
          : `${actorText(event.by)} has done it by hand`,
      )
    case 'budget.extended':
      return head('+', 'warning', `${event.budget} extended by ${event.amount}${reason(event.reason)}`)
    case 'decision.outrun':
      return inner(
        '!',
        'warning',
        `went on after it had asked${event.stopped === true ? ', and was stopped' : ''}: ${firstLine(event.did)}`,
      )
    case 'host.noted':
      return inner('!', 'warning', event.text)
    case 'issues.changed':
      return inner('✎', 'plain', `issues changed: ${event.issues.join(', ') || 'the index'}`)
    case 'landing.begun':
      return inner('…', 'plain', `landing in ${event.into} at ${event.commit.slice(0, 9)}`)
    case 'landing.dropped':
      return inner('!', 'warning', `not landed: ${event.reason}`)
    case 'run.landed':
      return head(
        '✓',
        'good',
        event.how === 'nothing'
          ? `${event.into} has all of it (${event.commit.slice(0, 9)}), says ${actorText(event.by)}`
          : `landed in ${event.into} at ${event.commit.slice(0, 9)} by ${actorText(event.by)} (${event.how})`,
      )
    case 'base.merged':
      return head(
        '⇠',
        'step',
        `brought in what the base got since (${event.base.slice(0, 9)})${(event.conflicts ?? []).length === 0 ? '' : `; to be resolved: ${event.conflicts?.slice(0, 5).join(', ')}`}`,
      )
    case 'update.asked':
      return head('⇠', 'step', `${actorText(event.by)} wants what the base got since, when nobody is at work`)
    case 'run.discarded':
      return head('▪', 'plain', `discarded by ${actorText(event.by)}`)
    case 'run.ended':
      return head(
        event.success ? '✓' : '✗',
        event.success ? 'good' : 'bad',
        `ended as ${event.end}${reason(event.reason)}`,
      )
    case 'run.started':
    case 'attempt.began':
    case 'agent.prompted':
    case 'turn.ended':
    case 'answer.reported':
    case 'handoff.reported':
    case 'answer.received':
    case 'answer.given':
    case 'run.handed':
    case 'update.dropped':
    case 'artifact.kept':
    case 'context.gathered':
    case 'answer.held':
    case 'decision.proven':
    case 'decision.delivered':
    case 'decision.undelivered':
    case 'decision.retried':
    case 'decision.acknowledged':
    case 'decision.acted':
    case 'decision.superseded':
    case 'decision.snoozed':
    case 'decision.assigned':
      return null
  }
}

const beside = ({ beside: files = [], redefined = [] }: Evidence): string =>
  `${files.length === 0 ? '' : `, beside files that agents can change: ${files.slice(0, 5).join(', ')}`}${redefined.length === 0 ? '' : `, by files that the run changed: ${redefined.slice(0, 5).join(', ')}`}`

const head = (mark: string, tone: StoryTone, text: string): StoryEntry => ({
  mark,
  tone,
  text,
  inner: false,
})
const inner = (mark: string, tone: StoryTone, text: string): StoryEntry => ({
  mark,
  tone,
  text,
  inner: true,
})

const at = (commit: string | null): string => (commit === null ? '' : ` at ${commit.slice(0, 9)}`)
const reason = (text: string): string => (text === '' ? '' : `: ${firstLine(text)}`)

/** What came with the outcome, in a few words. */
function whyLeft({ answer, detail }: Extract<RunEvent, { type: 'visit.left' }>): string {
  const texts = [...Object.values(answer?.fields ?? {}), answer?.notes ?? '', detail]
  const first = texts.find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof first === 'string' ? `: ${firstLine(first)}` : ''
}

/** The first problem of a rejection, which begins with what it is and goes on with what would be right. */
function whySentBack({ message, validity }: Extract<RunEvent, { type: 'answer.refused' }>): string {
  if (validity === 'out-of-bounds') return 'it wrote outside its boundary'
  const problem = message.split('\n').find((line) => line.trimStart().startsWith('- '))
  return firstLine(problem?.trimStart().slice(2) ?? message)
}
