/** Whether the host's own repositories stand where the record says: the branch of each run that was not discarded. */
import type { Home } from '../../host/machine/home.ts'
import { keptProgram } from '../../host/runs/kept-program.ts'
import { foldRun, type LoadedRun } from '../../host/runs/loaded-run.ts'
import { RUNS } from '../../host/runs/projection.ts'
import { streamOf } from '../../host/runs/runs.ts'
import { groundAt } from '../../host/workspace/ground.ts'
import { hasStore, tipOf } from '../../host/workspace/store.ts'
import type { JournalReader } from '../../journal/index.ts'

const MOST_RUNS = 1000

interface Finding {
  readonly about: string
  readonly state: 'good' | 'note' | 'bad'
  readonly text: string
}

/** Ended runs only: of one that goes on, a commit is made before the record names it. */
export async function storeFindings(reader: JournalReader, home: Home): Promise<Finding[]> {
  const rows = await reader.list({ model: RUNS, facet: 'ended', before: null, limit: MOST_RUNS })
  const wrong: string[] = []
  for (const { key } of rows) {
    const loaded = await loadedOf(reader, key)
    if (loaded === null || loaded.discarded) continue
    const { placement } = loaded.placed
    const ground = groundAt(home, placement)
    if (!hasStore(ground)) continue
    const tip = await tipOf(ground, placement.branch)
    if (tip !== loaded.commit)
      wrong.push(
        `run ${key} ended at ${loaded.commit.slice(0, 10)}, and its store is at ${tip.slice(0, 10) || 'no commit'}`,
      )
  }
  return wrong.length === 0 ? [] : [{ about: 'stores', state: 'bad', text: wrong.join('; ') }]
}

/** Null for one whose events or program were tampered with: that is told elsewhere. */
async function loadedOf(reader: JournalReader, run: string): Promise<LoadedRun | null> {
  try {
    return await foldRun(await reader.read(streamOf(run), 0), (digest) => keptProgram(reader, digest))
  } catch {
    return null
  }
}
