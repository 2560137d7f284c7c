/** A turn has ended: what it came to, as the run is told it. An ended turn is not yet success. */
import { isErrorInJson, type TurnEnd } from '../../drivers/index.ts'
import { bytesDigest } from '../../journal/index.ts'
import { lastCharacters } from '../../model/characters.ts'
import { asksNothing, type Contract } from '../../model/contract.ts'
import { brokenOff } from '../duty/leftovers.ts'
import { orNoRoom } from '../duty/patience.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { type AnswerFiles, clearAnswers } from './answer-files.ts'
import { type AskedAtEnd, askByFile, askInWords, NOT_ASKED } from './ask-at-end.ts'
import type { Incoming } from './conversation.ts'
import type { Edges } from './edges.ts'
import { whetherFinished } from './end-words.ts'
import { type FoundAnswer, findAnswer } from './find-answer.ts'
import { agentStepOf, type Prompting, parked } from './prompting.ts'
import { recordTurn, turnEnded } from './record-turn.ts'
import type { Session } from './session.ts'
import {
  ENDED,
  type EndedTurn,
  type TurnVerdict,
  type Unfinished,
  verdictOnTurn,
  type WhatWasAsked,
} from './turn-verdict.ts'

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
  unclear: null,
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
      await recordTurn(edges, { ...ended, end: AFTER_ANSWER, found, notes: [note], ifUnchanged: null })
      await clear()
    } else {
      const detail = `It ended in the middle of its turn. ${end.detail}`
      const lack = orNoRoom(edges, loaded, detail)
      if (lack !== null) throw lack
      await brokenOff(edges, work, { fault: 'failed', detail })
    }
    return GONE
  }
  const found = withoutErrors(await findAnswer(edges, { loaded, seat, message: end.text }), end)
  const byFile = isAnswered(found, contract) ? NOT_ASKED : await askByFile(edges, work, files)
  const verdict = judged(end, {
    found,
    byFile,
    contract,
    failures: failuresOf(edges, ended),
    unclear: session.now().unclear,
    hasAskedInVain: session.now().declined.length > 0,
  })
  // Its session stays, asleep, until somebody has answered.
  const asleep: Concluded = { ...GONE, wanted: session.isOpen() }
  if (byFile.kind === 'asked') return asleep
  if (verdict.kind === 'question') {
    const asked = await askInWords(edges, work, messagesOf(session, end))
    if (asked.kind === 'asked') return asleep
    return endUnfinished(edges, { ...ended, end }, wrongQuestion(asked, end))
  }
  if (verdict.kind !== 'ended') return endUnfinished(edges, { ...ended, end }, verdict)
  const { ifUnchanged } = verdict
  const recorded = await recordTurn(edges, { ...ended, end, found, notes: [], ifUnchanged })
  if ('unfinished' in recorded) return endUnfinished(edges, { ...ended, end }, recorded.unfinished)
  await clear()
  return {
    ...GONE,
    wanted: session.isOpen() && (await isWanted(edges, session)),
    answered: found.given.kind !== 'nothing',
    left: await markOf(edges, session, found),
    remarks: [
      ...(byFile.kind === 'wrong' ? [byFile.message] : []),
      ...declinedForms(session),
      ...recorded.remarks,
    ],
  }
}

/** Of all that it left: what is the same twice is nothing new. */
async function markOf({ runs }: Edges, { seat }: Session, { given }: FoundAnswer): Promise<string> {
  const loaded = await runs.load(seat.run)
  const left = JSON.stringify([loaded?.commit, loaded?.artifacts, given])
  return bytesDigest(new TextEncoder().encode(left))
}

const AFTER_ANSWER: EndedTurn = { kind: 'ended', reason: 'end_turn', text: '', toolCalls: 1 }

interface Judging extends Omit<WhatWasAsked, 'endIsAnswer'> {
  readonly found: FoundAnswer
  readonly byFile: AskedAtEnd
  readonly contract: Contract
}

/** An error of the model is JSON, too. */
const withoutErrors = (found: FoundAnswer, { text }: EndedTurn): FoundAnswer =>
  found.via === 'message' && isErrorInJson(text) ? { ...found, given: { kind: 'nothing' } } : found

/** Where nothing is asked, JSON in a message answers nothing. */
const isAnswered = ({ given, via }: FoundAnswer, contract: Contract): boolean =>
  given.kind !== 'nothing' && !(via === 'message' && asksNothing(contract))

function judged(end: EndedTurn, { found, byFile, contract, ...was }: Judging): TurnVerdict {
  if (isAnswered(found, contract)) return ENDED
  const endIsAnswer = asksNothing(contract)
  // Where nothing is asked there is no nudge to tell it with, and the end of its turn must not pass for the end of its work.
  if (byFile.kind === 'wrong') return endIsAnswer ? { kind: 'failed', detail: byFile.message } : ENDED
  return verdictOnTurn(end, { ...was, endIsAnswer })
}

/** What its program is known for. */
function failuresOf({ programFor }: Edges, { work, loaded }: Conclusion): readonly string[] {
  const use = loaded.program.agents[work.duty.agent]?.use ?? 'default'
  return programFor(use, loaded.placed.placement.repo)?.failures ?? []
}

/** The message it was asked about may hold what its question is about. */
const messagesOf = (session: Session, { text }: EndedTurn): string[] => [
  session.now().unclear?.said ?? '',
  text,
]

function wrongQuestion(asked: AskedAtEnd, { text }: EndedTurn): Unfinished {
  const why = asked.kind === 'wrong' ? `\n\n${asked.message}` : ''
  return {
    kind: 'failed',
    detail: `It ended with a question for a person: ${lastCharacters(text, 1000)}${why}`,
  }
}

const declinedForms = (session: Session): string[] =>
  session
    .now()
    .declined.map(
      (reason) =>
        `A form of yours did not get its answer. ${reason}\nAsk a person as it stands under "When to ask a person", one decision for each question.`,
    )

/** It is asked once whether its work is finished; else its turn is a fault. */
async function endUnfinished(
  edges: Edges,
  { session, work, files, end }: Conclusion & { readonly end: EndedTurn },
  unfinished: Unfinished,
): Promise<Concluded> {
  if (unfinished.kind === 'unclear' && session.isOpen()) {
    const { step, attempt, agent } = work.duty
    const at = edges.clock.now()
    const text = `${step}: ${agent} ended its turn without a sign that its work is finished, and is asked.`
    const facts = [turnEnded(work, end, at), { type: 'host.noted', at, text } as const]
    await edges.runs.execute(work.run, [{ type: 'run.record', at, facts }])
    const remarks = [whetherFinished(session.forgets() ? end.text : null), ...declinedForms(session)]
    return { ...GONE, wanted: true, unclear: { attempt, said: end.text }, remarks }
  }
  await session.leave()
  const detail = unfinished.kind === 'failed' ? unfinished.detail : NOT_ASKABLE
  await brokenOff(edges, work, { fault: 'failed', detail })
  await edges.storage.patiently(() => clearAnswers(files))
  return GONE
}

const NOT_ASKABLE = 'Nothing shows that its work is finished, and its program ended before it could be asked.'

/** Whoever may be sent back, or asked further, keeps its session. */
async function isWanted({ runs }: Edges, { seat }: Session): Promise<boolean> {
  const current = (await runs.load(seat.run))?.state.current
  if (current?.step !== seat.step || current.number !== seat.visit) return false
  const status = current.members[seat.member]?.status
  return status === 'working' || status === 'gating'
}
