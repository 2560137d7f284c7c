/** A turn has ended: what it came to, as the run is told it. An ended turn is not yet success. */
import type { TurnEnd } from '../../drivers/index.ts'
import { lastCharacters } from '../../model/characters.ts'
import type { RunCommand } from '../../model/command.ts'
import { asksNothing } from '../../model/contract.ts'
import type { Fact } from '../../model/fact.ts'
import { isBounded } from '../../model/program.ts'
import { type AnswerPlaces, clearAnswers, type FoundAnswer, findAnswer } from '../answers.ts'
import { answeredAfter, followedAt } from '../ledger.ts'
import type { LoadedRun } from '../loaded-run.ts'
import { withoutMissingFiles } from '../named-files.ts'
import type { Seat } from '../seat.ts'
import { type AskedByFile, askByFile } from './ask-by-file.ts'
import { boundaryNow } from './boundary.ts'
import { settle, standing, type Tools } from './duty.ts'
import { brokenOff } from './leftovers.ts'
import { judgesAt } from './patch-judge.ts'
import { agentStepOf, failed, type Prompting, parked } from './prompting.ts'

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
  const { contract } = agentStepOf(loaded, work.duty.step)
  if (end.kind === 'crashed') {
    await leave()
    // Its answer was taken, and it was told so: what becomes of the program after that changes nothing.
    const found = asksNothing(contract) ? null : await findAnswer(places, '')
    if (found?.given.kind === 'value') {
      const note = `${work.duty.step}: ${work.duty.agent} had answered when it ended. ${end.detail}`
      await takeIn(tools, work, { loaded, end: AFTER_ANSWER, found, seat, remarks: [], notes: [note] })
      return clearAnswers(places)
    }
    const detail = `It ended in the middle of its turn. ${end.detail}`
    return brokenOff(tools, work, { fault: 'failed', detail })
  }
  const found = await findAnswer(places, end.text)
  const asked = found.given.kind === 'nothing' ? await askByFile(tools, work, places) : NOT_ASKED
  // Its session stays, asleep, until somebody has answered.
  if (asked.kind === 'asked') return
  const remarks = asked.kind === 'wrong' ? [asked.message] : []
  const detail = whyNothing(end, { found, asked, endIsAnswer: asksNothing(contract) })
  if (detail !== null) {
    await leave()
    await brokenOff(tools, work, { fault: 'failed', detail })
    return clearAnswers(places)
  }
  await takeIn(tools, work, { loaded, end, found, seat, remarks, notes: [] })
  await clearAnswers(places)
  if (seat !== null && !(await isWanted(tools, seat))) await tools.seats.leave(seat)
}

const NOT_ASKED: AskedByFile = { kind: 'nothing' }

type EndedTurn = Extract<TurnEnd, { readonly kind: 'ended' }>

const AFTER_ANSWER: EndedTurn = { kind: 'ended', reason: 'end_turn', text: '', toolCalls: 1 }

/** A turn that ended without having been one. Where the end of the work is the answer, only an end of its own counts. */
function whyNothing(
  { reason, text, toolCalls }: EndedTurn,
  {
    found,
    asked,
    endIsAnswer,
  }: { readonly found: FoundAnswer; readonly asked: AskedByFile; readonly endIsAnswer: boolean },
): string | null {
  if (found.given.kind !== 'nothing') return null
  // Where nothing is asked there is no nudge to tell it with, and the end of its turn must not pass for the end of its work.
  if (asked.kind === 'wrong') return endIsAnswer ? asked.message : null
  if (reason === 'refusal') return `The model refused to go on. ${lastCharacters(text, 1000)}`
  if (endIsAnswer && reason !== 'end_turn')
    return `Its turn was cut off (${reason}) before it was done. ${lastCharacters(text, 1000)}`
  if (toolCalls > 0 && !(endIsAnswer && MODEL_ERROR.exec(text)?.index === 0)) return null
  if (text.trim() === '') return 'It ended its turn without a word and without a tool call.'
  if (MODEL_ERROR.test(text) && text.length < LONGEST_ERROR)
    return `The model could not be reached: ${text.trim()}`
  return null
}

const MODEL_ERROR =
  /^\W{0,4}(?:API Error|Error:|(?:Internal|Server|Stream|Provider|Request|Network) error|Request failed|unexpected status \d{3}|Failed to (?:connect|authenticate|get response)|Invalid API key|Please run \/login|Ran into this error|The model returned an empty response)/im
const LONGEST_ERROR = 1500

interface Turned {
  readonly loaded: LoadedRun
  readonly end: EndedTurn
  readonly found: FoundAnswer
  readonly seat: Seat | null
  /** What else it is told, should it be sent back. */
  readonly remarks: readonly string[]
  /** What else the record should say. */
  readonly notes: readonly string[]
}

async function takeIn(tools: Tools, work: Prompting, turned: Turned): Promise<void> {
  const { loaded, end, found, seat, notes } = turned
  const { step, visit, member, attempt } = work.duty
  const endedAt = tools.clock.now()
  const left = await tools.workplaces.takeIn({
    loaded,
    step,
    visit,
    member,
    boundary: boundaryNow(loaded),
    judges: judgesAt(tools, loaded, { step, visit, signal: work.signal }),
    message: messageOf(step, work.duty.agent, found),
  })
  // A judge that was called off: whoever takes the duty up again asks it again.
  if ('problem' in left) return work.signal.aborted ? undefined : failed(tools, work, left.problem)
  const at = tools.clock.now()
  const { via } = found
  const said = lastCharacters(end.text, 1000)
  const { reason, toolCalls } = end
  const facts: Fact[] = [
    { type: 'turn.ended', at: endedAt, step, visit, member, reason, toolCalls, said },
    ...left.facts,
    ...notes.map((text): Fact => ({ type: 'host.noted', at, text })),
  ]
  if (found.given.kind !== 'nothing') {
    const bytes = new TextEncoder().encode(
      found.given.kind === 'value' ? JSON.stringify(found.given.value) : found.given.text,
    )
    const digest = await tools.journal.keep(bytes)
    facts.push({ type: 'answer.received', at, step, visit, member, via, digest })
    const address = { run: work.run, step, visit, member }
    const following = seat === null ? followedAt(loaded, address) : seat.following
    if (following !== null) facts.push(...answeredAfter(following, at))
    if (seat !== null) seat.following = null
  }
  const { contract } = agentStepOf(loaded, step)
  const { worktree } = loaded.placed.placement
  const { given, remarks } = withoutMissingFiles(found.given, { contract, worktree })
  for (const text of remarks) facts.push({ type: 'host.noted', at, text: `${step}: ${text}` })
  if (seat !== null) seat.remarks = [...turned.remarks, ...remarks]
  const address = { step, visit, member, attempt }
  // In a panel another's judge may have refused it: that is in the record, and this agent's answer counts.
  const isIts = isBounded(loaded.program, work.duty.agent)
  const words = left.words === null ? {} : { words: left.words }
  const result: RunCommand =
    left.outside.length > 0 && isIts
      ? { type: 'attempt.trespass', at, ...address, files: left.outside, ...words }
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
