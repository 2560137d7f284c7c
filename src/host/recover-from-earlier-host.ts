/** What an earlier host left unfinished, completed before this host begins to work. */
import type { ProcessRegistry } from '../drivers/index.ts'
import { settleLandings } from './course/settle-landings.ts'
import { handOverTaken } from './course/taken-runs.ts'
import { type AwaitedNeeds, withdrawAllForsaken } from './inbox/awaited.ts'
import { recoverSuperseded } from './inbox/desk.ts'
import { endStaleGit } from './workspace/stale-git.ts'

export interface RecoveryNeeds {
  /** Writes again once a full disk has space. */
  readonly retrying: Parameters<typeof recoverSuperseded>[0] &
    AwaitedNeeds & {
      readonly registry: Pick<ProcessRegistry, 'endLeftovers'>
      readonly home: Record<'worktrees' | 'grounds', string>
    }
  /** Fails where a write fails. */
  readonly direct: Parameters<typeof settleLandings>[0] & Parameters<typeof handOverTaken>[0]
  readonly note: (text: string) => void
}

export async function recoverFromEarlierHost({ retrying, direct, note }: RecoveryNeeds): Promise<void> {
  const { registry, home } = retrying
  for (const { pid, name } of await registry.endLeftovers()) note(`ended ${name} (${pid})`)
  await endStaleGit([home.worktrees, home.grounds])
  // First: a replacement must not end before the decision that it supersedes is closed.
  await recoverSuperseded(retrying)
  await settleLandings(direct)
  await withdrawAllForsaken(retrying)
  // The worktree of a taken run is ready for its person.
  await handOverTaken(direct)
}
