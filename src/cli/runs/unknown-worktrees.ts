/** Files of runs that the journal does not know: it was emptied, replaced, or is another's. */
import { readdirSync } from 'node:fs'
import type { Home } from '../../host/machine/home.ts'
import type { Operations } from '../../host/operations.ts'

/** The folder of a run ends with its name. */
export const runOfWorktree = (folder: string): string => folder.slice(folder.lastIndexOf('-') + 1)

export function runsWithFiles({ worktrees, grounds }: Pick<Home, 'worktrees' | 'grounds'>): string[] {
  return [...new Set([worktrees, grounds].flatMap(namesIn).map(runOfWorktree))]
}

export const unknownText = (runs: readonly string[]): string => {
  const some = runs.slice(0, 5).join(', ')
  const many = runs.length === 1 ? 'one run' : `${runs.length} runs`
  return `files of ${many} lie beside a journal that does not know of them (${some}${runs.length > 5 ? ', …' : ''}). It was emptied or replaced: put its file back from a copy.`
}

const MOST_ASKED = 50

/** Null where the host knows them all; asked only where it has nothing else to show. */
export async function unknownWorktrees(
  home: Home,
  operations: Pick<Operations, 'find'>,
): Promise<string | null> {
  const unknown: string[] = []
  for (const run of runsWithFiles(home).slice(0, MOST_ASKED)) {
    const found = await operations.find(run)
    if ('problem' in found && found.code === 'unknown-run') unknown.push(run)
  }
  return unknown.length === 0 ? null : unknownText(unknown)
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
