/**
 * Where an agent's answer is looked for: what it reported over MCP, the file it was told to write, `.vibe/decision.json`,
 * the JSON at the end of its last message. Each place is read once and then moved to the record, so that no later
 * visit can take it for its own.
 *
 * In a sandbox that file lies in a folder which only this agent has. Without one it lies in the worktree, under a name
 * that cannot be guessed: agents that guard themselves write nowhere else.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Given } from '../model/answer.ts'
import type { Holder } from '../model/fact.ts'
import { stepOf } from '../model/program.ts'
import { answerInMessage } from './fenced-json.ts'
import type { Home } from './home.ts'
import type { LoadedRun } from './loaded-run.ts'
import { archiveAnswerFile, readAnswerFile } from './workspace/answer-file.ts'
import { type DecisionFile, readDecisionFile } from './workspace/decision-file.ts'
import { groundAt } from './workspace/ground.ts'
import { RUN_DIR } from './workspace/run-folder.ts'

export interface SeatAddress {
  readonly run: string
  readonly step: string
  readonly visit: number
  readonly member: number
}

export interface AnswerPlaces {
  /** Outside the worktree: nobody but us writes there. */
  readonly mcp: string
  /** In the seat's own folder. */
  readonly own: AnswerFiles
  /** In the worktree. */
  readonly open: AnswerFiles
  /** Null in a panel: its members share a worktree, and nobody could tell whose it is. */
  readonly vibe: string | null
  /** What was handed off ahead of the answer. */
  readonly handoff: string
  readonly record: string
  readonly worktree: string
}

/** What an agent writes that has no tools, or does not use them. */
export interface AnswerFiles {
  readonly dir: string
  readonly answer: string
  /** A question to a person. */
  readonly decision: string
}

/** Those that it is told of. */
export const filesFor = ({ own, open }: AnswerPlaces, held: Holder): AnswerFiles =>
  held === 'none' ? open : own

export interface FoundAnswer {
  readonly given: Given
  readonly via: 'mcp' | 'file' | 'message'
}

const LARGEST = 1024 * 1024

/** Answers are recorded as answers; they are no artifacts of a run. */
export const isAnswerFile = (name: string): boolean => /^(?:answer|decision)-[0-9a-f]{16}\.json$/.test(name)

/** The file's name is bound to the visit: an older one is simply another file. */
export function answerPlaces(home: Home, { placed, program }: LoadedRun, address: SeatAddress): AnswerPlaces {
  const { run, step, visit, member } = address
  const { worktree } = placed.placement
  const seat = `${step}#${visit}.${member}`
  const nonce = createHash('sha256').update(`${placed.seed}\n${run}\n${seat}`).digest('hex').slice(0, 16)
  const own = join(groundAt(home, placed.placement).answers, nonce)
  return {
    mcp: join(home.answers, run, `${nonce}.json`),
    own: { dir: own, answer: join(own, 'answer.json'), decision: join(own, 'decision.json') },
    open: {
      dir: worktree,
      answer: join(worktree, RUN_DIR, `answer-${nonce}.json`),
      decision: join(worktree, RUN_DIR, `decision-${nonce}.json`),
    },
    handoff: join(home.answers, run, `${nonce}.handoff.json`),
    vibe: stepOf(program, step).kind === 'panel' ? null : join(worktree, '.vibe', 'decision.json'),
    record: join(home.answers, run, 'taken'),
    worktree,
  }
}

export async function findAnswer(places: AnswerPlaces, message: string): Promise<FoundAnswer> {
  const { given, via } = await foundIn(places, message)
  if (given.kind !== 'value') return { given, via }
  return { given: { kind: 'value', value: await withHandoff(places, given.value) }, via }
}

/** What was handed off ahead stands in where the answer brings none. */
export async function withHandoff({ handoff }: AnswerPlaces, value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'handoff' in value) return value
  const handed = await readAnswerFile(handoff, { maxBytes: LARGEST, within: dirname(handoff) })
  return handed.kind === 'value' ? { ...value, handoff: handed.value } : value
}

async function foundIn(places: AnswerPlaces, message: string): Promise<FoundAnswer> {
  const mcp = await readAnswerFile(places.mcp, { maxBytes: LARGEST, within: dirname(places.mcp) })
  if (mcp.kind !== 'nothing') return { given: mcp, via: 'mcp' }
  const { own, open, vibe, worktree } = places
  const files = [
    { path: own.answer, within: own.dir },
    { path: open.answer, within: worktree },
    ...(vibe === null ? [] : [{ path: vibe, within: worktree }]),
  ]
  for (const { path, within } of files) {
    const given = await readAnswerFile(path, { maxBytes: LARGEST, within })
    if (given.kind !== 'nothing') return { given, via: 'file' }
  }
  return { given: answerInMessage(message), via: 'message' }
}

/** The question to a person that it wrote, and where. */
export async function findDecision({
  own,
  open,
}: AnswerPlaces): Promise<DecisionFile & { readonly path: string }> {
  const inOwn = await readDecisionFile(own.decision, own.dir)
  if (inOwn.kind !== 'nothing') return { ...inOwn, path: own.decision }
  return { ...(await readDecisionFile(open.decision, open.dir)), path: open.decision }
}

/** Puts every place's answer away. Called when what it said is in the journal, and before anybody is asked anew. */
export async function clearAnswers(places: AnswerPlaces): Promise<void> {
  const { mcp, own, open, vibe, record } = places
  const paths = [
    { path: mcp, within: dirname(mcp) },
    ...[own, open].flatMap(({ dir, answer, decision }) => [
      { path: answer, within: dir },
      { path: decision, within: dir },
    ]),
    ...(vibe === null ? [] : [{ path: vibe, within: open.dir }]),
  ]
  for (const { path, within } of paths) await archiveAnswerFile(path, { record, within })
}

/** An answer over MCP, kept until the agent's turn ends. */
export const storeAnswer = ({ mcp }: AnswerPlaces, value: unknown): Promise<void> => store(mcp, value)

/** Kept for the whole visit: whoever asks a person in between, or is sent back, need not hand it off again. */
export const storeHandoff = ({ handoff }: AnswerPlaces, value: unknown): Promise<void> =>
  store(handoff, value)

/** Whole or not at all, also where an agent reports twice at the same moment. */
async function store(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, JSON.stringify(value), { flush: true })
  await rename(draft, path)
}

export const forgetAnswers = (home: Home, run: string): Promise<void> =>
  rm(join(home.answers, run), { recursive: true, force: true })
