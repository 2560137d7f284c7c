/** What takes the room of a home, and which runs take most of it. */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Home } from '../../host/machine/home.ts'
import { runOfWorktree } from '../runs/unknown-worktrees.ts'
import { sizeText } from '../terminal/size.ts'
import { type MeasuredSize, sizeOf } from './disk-size.ts'

interface Finding {
  readonly about: 'disk used'
  readonly state: 'good' | 'note'
  readonly text: string
}

const MOST_RUNS = 3

/** `keptBytes` lie in the journal's own file. */
export async function usageFindings(home: Home, keptBytes: number | null): Promise<Finding[]> {
  const journal = await sizes([home.database, `${home.database}-wal`, `${home.database}-shm`])
  const runs = await sizesOfRuns(home)
  const parts: readonly (readonly [string, MeasuredSize])[] = [
    [keptBytes === null ? 'journal' : `journal (kept bytes ${sizeText(keptBytes)})`, journal],
    ['worktrees and their repositories', sum([...runs.values()])],
    ['what setup made', await sizeOf(home.prepared)],
    ['logs', await sizes([home.logs, join(home.dir, 'host.log')])],
    ['answers', await sizeOf(home.answers)],
  ]
  const total = sum(parts.map(([, size]) => size))
  if (total.bytes === 0) return []
  const said = parts.filter(([, { bytes }]) => bytes > 0).map(([name, size]) => `${name} ${textOf(size)}`)
  const largest = [...runs]
    .sort(([, a], [, b]) => b.bytes - a.bytes)
    .slice(0, MOST_RUNS)
    .map(([run, size]) => `${run} ${textOf(size)}`)
  return [
    { about: 'disk used', state: 'good', text: `${textOf(total)}: ${said.join(', ')}` },
    ...(runs.size < 2
      ? []
      : [{ about: 'disk used', state: 'good', text: `most of it by ${largest.join(', ')}` } as const]),
  ]
}

async function sizesOfRuns({ worktrees, grounds }: Home): Promise<Map<string, MeasuredSize>> {
  const byRun = new Map<string, MeasuredSize>()
  for (const folder of [worktrees, grounds].flatMap(entriesOf)) {
    const run = runOfWorktree(basename(folder))
    byRun.set(run, sum([byRun.get(run) ?? NOTHING, await sizeOf(folder)]))
  }
  return byRun
}

const NOTHING: MeasuredSize = { bytes: 0, isWhole: true }

const sizes = async (paths: readonly string[]): Promise<MeasuredSize> =>
  sum(await Promise.all(paths.map(sizeOf)))

const sum = (all: readonly MeasuredSize[]): MeasuredSize => ({
  bytes: all.reduce((total, { bytes }) => total + bytes, 0),
  isWhole: all.every(({ isWhole }) => isWhole),
})

const textOf = ({ bytes, isWhole }: MeasuredSize): string =>
  `${isWhole ? '' : 'more than '}${sizeText(bytes)}`

function entriesOf(dir: string): string[] {
  try {
    return readdirSync(dir).map((name) => join(dir, name))
  } catch {
    return []
  }
}
