/**
 * A program of the host's on ground that an agent writes. It runs in a sandbox that has this ground and no network, so
 * whatever the ground makes it do stays there. The host's store is never writable in one: new objects go to a scratch
 * folder, and the host's own git takes them over from there (see scratch.ts).
 */
import { constants } from 'node:os'
import { join } from 'node:path'
import { launch, type ProcessRegistry, type Sandbox } from '../../drivers/index.ts'
import { borrowedObjects } from './borrowed-objects.ts'
import { endedBy, tooLong } from './git.ts'
import type { Ground } from './ground.ts'
import { shownGit } from './shown-git.ts'

export type Confined = (command: ConfinedCommand) => Promise<ConfinedResult>

export interface ConfinedCommand {
  readonly ground: Ground
  /** `agent`: the worktree and the agents' repository may be written; otherwise they can be read, and no more. */
  readonly writes: 'agent' | 'nothing'
  /** Beside the ground. */
  readonly also?: { readonly writable?: readonly string[]; readonly readable?: readonly string[] }
  /** The worktree by default. */
  readonly cwd?: string
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Uint8Array | string
}

export interface ConfinedResult {
  /** Null where it could not be started, or did not come to its own end. */
  readonly code: number | null
  /** See git.ts. */
  readonly cutShort: string | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface Confinement {
  /** Null: there is no sandbox, and nothing holds an agent. */
  readonly sandboxFor: (places: {
    readonly writable: readonly string[]
    readonly readable: readonly string[]
    readonly shown: Sandbox['shown']
  }) => Sandbox | null
  readonly environment: Readonly<Record<string, string>>
  readonly registry: ProcessRegistry | null
}

const LARGEST_OUTPUT = 1024 * 1024 * 1024
const LONGEST_MS = 5 * 60_000

export function createConfined({ sandboxFor, environment, registry }: Confinement): Confined {
  return async ({ ground, writes, also = {}, cwd = ground.worktree, argv, env = {}, input = '' }) => {
    const { writable, readable } = placesOf(ground)[writes]
    const places = {
      writable: [...writable, ...(also.writable ?? [])],
      readable: [...readable, ...(also.readable ?? [])],
      shown: shownGit(ground),
    }
    const running = launch(
      {
        argv,
        cwd,
        env: { ...environment, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', ...env },
        sandbox: sandboxFor(places),
      },
      { registry, label: 'git' },
    )
    running.stdin.end(input)
    const chunks: Buffer[] = []
    let size = 0
    let stopped: string | null = null
    const stop = (why: string): void => {
      stopped ??= why
      void running.stop(0)
    }
    const timer = setTimeout(() => stop(tooLong(LONGEST_MS)), LONGEST_MS)
    running.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > LARGEST_OUTPUT) stop('gave more output than can be held')
      else chunks.push(chunk)
    })
    const { code, signal, error, overLimit } = await running.exited
    // Before its pipes are waited for: a child it left behind would hold them open.
    await running.stop(0)
    await running.closed
    clearTimeout(timer)
    const limit = overLimit === null ? null : `was ended: ${overLimit.replace(/\.$/, '')}`
    const ending = signal ?? signalIn(code)
    const cutShort = limit ?? stopped ?? (ending === null ? null : endedBy(ending))
    return {
      code: cutShort === null ? code : null,
      cutShort,
      stdout: Buffer.concat(chunks),
      stderr: error ?? running.stderrTail(),
    }
  }
}

/** Why it failed, for the end of a sentence. */
export const failureOf = ({ cutShort, stderr }: ConfinedResult): string =>
  cutShort === null ? stderr.trim().slice(-500) : `git ${cutShort}.`

/** What a shell or a sandbox makes of a signal; git's own codes end with 129. */
function signalIn(code: number | null): string | null {
  if (code === null || code < 130) return null
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null
}

function placesOf({ worktree, agentRepo, store, userGitDir }: Ground) {
  const own = [worktree, agentRepo]
  const objects = borrowedObjects(join(userGitDir, 'objects'))
  return {
    agent: { writable: own, readable: [store, ...objects] },
    nothing: { writable: [], readable: [store, ...own, ...objects] },
  }
}
