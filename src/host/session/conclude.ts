/** A turn has ended: what it came to, as the run is told it. An ended turn is not yet success. */
import type { TurnEnd } from '../../drivers/index.ts'
import { bytesDigest } from '../../journal/index.ts'
import { lastCharacters } from '../../model/characters.ts'
import type { RunCommand } from '../../model/command.ts'
import { asksNothing } from '../../model/contract.ts'
import type { Fact } from '../../model/fact.ts'
import { isBounded } from '../../model/program.ts'
import { bringAsked } from '../course/bring-asked.ts'
import { boundaryNow } from '../duty/boundary.ts'
import { settle } from '../duty/duty.ts'
import { brokenOff } from '../duty/leftovers.ts'
import { judgesAt } from '../duty/patch-judge.ts'
import { orNoRoom } from '../duty/patience.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { type AnswerFiles, clearAnswers } from './answer-files.ts'
import { type AskedByFile, askByFile } from './ask-by-file.ts'
import type { Incoming } from './conversation.ts'
import type { Edges } from './edges.ts'
import { type FoundAnswer, findAnswer, receivedFact } from './find-answer.ts'
import { answeredAfter } from './ledger.ts'
import { withoutMissingFiles } from './named-files.ts'
import { agentStepOf, failed, type Prompting, parked } from './prompting.ts'
import type { Session } from './session.ts'
import { type EndedTurn, type TurnVerdict, verdictOnTurn, type WhatWasAsked } from './turn-verdict.ts'

export interface Conclusion {
  readonly session: Session
  readonly work: Prompting
  readonly loaded: LoadedRun
  readonly files: AnswerFiles
  readonly end: TurnEnd
}

type Concluded = Extract<Incoming, { kind: 'concluded' }>

const GONE: Concluded = {
  kind: 'concluded',
  wanted: false,
  answered: false,
  left: '',
  remarks: [],
  again: false,
}

export async function conclude(edges: Edges, ended: Conclusion): Promise<Concluded> {
  const { session, work, loaded, files, end } = ended
  const { seat } = session
  const clear = (): Promise<void> => edges.storage.patiently(() => clearAnswers(files))
  if (end.kind === 'limited') {
    await session.leave()
    await parked(edges, work, { until: end.until })
    return GONE
  }
  const { contract } = agentStepOf(loaded, work.duty.step)
  if (end.kind === 'crashed') {
    await session.leave()
    // Its answer was taken, and it was told so: what becomes of the program after that changes nothing.
    const found = asksNothing(contract) ? null : await findAnswer(edges, { loaded, seat, message: '' })
    if (found?.given.kind === 'value') {
      const note = `${work.duty.step}: ${work.duty.agent} had answered when it ended. ${end.detail}`
      await recordTurn(edges, { ...ended, end: AFTER_ANSWER, found, notes: [note] })
      await clear()
    } else {
      const detail = `It ended in the middle of its turn. ${end.detail}`
      const lack = orNoRoom(edges, loaded, detail)
      if (lack !== null) throw lack
      await brokenOff(edges, work, { fault: 'failed', detail })
    }
    return GONE
  }
  const found = await findAnswer(edges, { loaded, seat, message: end.text })
  const asked = found.given.kind === 'nothing' ? await askByFile(edges, work, files) : NOT_ASKED
  // Its session stays, asleep, until somebody has answered.
  if (asked.kind === 'asked') return { ...GONE, wanted: session.isOpen() }
  const endIsAnswer = asksNothing(contract)
  const verdict = judged(end, { found, asked, endIsAnswer, failures: failuresOf(edges, ended) })
  if (verdict.kind === 'silent' && session.isOpen() && session.now().silentAt !== work.duty.attempt) {
    await recordSilence(edges, ended, end)
    return { kind: 'concluded', wanted: true, answered: false, left: '', remarks: [SILENT], again: true }
  }
  if (verdict.kind !== 'ended') {
    await session.leave()
    const detail = verdict.kind === 'silent' ? STAYED_SILENT : verdict.detail
    await brokenOff(edges, work, { fault: 'failed', detail })
    await clear()
    return GONE
  }
  const remarks = await recordTurn(edges, { ...ended, end, found, notes: [] })
  await clear()
  return {
    kind: 'concluded',
    wanted: session.isOpen() && (await isWanted(edges, session)),
    answered: found.given.kind !== 'nothing',
    left: await markOf(edges, session, found),
    remarks: [...(asked.kind === 'wrong' ? [asked.message] : []), ...remarks],
    again: false,
  }
}

/** Of all that it left: what is the same twice is nothing new. */
async function markOf({ runs }: Edges, { seat }: Session, { given }: FoundAnswer): Promise<string> {
  const loaded = await runs.load(seat.run)
  const left = JSON.stringify([loaded?.commit, loaded?.artifacts, given])
  return bytesDigest(new TextEncoder().encode(left))
}

const NOT_ASKED: AskedByFile = { kind: 'nothing' }

