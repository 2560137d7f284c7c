/** Whether the journal and the files beside it are of one another: one that was emptied or replaced knows none of the runs. */
import { existsSync } from 'node:fs'
import type { Home } from '../../host/machine/home.ts'
import { RUNS, type RunRow } from '../../host/runs/projection.ts'
import { streamOf } from '../../host/runs/runs.ts'
import type { JournalReader } from '../../journal/index.ts'
import { orAltered } from '../../model/failure.ts'
import { runsWithFiles, unknownText } from '../runs/unknown-worktrees.ts'

interface Finding {
  readonly about: 'worktrees'
  readonly state: 'good' | 'note' | 'bad'
  readonly text: string
}

const PAGE = 1_000

/** The events have the word: a list that somebody changed is told as that. */
const isKnown = async (reader: Pick<JournalReader, 'row' | 'read'>, run: string): Promise<boolean> => {
  const known = await orAltered(
    async () => (await reader.row(RUNS, run)) !== null || (await reader.read(streamOf(run), 0)).length > 0,
  )
  return known !== false
}

export async function fitFindings(
  home: Home,
  reader: Pick<JournalReader, 'row' | 'list' | 'read'>,
): Promise<Finding[]> {
  const withFiles = runsWithFiles(home)
  const unknown: string[] = []
  for (const run of withFiles) if (!(await isKnown(reader, run))) unknown.push(run)
  const open = await reader.list({ model: RUNS, facet: 'open', before: null, limit: PAGE })
  const known = new Set(withFiles)
  const bare = open
    .map(({ data }) => data as RunRow)
    .filter(({ run, status, totals }) => status !== 'waiting' && totals.dispatches > 0 && !known.has(run))
    .map(({ run }) => run)
  return [
    ...(unknown.length === 0
      ? []
      : [{ about: 'worktrees', state: 'bad', text: unknownText(unknown) } as const]),
    ...(bare.length === 0
      ? []
      : [
          {
            about: 'worktrees',
            state: 'note',
            text: `the files of ${bare.join(', ')} are gone; they are made again from the run's branch as far as it was published`,
          } as const,
        ]),
    ...(unknown.length + bare.length === 0 && withFiles.length > 0
      ? [
          {
            about: 'worktrees',
            state: 'good',
            text: `${withFiles.length}, each of a run that the journal knows`,
          } as const,
        ]
      : []),
  ]
}

/** Before there is any journal: then nobody can know them. */
export const filesWithoutJournal = (home: Home): Finding[] => {
  const runs = existsSync(home.database) ? [] : runsWithFiles(home)
  return runs.length === 0 ? [] : [{ about: 'worktrees', state: 'bad', text: unknownText(runs) }]
}
