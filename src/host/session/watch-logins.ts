/** Keeps the copies of a login in step with the user's own while a session is open, and records what was written back. */
import type { LoginCopies } from '../confinement/keeps/login-copies.ts'
import { codeFrom } from '../workspace/file-error.ts'
import type { Edges } from './edges.ts'

export interface LoginWatch {
  /** The agent did something. A token is refreshed just before a call of the model, and what follows is seen here. */
  seen(): void
  /** The agent is gone, and its copies with it. */
  end(): Promise<void>
}

/** Other runs and the user's own program may need the refreshed token soon; looking costs a read of a small file. */
const MIN_LOOK_MS = 2_000

export function watchLogins(
  { runs, clock, storage }: Pick<Edges, 'runs' | 'clock' | 'storage'>,
  { run, step, agent }: { readonly run: string; readonly step: string; readonly agent: string },
  logins: LoginCopies,
): LoginWatch {
  let lookedAt = clock.now()
  let last: Promise<void> = Promise.resolve()
  let failure: { readonly error: unknown } | null = null

  const record = async (notes: readonly string[]): Promise<void> => {
    if (notes.length === 0) return
    const at = clock.now()
    const facts = notes.map((note) => ({
      type: 'host.noted' as const,
      at,
      text: `${step}: ${agent}: ${note}`,
    }))
    await storage.patiently(() => runs.execute(run, [{ type: 'run.record', at, facts }]))
  }
  const look = (sync: () => Promise<readonly string[]>): Promise<void> => {
    const mine = last.then(async () => {
      const notes = await sync().catch((error: unknown) => [
        `the copy of its login could not be read (${codeFrom(error)})`,
      ])
      await record(notes)
    })
    // Nobody waits for a look during a session: what went wrong is thrown at its end.
    last = mine.catch((error: unknown) => {
      failure ??= { error }
    })
    return last
  }

  void look(async () => logins.notes)
  return {
    seen: () => {
      if (clock.now() - lookedAt < MIN_LOOK_MS) return
      lookedAt = clock.now()
      void look(() => logins.sync())
    },
    end: async () => {
      await look(() => logins.end())
      if (failure !== null) throw failure.error
    },
  }
}
