/** A run's story, one line an event that a person would tell. Pure but for the paint. */
import { causeText } from '../../engine/index.ts'
import { actorText } from '../../model/answer.ts'
import type { Evidence, RunEvent } from '../../model/event.ts'
import { firstLine, lastLine, tellingLine } from '../../model/telling-line.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { visible } from '../terminal/terminal.ts'

type Paint = Terminal['paint']

export interface TimelineEntry {
  readonly mark: string
  readonly style: Parameters<Paint>[0]
  readonly text: string
  /** Belongs to the step above it. */
  readonly inner: boolean
}

/** Null for what is only bookkeeping. */
export function entryOf(event: RunEvent): TimelineEntry | null {
  switch (event.type) {
    case 'run.placed':
      return head('▪', 'bold', `${event.name} on branch ${event.placement.branch}`)
    case 'visit.entered':
      return head('▸', 'cyan', event.visit === 1 ? event.step : `${event.step} (visit ${event.visit})`)
    case 'session.opened':
      return inner(
        '·',
        event.confined === 'none' ? 'yellow' : 'dim',
        `${event.agent} works${event.resumed ? ' on, in the session it had' : ''} (${`${event.program} ${event.version}`.trim()}${event.model === undefined ? '' : ` with ${event.model}`})${event.confined === 'none' ? ', and no sandbox holds it' : ''}`,
      )
    case 'attempt.resumed':
      return event.since > event.at
        ? inner('·', 'dim', `the clock was set back by ${elapsed(event.since - event.at)}`)
        : inner('·', 'dim', `taken up again; ${elapsed(event.at - event.since)} do not count`)
    case 'attempt.parked':
      return inner('‖', 'yellow', `usage limit: parked until ${new Date(event.until).toLocaleString()}`)
    case 'attempt.woken':
      return inner('·', 'dim', 'the usage limit has reset')
    case 'answer.refused':
      return inner('↺', 'yellow', `sent back: ${whySentBack(event)}`)
    case 'signal.held':
      return inner('↺', 'yellow', `held back: ${firstLine(event.message)}`)
    case 'answer.deferred':
      return inner('↺', 'yellow', 'its answer waits: it hears first what was said')
    case 'word.said':
      return inner('»', 'magenta', `${actorText(event.by)} says: ${firstLine(event.text)}`)
    case 'word.told':
      return inner('·', 'dim', 'it is told what was said')
    case 'gate.passed':
      return inner('✓', 'green', `gate passed${at(event.evidence.commit)}${beside(event.evidence)}`)
    case 'gate.failed':
      return inner(
        '✗',
        'red',
        `gate failed (exit code ${event.evidence.exitCode ?? 'none'}), sent back: ${tellingLine(event.evidence.output)}`,
      )
    case 'member.faulted':
      return inner('✗', 'red', `${event.fault}: ${causeText(event)}`)
    case 'boundary.held':
      return inner('!', 'yellow', `undone, outside its boundary: ${event.files.slice(0, 5).join(', ')}`)
    case 'work.committed':
      return inner('·', 'dim', `commit ${event.commit.slice(0, 9)}`)
    case 'check.reported':
      return inner(
        '·',
        'dim',
        `exit code ${event.evidence.exitCode ?? 'none'}: ${event.evidence.exitCode === 0 ? lastLine(event.evidence.output) : tellingLine(event.evidence.output)}`,
      )
    case 'question.opened':
      return inner(
        '?',
        'magenta',
        event.cause === 'fault' ? 'a person is asked what to do' : 'a person is asked',
      )
    case 'question.reminded':
      return inner(
        '?',
        'magenta',
        event.to === undefined ? 'a person was reminded' : `it lies with ${event.to} now`,
      )
    case 'question.answered':
      return inner(
        '✓',
        'green',
        `${actorText(event.by)} answered: ${[event.pick, event.note].filter((text) => text !== '').join(', ')}`,
      )
    case 'question.undone':
      return inner('↶', 'yellow', `${actorText(event.by)} took the answer back`)
    case 'question.closed':
      return inner('·', 'dim', `the question is ${event.reason}`)
    case 'visit.left':
      return inner(
        '→',
        'bold',
        `${event.outcome}${event.settled ? ' (settled)' : ''} → ${event.to}${whyLeft(event)}`,
      )
    case 'run.moved':
      return head(
        '⇢',
        'yellow',
        `moved from ${event.from} to ${event.to} by ${actorText(event.by)}${reason(event.reason)}`,
      )
    case 'run.taken':
      return head('✋', 'yellow', `taken over by ${actorText(event.by)}${reason(event.reason)}`)
    case 'run.resumed':
      return head(
        '▸',
        'yellow',
        event.how === 'back'
          ? `${actorText(event.by)} gives it back`
          : `${actorText(event.by)} has done it by hand`,
      )
    case 'budget.extended':
      return head('+', 'yellow', `${event.budget} extended by ${event.amount}${reason(event.reason)}`)
    case 'decision.outrun':
      return inner(
        '!',
        'yellow',
        `went on after it had asked${event.stopped === true ? ', and was stopped' : ''}: ${firstLine(event.did)}`,
      )
    case 'host.noted':
      return inner('!', 'yellow', event.text)
    case 'run.landed':
      return head(
        '✓',
        'green',
        event.how === 'nothing'
          ? `${event.into} has all of it (${event.commit.slice(0, 9)}), says ${actorText(event.by)}`
          : `landed in ${event.into} at ${event.commit.slice(0, 9)} by ${actorText(event.by)} (${event.how})`,
      )
    case 'base.merged':
      return head(
        '⇠',
        'cyan',
        `brought in what the base got since (${event.base.slice(0, 9)})${(event.conflicts ?? []).length === 0 ? '' : `; to be resolved: ${event.conflicts?.slice(0, 5).join(', ')}`}`,
      )
    case 'update.asked':
      return head('⇠', 'cyan', `${actorText(event.by)} wants what the base got since, when nobody is at work`)
    case 'run.discarded':
      return head('▪', 'dim', `discarded by ${actorText(event.by)}`)
    case 'run.ended':
      return head(
        event.success ? '✓' : '✗',
        event.success ? 'green' : 'red',
        `ended as ${event.end}${reason(event.reason)}`,
      )
    case 'run.started':
    case 'attempt.began':
    case 'agent.prompted':
    case 'turn.ended':
    case 'usage.recorded':
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

export function lineOf(event: RunEvent, startedAt: number, paint: Paint): string | null {
  const told = entryOf(event)
  if (told === null) return null
  const { mark, style, text, inner: isInner } = told
  const clock = paint('dim', elapsed(event.at - startedAt).padStart(8))
  return `${clock}  ${isInner ? '  ' : ''}${paint(style, mark)} ${visible(text)}`
}

const beside = ({ beside: files = [] }: Evidence): string =>
  files.length === 0 ? '' : `, beside files that git ignores: ${files.slice(0, 5).join(', ')}`

/** `1.4 s`, `3 m 20 s`, `2 h 05 m`: as exact as anybody wants to know it. */
export function elapsed(ms: number): string {
  if (ms < 59_950) return `${Math.max(0, ms / 1000).toFixed(1)} s`
  const seconds = Math.floor(Math.max(ms, 60_000) / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`
}

const head = (mark: string, style: TimelineEntry['style'], text: string): TimelineEntry => ({
  mark,
  style,
  text,
  inner: false,
})
const inner = (mark: string, style: TimelineEntry['style'], text: string): TimelineEntry => ({
  mark,
  style,
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
