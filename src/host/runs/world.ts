/** What a text can look up beyond the run's own record: where it works, its issue, its agent, files of the worktree. */
import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { lookupIn } from '../../engine/index.ts'
import type { Lookup } from '../../model/template.ts'
import { placeIn } from '../inside/place.ts'
import { readInside } from '../inside/read-inside.ts'
import type { LoadedRun } from './loaded-run.ts'
import { recordedWorld } from './recorded-world.ts'

export interface AgentInView {
  readonly id: string
  readonly name: string
  readonly use: string
  /** What the runbook says; empty where it does not. */
  readonly model: string
  readonly session: string
}

const NOBODY: AgentInView = { id: '', name: '', use: '', model: '', session: '' }

/** Everything a text of this run can look up. */
export const lookupOf = (loaded: LoadedRun, agent: AgentInView = NOBODY): Lookup =>
  lookupIn(loaded.state, worldOf(loaded, agent))

export function worldOf(loaded: LoadedRun, agent: AgentInView = NOBODY): Lookup {
  const recorded = recordedWorld(loaded)
  return (ref) => {
    switch (ref.kind) {
      case 'agent':
        return agent[ref.field as keyof AgentInView]
      case 'file':
        return fileIn(loaded.placed.placement.worktree, ref.path)
      default:
        return recorded(ref)
    }
  }
}

const MAX_FILE_BYTES = 256 * 1024

/** A regular file of the worktree, by a path in it or an absolute one. */
export function isFileInside(worktree: string, path: string): boolean {
  try {
    const real = placeInside(worktree, resolve(worktree, path))
    return real !== undefined && statSync(real).isFile()
  } catch {
    return false
  }
}

/** Where a path really leads; nothing outside the worktree, whatever links say. */
function placeInside(worktree: string, path: string): string | undefined {
  const real = realpathSync(path)
  const inside = relative(realpathSync(worktree), real)
  return inside === '..' || inside.startsWith('../') || isAbsolute(inside) ? undefined : real
}

/** A file of the worktree, as far as it goes. */
function fileIn(worktree: string, path: string): string | undefined {
  const place = placeIn(worktree, path)
  const read = 'why' in place ? place : readInside(place, { maxBytes: MAX_FILE_BYTES, beyond: 'cut' })
  return 'why' in read ? undefined : Buffer.from(read.bytes).toString('utf8')
}
