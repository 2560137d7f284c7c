/**
 * Where an agent's answer is looked for: what it reported over MCP, which is in the journal; the file it was told to
 * write, or `.vibe/decision.json`; the JSON at the end of its last message.
 */
import { readDecision } from '../../engine/index.ts'
import { type Journal, missingBytes } from '../../journal/index.ts'
import type { RawAnswer } from '../../model/answer.ts'
import { asksNothing } from '../../model/contract.ts'
import type { Fact } from '../../model/fact.ts'
import { stepOf } from '../../model/program.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { reportedAt } from '../runs/reported.ts'
import { answerFilesOf, answerInFiles, decisionInFiles } from './answer-files.ts'
import type { Edges } from './edges.ts'
import { answerInMessage } from './fenced-json.ts'
import type { Seat } from './seat.ts'

export interface FoundAnswer {
  readonly given: RawAnswer
  readonly via: 'mcp' | 'file' | 'message'
}

export interface Looking {
  readonly loaded: LoadedRun
  readonly seat: Seat
  /** Its last message. */
  readonly message: string
}

type Needs = Pick<Edges, 'journal' | 'processEnvironment'>

export async function findAnswer(
  { journal, processEnvironment }: Needs,
  looking: Looking,
): Promise<FoundAnswer> {
  const { loaded, seat, message } = looking
  const found = await foundFirst({ journal, processEnvironment }, { loaded, seat, message })
  if (found.given.kind !== 'value') return found
  const value = await withHandoff(journal, { loaded, seat, value: found.given.value })
  return { ...found, given: { kind: 'value', value } }
}

async function foundFirst(
  { journal, processEnvironment }: Needs,
  { loaded, seat, message }: Looking,
): Promise<FoundAnswer> {
  const { answer } = reportedAt(loaded, seat)
  if (answer !== undefined)
    return { given: { kind: 'value', value: await keptJson(journal, answer) }, via: 'mcp' }
  const given = await answerInFiles(answerFilesOf({ processEnvironment }, loaded, seat))
  return given.kind === 'nothing'
    ? { given: answerInMessage(message), via: 'message' }
    : { given, via: 'file' }
}

/** What was handed off ahead stands in where the answer brings none. */
export async function withHandoff(
  journal: Pick<Journal, 'fetch'>,
  { loaded, seat, value }: { readonly loaded: LoadedRun; readonly seat: Seat; readonly value: unknown },
): Promise<unknown> {
  const { handoff } = reportedAt(loaded, seat)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'handoff' in value) return value
  return handoff === undefined ? value : { ...value, handoff: await keptJson(journal, handoff) }
}

async function keptJson(journal: Pick<Journal, 'fetch'>, digest: string): Promise<unknown> {
  const bytes = await journal.fetch(digest)
  if (bytes === null) throw missingBytes(digest)
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** The answer as it came, for the record; from then on it is no longer looked for. */
export async function receivedFact(
  { journal, clock }: Pick<Edges, 'journal' | 'clock'>,
  { step, visit, member }: Seat,
  { given, via }: FoundAnswer,
): Promise<Fact[]> {
  if (given.kind === 'nothing') return []
  const text = given.kind === 'value' ? JSON.stringify(given.value) : given.text
  const digest = await journal.keep(new TextEncoder().encode(text))
  return [{ type: 'answer.received', at: clock.now(), step, visit, member, via, digest }]
}

/** What a turn ended with before the host did, and nobody has taken up. */
export async function whatWasLeft(
  edges: Needs,
  loaded: LoadedRun,
  seat: Seat,
): Promise<'answer' | 'question' | 'nothing'> {
  const { program } = loaded
  if (!asksNothing(stepOf(program, seat.step).contract)) {
    const { given } = await findAnswer(edges, { loaded, seat, message: '' })
    if (given.kind === 'value') return 'answer'
  }
  const file = await decisionInFiles(answerFilesOf(edges, loaded, seat))
  return file.kind === 'decision' && 'decision' in readDecision(program, file.payload)
    ? 'question'
    : 'nothing'
}
