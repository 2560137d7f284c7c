/** A client outside any run waits for the answer to its decision. Waiting delivers the answer. */
import { type StandaloneState, standaloneEnvelope } from '../../engine/index.ts'
import { isDayQuestion } from '../../model/day-question.ts'
import type { DeliverDecision } from '../../model/decision-command.ts'
import type { DecisionRow } from '../../model/decision-record.ts'
import type { Rejection } from '../../model/refusal.ts'
import { type WaitingEdges, waitFor } from '../streams/waiting.ts'
import { type AwaitedNeeds, withdrawForsaken } from './awaited.ts'
import type { HeardAnswer } from './decisions.ts'
import { deliver } from './deliver.ts'
import { noDecision } from './listing.ts'
import { DECISIONS } from './rows.ts'
import { isStandalone } from './standalones.ts'

export interface WaitNeeds extends WaitingEdges, Omit<AwaitedNeeds, 'home'> {
  readonly journal: AwaitedNeeds['journal']
  readonly processEnvironment: Pick<AwaitedNeeds, 'home'>
}

export interface AnswerWait {
  readonly id: string
  readonly waitMs: number
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal | undefined
}

export async function waitForAnswer(
  needs: WaitNeeds,
  wait: AnswerWait,
): Promise<HeardAnswer | Rejection | null> {
  const heard = await waitWhileConnected(needs, wait)
  if (wait.signal?.aborted === true) await withdrawOnceForsaken(needs, wait.id)
  return heard
}

async function waitWhileConnected(
  needs: WaitNeeds,
  { id, waitMs, signal }: AnswerWait,
): Promise<HeardAnswer | Rejection | null> {
  const { journal, clock, standalones } = needs
  const row = (await journal.row(DECISIONS, id))?.data as DecisionRow | undefined
  if (row === undefined) return noDecision(id)
  if (!isStandalone(row.stream))
    return { code: 'people-only', problem: 'The answer to a question of a run goes to the run.' }
  const look = async (): Promise<HeardAnswer | Rejection | null> => {
    const state = await standalones.load(row.question)
    if (state === null) return noDecision(id)
    const { status, supersededBy: by } = state.record
    if (status === 'open') return null
    if (status === 'withdrawn' || status === 'superseded')
      return { code: 'not-waiting', problem: `${id} was ${status}${by === null ? '' : ` by ${by}`}.` }
    if (status !== 'answered' && status !== 'undeliverable') return heardFrom(state)
    const { question } = row
    // The host acts on it when its hold ends. Until then it can be undone, so it is not delivered here.
    if (isDayQuestion(question)) return heardFrom(state)
    const record = (command: DeliverDecision) => standalones.execute(question, command)
    const given = await deliver(clock, { question, session: null, via: 'wait', record })
    // Return the delivered answer: the one loaded above may have been undone and replaced since.
    return given === null ? null : heardFrom(given)
  }
  return waitFor(needs, { look, concerns: ({ stream }) => stream === row.stream, waitMs, signal })
}

function heardFrom(state: StandaloneState): HeardAnswer {
  const { status, pick, note, edited, by } = state.record
  return { answered: standaloneEnvelope(state) ?? '', status, pick, note, edited, by }
}

const MAX_LOCK_CHECKS = 10
const LOCK_CHECK_MS = 100

/** The process of a client that disconnected may hold its lock for a moment longer. */
async function withdrawOnceForsaken(needs: WaitNeeds, id: string): Promise<void> {
  const { home } = needs.processEnvironment
  for (let attempt = 0; attempt < MAX_LOCK_CHECKS && !needs.closing.aborted; attempt += 1) {
    if (await withdrawForsaken({ ...needs, home }, id)) return
    await new Promise<void>((resolve) => void needs.clock.pause(LOCK_CHECK_MS, resolve))
  }
}