const AFTER_ANSWER: EndedTurn = { kind: 'ended', reason: 'end_turn', text: '', toolCalls: 1 }

interface Asked extends WhatWasAsked {
  readonly found: FoundAnswer
  readonly asked: AskedByFile
}

function judged(end: EndedTurn, { found, asked, ...was }: Asked): TurnVerdict {
  if (found.given.kind !== 'nothing') return { kind: 'ended' }
  // Where nothing is asked there is no nudge to tell it with, and the end of its turn must not pass for the end of its work.
  if (asked.kind === 'wrong')
    return was.endIsAnswer ? { kind: 'failed', detail: asked.message } : { kind: 'ended' }
  return verdictOnTurn(end, was)
}

/** What its program is known for. */
function failuresOf({ programFor }: Edges, { work, loaded }: Conclusion): readonly string[] {
  const use = loaded.program.agents[work.duty.agent]?.use ?? 'default'
  return programFor(use, loaded.placed.placement.repo)?.failures ?? []
}

const SILENT =
  'Your last turn ended without a word. If the work is done, say in a sentence what you did; if it is not, go on with it.'

const STAYED_SILENT =
  'It worked, and ended its turn without a word; asked whether it is done, it did so again. Its model may have failed.'

async function recordSilence(edges: Edges, { work }: Conclusion, end: EndedTurn): Promise<void> {
  const { step, visit, member, agent } = work.duty
  const at = edges.clock.now()
  const { reason, toolCalls } = end
  const facts: Fact[] = [
    { type: 'turn.ended', at, step, visit, member, reason, toolCalls, said: '' },
    {
      type: 'host.noted',
      at,
      text: `${step}: ${agent} ended its turn without a word, and is asked whether it is done.`,
    },
  ]
  await edges.runs.execute(work.run, [{ type: 'run.record', at, facts }])
}

interface Turned extends Conclusion {
  readonly end: EndedTurn
  readonly found: FoundAnswer
  /** What else the record should say. */
  readonly notes: readonly string[]
}

/** Gives back what else it is told, should it be sent back. */
async function recordTurn(edges: Edges, turned: Turned): Promise<readonly string[]> {
  const { session, work, loaded, end, found, notes } = turned
  const { step, visit, member, attempt } = work.duty
  const endedAt = edges.clock.now()
  const left = await edges.workplaces.collectWork({
    loaded,
    step,
    visit,
    member,
    boundary: boundaryNow(loaded),
    judges: judgesAt(edges, loaded, { step, visit, signal: work.signal }),
    message: messageOf(step, work.duty.agent, found),
  })
  if ('problem' in left) {
    // A judge that was called off: whoever takes the duty up again asks it again.
    if (!work.signal.aborted) await failed(edges, work, left.problem)
    return []
  }
  const brought = isAlone(loaded, member)
    ? await bringAsked(edges, loaded, { commit: left.commit })
    : { facts: [], commands: [] }
  const at = edges.clock.now()
  const said = lastCharacters(end.text, 1000)
  const { reason, toolCalls } = end
  const { contract } = agentStepOf(loaded, step)
  const { worktree } = loaded.placed.placement
  const { given, remarks } = withoutMissingFiles(found.given, { contract, worktree })
  const { following } = session.now()
  const hasAnswered = found.given.kind !== 'nothing'
  const facts: Fact[] = [
    { type: 'turn.ended', at: endedAt, step, visit, member, reason, toolCalls, said },
    ...left.facts,
    ...brought.facts,
    ...notes.map((text): Fact => ({ type: 'host.noted', at, text })),
    ...(await receivedFact(edges, session.seat, found)),
    ...(hasAnswered && following !== null ? answeredAfter(following, at) : []),
    ...remarks.map((text): Fact => ({ type: 'host.noted', at, text: `${step}: ${text}` })),
  ]
  const address = { step, visit, member, attempt }
  // In a panel another's judge may have refused it: that is in the record, and this agent's answer counts.
  const isIts = isBounded(loaded.program, work.duty.agent)
  const words = left.words === null ? {} : { words: left.words }
  const result: RunCommand =
    left.outside.length > 0 && isIts
      ? { type: 'attempt.trespass', at, ...address, files: left.outside, ...words }
      : { type: 'attempt.answer', at, ...address, given }
  const executed = await settle(edges, work, { type: 'run.record', at, facts }, ...brought.commands, result)
  if ('refusal' in executed) await edges.runs.execute(work.run, [{ type: 'run.record', at, facts }])
  return remarks
}

/** Nobody else is at work in the same files. */
const isAlone = ({ state: { current } }: LoadedRun, member: number): boolean =>
  current?.members.every(
    ({ status }, index) => index === member || status === 'answered' || status === 'faulted',
  ) ?? true

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
async function isWanted({ runs }: Edges, { seat }: Session): Promise<boolean> {
  const current = (await runs.load(seat.run))?.state.current
  if (current?.step !== seat.step || current.number !== seat.visit) return false
  const status = current.members[seat.member]?.status
  return status === 'working' || status === 'gating'
}
