/**
 * Copies of what the user's config names under `writable`: one for each agent of a run, and one for each command, which goes
 * with it. A gate runs what agents wrote, so gates share nothing among themselves either.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { canShowElsewhere } from '../../drivers/index.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { groundAt } from '../workspace/ground.ts'
import { removeFolder } from '../workspace/remove-folder.ts'
import { copyOf, nameOf } from './copied-places.ts'
import { type Guard, resolveGrant } from './grant.ts'
import { boundsIn } from './hold.ts'
import { expanded, type ProcessEnvironment } from './process-environment.ts'

export interface PrivateCopies {
  /** The folder they lie in. */
  readonly dir: string
  readonly tookMs: number
  remove(): Promise<void>
}

/** Null: there is nothing to copy, or no sandbox that could show copies. `agent`: kept for the whole run. */
export async function makePrivateCopies(
  processEnvironment: ProcessEnvironment,
  { placed }: Pick<LoadedRun, 'placed'>,
  agent: string | null,
): Promise<PrivateCopies | null> {
  const bounds = boundsIn(processEnvironment, placed.placement.repo)
  if ('problem' in bounds || bounds.engine === null || !canShowElsewhere(bounds.engine)) return null
  const places = grantedPlaces(bounds.rules.writable, processEnvironment)
  if (places.length === 0) return null
  const { copies } = groundAt(processEnvironment.home, placed.placement)
  const dir = join(copies, agent === null ? `command-${randomUUID()}` : `agent-${nameOf(agent)}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const begun = performance.now()
  for (const { at, real } of places) if (!existsSync(copyOf(dir, at))) await copy(real, copyOf(dir, at))
  return { dir, tookMs: performance.now() - begun, remove: () => removeFolder(dir) }
}

/** Whole or not at all. A file that goes while it is copied is left out: nothing in a cache is needed. */
async function copy(from: string, to: string): Promise<void> {
  await new Promise<void>((resolve) =>
    execFile('cp', ['-a', '--reflink=auto', '--', from, `${to}.making`], () => resolve()),
  )
  if (existsSync(`${to}.making`)) await rename(`${to}.making`, to)
}

function grantedPlaces(
  paths: readonly string[],
  { guard, userHome }: { readonly guard: Guard; readonly userHome: string },
): { readonly at: string; readonly real: string }[] {
  return paths.flatMap((path) => {
    const grant = resolveGrant(expanded(path, userHome), guard)
    return grant.kind === 'granted' ? [grant] : []
  })
}

/** What all agents and commands write together, as the config says it. Without a sandbox nothing keeps anything apart. */
export function sharedPlaces(
  processEnvironment: ProcessEnvironment,
  { placed }: Pick<LoadedRun, 'placed'>,
): string[] {
  const bounds = boundsIn(processEnvironment, placed.placement.repo)
  if ('problem' in bounds || bounds.engine === null) return []
  return bounds.rules.shared
    .filter((path) => grantedPlaces([path], processEnvironment).length > 0)
    .map((path) => `${path} (shared)`)
}
