/**
 * An agent's decision, raised with its proof in the same breath: the call as it came, what its session had been told,
 * and what of the decision had stood there already. Whichever door an agent asks through, it comes by here.
 */
import { dictatedTexts, nextQuestion, seatName } from '../../engine/index.ts'
import { bytesDigest, type Claim } from '../../journal/index.ts'
import type { Address } from '../../model/command.ts'
import type { DecisionForm } from '../../model/decision-form.ts'
import type { Proof } from '../../model/proof.ts'
import type { RefusalCode } from '../../model/refusal.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { createKeyedMutex } from '../streams/keyed-mutex.ts'
import type { Edges } from './edges.ts'

export interface Raising {
  readonly run: string
  readonly address: Address
  readonly payload: unknown
  readonly form?: DecisionForm
  readonly door: Proof['door']
  /** The call exactly as it was received. */
  readonly call: string | Uint8Array
  /** Told the id it will have, before anybody can answer it. */
  readonly foresee?: (question: string) => void
  /** Settled with it, where somebody's duty ends so. */
  readonly claim?: Claim
}

export type Raised =
  | { readonly raised: string }
  | { readonly rejected: string; readonly code: RefusalCode }
  /** Another worker has the duty now. */
  | { readonly lost: true }

// The proof names the question before it is asked: of two that come at once, the second must see the first.
const inTurn = createKeyedMutex()

type Needs = Pick<Edges, 'runs' | 'journal' | 'clock'>

export function raiseDecision(needs: Needs, raising: Raising): Promise<Raised> {
  const { step, visit, member } = raising.address
  return inTurn(`${raising.run}/${seatName(step, visit, member)}`, () => raise(needs, raising))
}

async function raise({ runs, journal, clock }: Needs, raising: Raising): Promise<Raised> {
  const { run, address, payload, form, door, foresee, claim = null } = raising
  const asked = form === undefined ? { payload } : { payload, form }
  const loaded = await runs.load(run)
  if (loaded === null) return { rejected: `There is no run ${run}.`, code: 'not-started' }
  const prompts = promptsOf(loaded, address)
  const dictated = dictatedTexts(payload, await textsOf(journal, prompts))
  const bytes = bytesOf(raising.call)
  const at = clock.now()
  const { step, visit, member } = address
  const raisedBefore = loaded.state.current?.members[member]?.raised ?? 0
  const question = nextQuestion(seatName(step, visit, member), raisedBefore)
  foresee?.(question)
  const proof: Proof = { door, call: bytesDigest(bytes), prompts, dictated }
  const executed = await runs.execute(
    run,
    [
      { type: 'attempt.ask', at, ...address, ...asked },
      { type: 'run.record', at, facts: [{ type: 'decision.proven', at, question, proof }] },
    ],
    { settle: claim, keep: [bytes] },
  )
  if ('refusal' in executed) return { rejected: executed.refusal.message, code: executed.refusal.code }
  if ('lost' in executed) return { lost: true }
  return { raised: question }
}

function promptsOf({ state, prompted }: LoadedRun, { step, visit, member }: Address): readonly string[] {
  const { current } = state
  return current?.step === step && current.number === visit ? (prompted[member] ?? []) : []
}

async function textsOf(journal: Needs['journal'], digests: readonly string[]): Promise<string[]> {
  const kept = await Promise.all(digests.map((digest) => journal.fetch(digest)))
  return kept.map((bytes) => (bytes === null ? '' : new TextDecoder().decode(bytes)))
}

const bytesOf = (call: string | Uint8Array): Uint8Array =>
  typeof call === 'string' ? new TextEncoder().encode(call) : call
