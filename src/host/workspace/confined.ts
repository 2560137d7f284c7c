/**
 * A program on ground that an agent writes: it runs in the sandbox that the agent has, so that whatever the ground makes
 * it do stays there.
 */
import { join } from 'node:path'
import { launch, type ProcessRegistry, type Sandbox } from '../../drivers/index.ts'
import { borrowedObjects } from './borrowed-objects.ts'
import type { Ground } from './ground.ts'

export type Confined = (command: ConfinedCommand) => Promise<ConfinedResult>

export interface ConfinedCommand {
  readonly ground: Ground
  /** `agent`: the worktree and the agent's repository may be written; `store`: only the host's own. */
  readonly writes: 'agent' | 'store' | 'nothing'
  /** Beside the ground. */
  readonly also?: { readonly writable?: readonly string[]; readonly readable?: readonly string[] }
  /** The worktree by default. */
  readonly cwd?: string
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Uint8Array | string
}

export interface ConfinedResult {
  /** Null where it could not be started, was killed, or gave more than can be held. */
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface Confinement {
  /** Null: there is no sandbox, and nothing holds an agent. */
  readonly sandboxFor: (places: {
    readonly writable: readonly string[]
    readonly readable: readonly string[]
  }) => Sandbox | null
  readonly environment: Readonly<Record<string, string>>
  readonly registry: ProcessRegistry | null
}

const LARGEST_OUTPUT = 1024 * 1024 * 1024
const LONGEST_MS = 5 * 60_000

export function createConfined({ sandboxFor, environment, registry }: Confinement): Confined {
  return async ({ ground, writes, also = {}, cwd = ground.worktree, argv, env = {}, input = '' }) => {
    const { agent, store, nothing } = placesOf(ground)
    const { writable, readable } = { agent, store, nothing }[writes]
    const places = {
      writable: [...writable, ...(also.writable ?? [])],
      readable: [...readable, ...(also.readable ?? [])],
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
    const timer = setTimeout(() => void running.stop(0), LONGEST_MS)
    running.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > LARGEST_OUTPUT) void running.stop(0)
      else chunks.push(chunk)
    })
    const { code, error, overLimit } = await running.exited
    // Before its pipes are waited for: a child it left behind would hold them open.
    await running.stop(0)
    await running.closed
    clearTimeout(timer)
    return {
      code: size > LARGEST_OUTPUT || overLimit !== null ? null : code,
      stdout: Buffer.concat(chunks),
      stderr: error ?? overLimit ?? running.stderrTail(),
    }
  }
}

function placesOf({ worktree, agentRepo, store, userGitDir }: Ground) {
  const own = [worktree, agentRepo]
  const objects = borrowedObjects(join(userGitDir, 'objects'))
  return {
    agent: { writable: own, readable: [store, ...objects] },
    store: { writable: [store], readable: [...own, ...objects] },
    nothing: { writable: [], readable: [store, ...objects] },
  }
}
