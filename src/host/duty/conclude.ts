/** A turn has ended: what it came to, as the run is told it. An ended turn is not yet success. */
import type { TurnEnd } from '../../drivers/index.ts'
import { lastCharacters } from '../../model/characters.ts'
import type { RunCommand } from '../../model/command.ts'
import { asksNothing } from '../../model/contract.ts'
import type { Fact } from '../../model/fact.ts'
import { type AnswerPlaces, clearAnswers, type FoundAnswer, findAnswer } from '../answers.ts'
import { answeredAfter } from '../ledger.ts'
import { withoutMissingFiles } from '../named-files.ts'
import type { LoadedRun } from '../runs.ts'
import type { Seat } from '../seat.ts'
import { settle, standing, type Tools } from './duty.ts'
import { brokenOff } from './leftovers.ts'
import { agentStepOf, failed, type Prompting, parked, writesOf } from './prompting.ts'

export interface Ended {
  readonly end: TurnEnd
  readonly places: AnswerPlaces
  /** Null: the turn ended before this host started. */
  readonly seat: Seat | null
}

export async function conclude(tools: Tools, work: Prompting, ended: Ended): Promise<void> {
  const { seat } = ended
  const concluding = concluded(tools, work, ended)
  if (seat === null) return concluding
  seat.concluding = concluding
  await concluding.finally(() => {
    seat.concluding = null
  })
}

async function concluded(tools: Tools, work: Prompting, { end, places, seat }: Ended): Promise<void> {
  const loaded = await standing(tools, work)
  if (loaded === null) return
  const leave = async (): Promise<void> => {
    if (seat !== null) await tools.seats.leave(seat)
  }
  if (end.kind === 'limited') {
    await leave()
    return parked(tools, work, end.until)
  }
  if (end.kind === 'crashed') {
    await leave()
    const detail = `It ended in the middle of its turn. ${end.detail}`
    return brokenOff(tools, work, { fault: 'failed', detail })
  }
  const found = await findAnswer(places, end.text)
  const detail = whyNothing(end, found, asksNothing(agentStepOf(loaded, work.duty.step).contract))
  if (detail !== null) {
    await leave()
    return brokenOff(tools, work, { fault: 'failed', detail })
  }
  await takeIn(tools, work, { loaded, end, found, seat })
  await clearAnswers(places)
  if (seat !== null && !(await isWanted(tools, seat))) await tools.seats.leave(seat)
}

type EndedTurn = Extract<TurnEnd, { readonly kind: 'ended' }>

/** A turn that ended without having been one. Where the end of the work is the answer, only an end of its own counts. */
function whyNothing(
  { reason, text, toolCalls }: EndedTurn,
  { given }: FoundAnswer,
  endIsAnswer: boolean,
): string | null {
  if (given.kind !== 'nothing') return null
  if (reason === 'refusal') return `The model refused to go on. ${lastCharacters(text, 1000)}`
  if (endIsAnswer && reason !== 'end_turn')
    return `Its turn was cut off (${reason}) before it was done. ${lastCharacters(text, 1000)}`
  if (toolCalls > 0) return null
  if (text.trim() === '') return 'It ended its turn without a word and without a tool call.'
  if (MODEL_ERROR.test(text) && text.length < LONGEST_ERROR)
    return `The model could not be reached: ${text.trim()}`
  return null
}

const MODEL_ERROR =
  /^\W{0,4}(?:API Error|Error:|(?:Internal|Server|Stream|Provider|Request|Network) error|Request failed|unexpected status \d{3}|Failed to (?:connect|authenticate|get response)|Invalid API key|Please run \/login|Ran into this error)/im
const LONGEST_ERROR = 1500

interface Turned {
  readonly loaded: LoadedRun
  readonly end: EndedTurn
  readonly found: FoundAnswer
  readonly seat: Seat | null
}

async function takeIn(tools: Tools, work: Prompting, { loaded, end, found, seat }: Turned): Promise<void> {
  const { step, visit, member, attempt } = work.duty
  const endedAt = tools.clock.now()
  const left = await tools.workplaces.takeIn({
    loaded,
    step,
    visit,
    member,
    writes: writesOf(loaded, step),
    message: messageOf(step, work.duty.agent, found),
  })
  if ('problem' in left) return failed(tools, work, left.problem)
  const at = tools.clock.now()
  const { via } = found
  const said = lastCharacters(end.text, 1000)
  const { reason, toolCalls } = end
  const facts: Fact[] = [
    { type: 'turn.ended', at: endedAt, step, visit, member, reason, toolCalls, said },
    ...left.facts,
  ]
  if (found.given.kind !== 'nothing') {
    const bytes = new TextEncoder().encode(
      found.given.kind === 'value' ? JSON.stringify(found.given.value) : found.given.text,
    )
    const digest = await tools.journal.keep(bytes)
    facts.push({ type: 'answer.received', at, step, visit, member, via, digest })
    if (seat?.following != null) facts.push(...answeredAfter(seat.following, at))
    if (seat !== null) seat.following = null
  }
  const { contract } = agentStepOf(loaded, step)
  const { worktree } = loaded.placed.placement
  const { given, remarks } = withoutMissingFiles(found.given, { contract, worktree })
  for (const text of remarks) facts.push({ type: 'host.noted', at, text: `${step}: ${text}` })
  if (seat !== null) seat.remarks = remarks
  const address = { step, visit, member, attempt }
  const result: RunCommand =
    left.outside.length > 0
      ? { type: 'attempt.trespass', at, ...address, files: left.outside }
      : { type: 'attempt.answer', at, ...address, given }
  const told = await settle(tools, work, { type: 'run.record', at, facts }, result)
  if ('refusal' in told) await tools.runs.tell(work.run, [{ type: 'run.record', at, facts }])
}

function messageOf(step: string, agent: string, { given }: FoundAnswer): string {
  const notes =
    given.kind === 'value' &&
    typeof given.value === 'object' &&
    given.value !== null &&
    'notes' in given.value
      ? given.value.notes
      : ''
  const line = typeof notes === 'string' ? (notes.trim().split('\n')[0] ?? '') : ''
  return `${step}: ${line === '' ? `work of ${agent}` : line.slice(0, 100)}`
}

/** Whoever may be sent back, or asked further, keeps its session. */
async function isWanted(tools: Tools, seat: Seat): Promise<boolean> {
  const current = (await tools.runs.load(seat.run))?.state.current
  if (current?.step !== seat.step || current.number !== seat.visit) return false
  const status = current.members[seat.member]?.status
  return status === 'working' || status === 'gating'
}
