/** What a turn left is taken in and told to the run: its files, its answer, and what follows from them. */
import { lastCharacters } from '../../model/characters.ts'
import type { RunCommand } from '../../model/command.ts'
import type { Fact } from '../../model/fact.ts'
import { isBounded } from '../../model/program.ts'
import { bringAsked } from '../course/bring-asked.ts'
import { boundaryNow } from '../duty/boundary.ts'
import { settle } from '../duty/duty.ts'
import { judgesAt } from '../duty/patch-judge.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { CollectedWork } from '../workspace/take-in-work.ts'
import type { Edges } from './edges.ts'
import { type FoundAnswer, receivedFact } from './find-answer.ts'
import { answeredAfter } from './ledger.ts'
import { withoutMissingFiles } from './named-files.ts'
import { agentStepOf, failed, type Prompting } from './prompting.ts'
import type { Session } from './session.ts'
import type { EndedTurn, Unfinished } from './turn-verdict.ts'

export interface Turned {
  readonly session: Session
  readonly work: Prompting
  readonly loaded: LoadedRun
  readonly end: EndedTurn
  readonly found: FoundAnswer
  /** What else the record should say. */
  readonly notes: readonly string[]
  /** What its end means where it changed nothing; null: what it means otherwise. */
  readonly ifUnchanged: Unfinished | null
}

export type RecordedTurn =
  /** What else it is told, should it be sent back. */
  { readonly remarks: readonly string[] } | { readonly unfinished: Unfinished }

export async function recordTurn(edges: Edges, turned: Turned): Promise<RecordedTurn> {
  const { session, work, loaded, end, found, notes, ifUnchanged } = turned
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
    return { remarks: [] }
  }
  if (ifUnchanged !== null && !hasChanged(loaded, left)) {
    const at = edges.clock.now()
    await edges.runs.execute(work.run, [{ type: 'run.record', at, facts: left.facts }])
    return { unfinished: ifUnchanged }
  }
  const brought = isAlone(loaded, member)
    ? await bringAsked(edges, loaded, { commit: left.commit })
    : { facts: [], commands: [] }
  const at = edges.clock.now()
  const { contract } = agentStepOf(loaded, step)
  const { worktree } = loaded.placed.placement
  const { given, remarks } = withoutMissingFiles(found.given, { contract, worktree })
  const { following } = session.now()
  const hasAnswered = found.given.kind !== 'nothing'
  const facts: Fact[] = [
    turnEnded(work, end, endedAt),
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
  return { remarks }
}

export function turnEnded(
  { duty: { step, visit, member } }: Prompting,
  { reason, text, toolCalls }: EndedTurn,
  at: number,
): Fact {
  return { type: 'turn.ended', at, step, visit, member, reason, toolCalls, said: lastCharacters(text, 1000) }
}

const hasChanged = (before: LoadedRun, { commit, outside, facts }: CollectedWork): boolean =>
  commit !== before.commit || outside.length > 0 || facts.some(({ type }) => type !== 'host.noted')

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
