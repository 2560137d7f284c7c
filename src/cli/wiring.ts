/** What every command stands on: the terminal, the place it is used in, and whoever is the host. */
import { storageFailureOf } from '../host/machine/storage.ts'
import type { Operations } from '../host/operations.ts'
import { FailureError } from '../model/failure.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { EXIT } from './exit.ts'
import { type ReachedHost, type ReachOptions, reachHost } from './hosting/reach-host.ts'
import { ConnectionError } from './hosting/remote.ts'
import { complain } from './terminal/complaint.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface Wiring {
  readonly terminal: Terminal
  readonly version: string
  readonly finish: (code: number) => void
}

export interface CommandSetting {
  readonly environment: Environment
  readonly version: string
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

export const settingOf = ({ terminal, version }: Wiring): CommandSetting => ({
  environment: readEnvironment(process.env),
  version,
  terminal,
  signal: interrupted(),
})

/** The first interrupt asks everything to end in order; the second does not wait. */
function interrupted(): AbortSignal {
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (abort.signal.aborted) process.exit(EXIT.interrupted)
      abort.abort()
    })
  return abort.signal
}

type Otherwise = ReachOptions['otherwise']

/** For what takes no longer than a question does. */
export const withOperations = (
  wiring: Wiring,
  act: (operations: Operations, reached: ReachedHost) => Promise<number>,
): Promise<number> => orComplain(wiring, () => connected(wiring)(act))

/** A host that cannot be reached, or what it needs and has not, is told in a sentence. */
export async function orComplain({ terminal }: Wiring, act: () => Promise<number>): Promise<number> {
  try {
    return await act()
  } catch (error) {
    const isTold = error instanceof ConnectionError || error instanceof FailureError
    const told = isTold ? error : storageFailureOf(error)
    if (told === null) throw error
    return complain(terminal, told.message, EXIT.failed)
  }
}

/** Whoever is the host now answers. */
export const connected =
  ({ version }: Wiring, otherwise: Otherwise = 'answer') =>
  async <T>(act: (operations: Operations, reached: ReachedHost) => Promise<T>): Promise<T> => {
    const environment = readEnvironment(process.env)
    const reached = await reachHost({ environment, version, otherwise })
    if ('problem' in reached) throw new ConnectionError(reached.problem)
    try {
      return await act(reached.operations, reached)
    } finally {
      await reached.close()
    }
  }
