/** What the commands about a run's work and about the record print with `--json`: the shapes of their routes. */
import { z } from 'zod'
import { Landing, Resumed, RunDiff, RunUpdate, TakenRun, WordSaid } from './course.ts'
import { EraseReport, PruneReport, Tombstone } from './record.ts'

export const PRINTED_COURSE = {
  diff: { command: 'diff RUN --json', says: 'What a run changed, whole or by step.', schema: RunDiff },
  land: {
    command: 'land RUN --json',
    says: 'Where the work of a run went, and how many gates it passed for that.',
    schema: Landing,
  },
  update: { command: 'update RUN --json', says: 'What its base got since, brought in.', schema: RunUpdate },
  say: { command: 'say RUN TEXT --json', says: 'Who is told.', schema: WordSaid },
  take: { command: 'take RUN --json', says: 'Where to work by hand.', schema: TakenRun },
  resume: { command: 'resume RUN --json', says: 'What became of that work.', schema: Resumed },
  prune: {
    command: 'prune --yes --json',
    says: 'Which runs went, and what was kept and why; without `--yes` what would go.',
    schema: PruneReport,
  },
  erase: {
    command: 'erase --yes --json',
    says: 'Where it stood, and where it still stands; without `--yes` where it stands. A run: as `prune` does.',
    schema: EraseReport,
  },
  'erase-list': {
    command: 'erase --list --json',
    says: 'What was erased and pruned.',
    schema: z.array(Tombstone),
  },
} as const
