/** Finds the host, or becomes one for as long as a question takes. Never two. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { homeAt } from '../../host/home.ts'
import type { Operations } from '../../host/operations.ts'
import type { Environment } from '../environment.ts'
import type { DoorFile } from './hosting.ts'
import { createRemote } from './remote.ts'

export interface Connection {
  readonly operations: Operations
  /** Where the host is; null when this process is it. */
  readonly remote: DoorFile | null
  close(): Promise<void>
}

/** A host that is just starting or just leaving is waited for. */
const PATIENCE_MS = 5_000
const AGAIN_MS = 50

export async function connect({
  environment,
  version,
  work,
}: {
  readonly environment: Environment
  readonly version: string
  /** Whether this process does the host's work where nobody else is one: for what takes long, others must reach it. */
  readonly work: boolean
}): Promise<Connection | { readonly problem: string }> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const remote = await findHost(environment)
    if (remote !== null) return { operations: createRemote(remote), remote, close: async () => {} }
    // Loaded only where nobody else is the host: most of the code hangs on it.
    const { becomeHost } = await import('./hosting.ts')
    const hosting = await becomeHost({ environment, version, port: 0, work, trace: null })
    if (hosting !== null && 'problem' in hosting) return hosting
    if (hosting !== null) return { operations: hosting.operations, remote: null, close: hosting.close }
    if (Date.now() > deadline) return { problem: unreachable(environment) }
    await pause(AGAIN_MS)
  }
}

/** The host that answers at its door. */
export async function findHost({ home }: Environment): Promise<DoorFile | null> {
  const door = readDoor(homeAt(home).door)
  if (door === null) return null
  try {
    const response = await fetch(`${door.url}/api/v1/runs?limit=1`, {
      headers: { authorization: `Bearer ${door.token}` },
      signal: AbortSignal.timeout(2_000),
    })
    return response.ok ? door : null
  } catch {
    return null
  }
}

function readDoor(file: string): DoorFile | null {
  try {
    const door = JSON.parse(readFileSync(file, 'utf8')) as Partial<DoorFile>
    const { url, token, pid } = door
    return typeof url === 'string' && typeof token === 'string' && typeof pid === 'number'
      ? { url, token, pid }
      : null
  } catch {
    return null
  }
}

const unreachable = ({ home }: Environment): string =>
  `Another process is the host of ${home} and does not answer. signalbox doctor tells more.`
