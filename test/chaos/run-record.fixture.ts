/** One run's events, held against what no crash may change. Pure: gives back sentences, none where all is well. */
import { duties, evolve, NEW_RUN, type RunState } from '../../src/engine/index.ts'
import type { StoredEvent, Ticket } from '../../src/journal/index.ts'
import type { Certificate } from '../../src/model/certificate.ts'
import type { RunEvent } from '../../src/model/event.ts'
import type { Program } from '../../src/model/program.ts'
import { isHostile } from './hostile-flow.fixture.ts'
import { seatName } from './witness.fixture.ts'

export interface RunRecord {
  readonly run: string
  readonly program: Program
  readonly certificate: Certificate
  readonly stored: readonly StoredEvent[]
  readonly tickets: readonly Ticket[]
  /** Seats that may fault, because the suite killed their agent. */
  readonly bereaved: ReadonlySet<string>
  /** Seats whose agent may have lost its session. */
  readonly shaken: ReadonlySet<string>
}

export function problemsOfRun(record: RunRecord): string[] {
  const { run, program, certificate, stored, tickets, bereaved, shaken } = record
  const problems: string[] = []
  const tell = (problem: string): void => void problems.push(`run ${run}: ${problem}`)
  const once = createOnce(tell)
  let state: RunState = NEW_RUN
  let prompted: Readonly<Record<string, string>> = {}
  stored.forEach(({ version, data }, index) => {
    if (version !== index + 1) tell(`version ${index + 1} is missing, ${version} stands there`)
    const event = data as RunEvent
    const where = placeOf(state, event)
    once(event, where)
    const mayFault = isHostile(where.step) || bereaved.has(seatName({ run, ...where }))
    if (event.type === 'member.faulted' && !mayFault)
      tell(`${where.text} faulted (${event.fault}) for no reason of its own: ${event.detail}`)
    // Every check of the flows passes, but for the trial of a gate before there is any work.
    const isTrial = where.step.endsWith('.trial')
    if (event.type === 'check.reported' && !isTrial && event.evidence.exitCode !== 0)
      tell(`the check of ${where.text} ended with ${event.evidence.exitCode}: ${event.evidence.output}`)
    if (event.type === 'session.opened') {
      const seat = seatName({ run, ...event })
      const member = state.current?.members[event.member]
      const isThere = state.current?.step === event.step && state.current.number === event.visit
      if (!isThere || member?.status !== 'working')
        tell(`a session was opened at ${version} for ${seat}, which was not at work`)
      // An agent that ends while it takes a session up again gets a fresh one: it may have ended over the session.
      const mayBeFresh = isHostile(event.step) || bereaved.has(seat) || shaken.has(seat)
      const known = mayBeFresh ? undefined : prompted[seat]
      if (known !== undefined && (event.session !== known || !event.resumed))
        tell(`${seat} had the session ${known} and was given ${event.session}, resumed: ${event.resumed}`)
    }
    if (event.type === 'attempt.began' && event.session !== null) {
      const seat = seatName({ run, ...where })
      prompted = { ...prompted, [seat]: event.session }
    }
    state = evolve(state, event)
  })
  problems.push(...beyond(certificate, state).map((problem) => `run ${run}: ${problem}`))
  const wanted = duties(program, state).map(({ id }) => id)
  const held = tickets.map(({ id }) => id)
  for (const id of wanted) if (!held.includes(id)) tell(`nobody is told to do ${id}`)
  for (const id of held) if (!wanted.includes(id)) tell(`the ticket ${id} is for nothing`)
  return problems
}

interface Where {
  readonly step: string
  readonly visit: number
  readonly member: number
  readonly attempt: number
  readonly turn: number
  readonly text: string
}

function placeOf({ current }: RunState, event: RunEvent): Where {
  const index = 'member' in event && event.member !== null ? event.member : 0
  const member = current?.members[index]
  const [step, visit] = [current?.step ?? '', current?.number ?? 0]
  const [attempt, turn] = [member?.attempt ?? 0, member?.turn ?? 0]
  return { step, visit, member: index, attempt, turn, text: `${step}#${visit}.${index}.${attempt}.${turn}` }
}

/** What happens at most once, by what makes it the same. */
function createOnce(tell: (problem: string) => void): (event: RunEvent, where: Where) => void {
  const done = new Set<string>()
  return (event, where) => {
    // It may be answered again, and only then.
    if (event.type === 'question.undone') done.delete(endOf(event.question))
    const key = keyOf(event, where)
    if (key === null) return
    if (done.has(key)) tell(`done twice: ${key} (${event.type})`)
    done.add(key)
  }
}

function keyOf(event: RunEvent, { step, visit, member, attempt, text }: Where): string | null {
  const seat = `${step}#${visit}.${member}.${attempt}`
  switch (event.type) {
    case 'answer.given':
    case 'answer.refused':
    case 'signal.held':
      return `the answer of ${seat}`
    case 'gate.passed':
    case 'gate.failed':
      return `the gate of ${seat}`
    case 'member.faulted':
      return `the fault of ${step}#${visit}.${member}`
    case 'turn.ended':
    case 'answer.received':
      return `${event.type} ${text}`
    case 'check.reported':
    case 'context.gathered':
    case 'issues.changed':
      return `${event.type} ${step}#${visit}`
    case 'question.opened':
      return `the opening of ${event.question}`
    case 'question.answered':
    case 'question.closed':
      return endOf(event.question)
    case 'visit.entered':
    case 'visit.left':
      return `${event.type} ${event.step}#${event.visit}`
    case 'run.started':
    case 'run.placed':
    case 'run.ended':
      return event.type
    default:
      return null
  }
}

const endOf = (question: string): string => `the end of ${question}`

function beyond({ steps, worst }: Certificate, { visits, totals }: RunState): string[] {
  const { flowQuestions, agentQuestions } = totals
  const numbers: [what: string, was: number, most: number][] = [
    ...steps.map(({ step, visits: most }): [string, number, number] => [
      `visits of ${step}`,
      visits[step] ?? 0,
      most,
    ]),
    ['visits', totals.visits, worst.visits],
    ['dispatches', totals.dispatches, worst.dispatches],
    ['questions', flowQuestions + agentQuestions, worst.questions],
    ['questions of the flow', flowQuestions, worst.flowQuestions],
    ['questions of agents', agentQuestions, worst.agentQuestions],
  ]
  return numbers
    .filter(([, was, most]) => was > most)
    .map(([what, was, most]) => `${was} ${what}, and its certificate says ${most} at most`)
}
