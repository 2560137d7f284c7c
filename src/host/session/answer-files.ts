/**
 * The file door: where an agent answers, or asks, that has no tools or does not use them. Each file is read once and then
 * moved to the record, so that no later visit can take it for its own.
 *
 * In a sandbox the files lie in a folder which only this agent has. Without one they lie in the worktree, under a name
 * that cannot be guessed: agents that guard themselves write nowhere else.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { RawAnswer } from '../../model/answer.ts'
import type { Holder } from '../../model/fact.ts'
import { stepOf } from '../../model/program.ts'
import type { Home } from '../machine/home.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { groundAt } from '../workspace/ground.ts'
import { removeFolder } from '../workspace/remove-folder.ts'
import { RUN_DIR } from '../workspace/run-folder.ts'
import { archiveAnswerFile, readAnswerFile } from './answer-file.ts'
import { type DecisionFile, readDecisionFile } from './decision-file.ts'
import type { Seat } from './seat.ts'

export interface AnswerFiles {
  /** In the seat's own folder. */
  readonly own: FilePair
  /** In the worktree. */
  readonly open: FilePair
  /** Null in a panel: its members share a worktree, and nobody could tell whose it is. */
  readonly vibe: string | null
  readonly record: string
  readonly worktree: string
}

export interface FilePair {
  readonly dir: string
  readonly answer: string
  /** A question to a person. */
  readonly decision: string
}

/** Those that it is told of. */
export const filesFor = ({ own, open }: AnswerFiles, held: Holder): FilePair => (held === 'none' ? open : own)

const LARGEST = 1024 * 1024

/** The file's name is bound to the visit: an older one is simply another file. */
export function answerFilesOf(
  { processEnvironment: { home } }: { readonly processEnvironment: { readonly home: Home } },
  { placed, program }: LoadedRun,
  seat: Seat,
): AnswerFiles {
  const { run, step, visit, member } = seat
  const { worktree } = placed.placement
  const place = `${step}#${visit}.${member}`
  const nonce = createHash('sha256').update(`${placed.seed}\n${run}\n${place}`).digest('hex').slice(0, 16)
  const own = join(groundAt(home, placed.placement).answers, nonce)
  return {
    own: { dir: own, answer: join(own, 'answer.json'), decision: join(own, 'decision.json') },
    open: {
      dir: worktree,
      answer: join(worktree, RUN_DIR, `answer-${nonce}.json`),
      decision: join(worktree, RUN_DIR, `decision-${nonce}.json`),
    },
    vibe: stepOf(program, step).kind === 'panel' ? null : join(worktree, '.vibe', 'decision.json'),
    record: join(home.answers, run, 'taken'),
    worktree,
  }
}

/** Nothing in any of them, or what is in the first. */
export async function answerInFiles({ own, open, vibe, worktree }: AnswerFiles): Promise<RawAnswer> {
  const files = [
    { path: own.answer, within: own.dir },
    { path: open.answer, within: worktree },
    ...(vibe === null ? [] : [{ path: vibe, within: worktree }]),
  ]
  for (const { path, within } of files) {
    const given = await readAnswerFile(path, { maxBytes: LARGEST, within })
    if (given.kind !== 'nothing') return given
  }
  return { kind: 'nothing' }
}

/** The question to a person that it wrote, and where. */
export async function decisionInFiles({
  own,
  open,
}: AnswerFiles): Promise<DecisionFile & { readonly path: string }> {
  const inOwn = await readDecisionFile(own.decision, own.dir)
  if (inOwn.kind !== 'nothing') return { ...inOwn, path: own.decision }
  return { ...(await readDecisionFile(open.decision, open.dir)), path: open.decision }
}

/** Puts every place's answer away. Called when what it said is in the journal, and before anybody is asked anew. */
export async function clearAnswers({ own, open, vibe, record }: AnswerFiles): Promise<void> {
  const paths = [
    ...[own, open].flatMap(({ dir, answer, decision }) => [
      { path: answer, within: dir },
      { path: decision, within: dir },
    ]),
    ...(vibe === null ? [] : [{ path: vibe, within: open.dir }]),
  ]
  for (const { path, within } of paths) await archiveAnswerFile(path, { record, within })
}

export const forgetAnswers = (home: Home, run: string): Promise<void> => removeFolder(join(home.answers, run))
