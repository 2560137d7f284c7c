/** What a process of a run is started with: its environment and its sandbox. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../drivers/index.ts'
import type { Home } from './home.ts'
import type { LoadedRun } from './loaded-run.ts'

export interface Surroundings {
  readonly home: Home
  /** The user's environment, which agents need for their own accounts. */
  readonly environment: Readonly<Record<string, string>>
  /** The bubblewrap program; null where there is none, or it is switched off. */
  readonly bwrap: string | null
  readonly network: boolean
  /** More places that may be written to: caches of package managers, say. */
  readonly writable: readonly string[]
  /** More that is kept out of sight: the user's Signalbox config. */
  readonly hidden: readonly string[]
}

/** What git would take from a surrounding git command, and what belongs to us. */
const OURS = /^(?:SIGNALBOX_|GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|PREFIX|NAMESPACE)$)/

export function environmentFor(
  { environment }: Surroundings,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const inherited = Object.entries(environment).filter(([name]) => !OURS.test(name))
  return { ...Object.fromEntries(inherited), ...more }
}

/** What a program needs of its own. */
export interface Needs {
  readonly keeps: readonly string[]
  /** Files it is started with. */
  readonly reads: readonly string[]
}

const NOTHING_MORE: Needs = { keeps: [], reads: [] }

/** The worktree can be written to and, because commits go there, git's data; not what git would run. */
export function sandboxFor(
  { home, bwrap, network, writable, hidden }: Surroundings,
  { placed }: LoadedRun,
  { keeps, reads }: Needs = NOTHING_MORE,
): Sandbox | null {
  if (bwrap === null) return null
  const { repo, worktree, gitDir } = placed.placement
  return {
    bwrap,
    writable: [worktree, gitDir, ...[...keeps, ...writable].map(expanded)],
    readOnly: [repo, ...reads, join(gitDir, 'config'), join(gitDir, 'hooks'), join(gitDir, 'info')],
    hidden: [home.dir, ...hidden],
    network,
  }
}

const expanded = (path: string): string => (path.startsWith('~/') ? join(homedir(), path.slice(2)) : path)
