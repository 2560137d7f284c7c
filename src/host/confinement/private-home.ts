/**
 * The home of a process in a sandbox: a folder of the run, at the place of the user's. Each agent of a run has one of
 * its own, so that none finds what another left there, and commands have one that no agent writes.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { canShowElsewhere, type Sandbox, type SandboxEngine } from '../../drivers/index.ts'
import type { Ground } from '../workspace/ground.ts'
import { isWithin } from './grant.ts'
import { SYSTEM_FOLDERS } from './toolchains.ts'

export const agentHome = ({ homes }: Ground, agent: string, member: number): string =>
  join(homes, nameOf(`${agent}\n${member}`))

/** Those that run for an agent have one beside the others': members of a panel may be prepared at the same time. */
export const commandHome = ({ homes }: Ground, agent: string | undefined): string =>
  join(homes, agent === undefined ? 'commands' : `commands-${nameOf(agent)}`)

const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

export interface PrivateHome {
  readonly home: Sandbox['home']
  /** What `HOME` is inside. */
  readonly at: string
}

export interface HomeRequest {
  readonly engine: SandboxEngine
  readonly userHome: string
  /** The folder of the run. */
  readonly folder: string
}

export function privateHome({ engine, userHome, folder }: HomeRequest): PrivateHome {
  if (canShowElsewhere(engine) && canBeCovered(userHome))
    return { home: { at: userHome, from: folder }, at: userHome }
  return { home: { at: folder, from: folder }, at: folder }
}

/** Not the root, nor a folder that programs need for themselves. */
function canBeCovered(userHome: string): boolean {
  const needed = [...SYSTEM_FOLDERS, '/dev', '/proc', '/sys', '/run', '/tmp']
  return (
    isAbsolute(userHome) &&
    !needed.some((folder) => isWithin(folder, userHome)) &&
    !SYSTEM_FOLDERS.some((folder) => isWithin(userHome, folder))
  )
}

/**
 * The folder, and in it those links of the user's home over which something granted is reached. Only directly in it: the
 * agent writes there, and a folder further in may by now be a link of its own making.
 */
export function ensureHome(folder: string, links: readonly string[], userHome: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const link of links.filter((each) => dirname(each) === userHome))
    try {
      symlinkSync(readlinkSync(link), join(folder, basename(link)))
    } catch {
      // It is there from the last time, or something of the agent's is: its own loss.
    }
}
