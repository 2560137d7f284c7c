/** How long an answer that a person gives at a terminal can be taken back before anything comes of it. */
import { LONGEST_HOLD_MS } from '../../model/decision-command.ts'
import { formatDuration, parseDuration } from '../../model/duration.ts'
import type { Environment } from '../environment.ts'
import { personHere } from '../terminal/terminal.ts'

/** As their config says; nothing where nobody sits, so that scripts are not kept waiting. */
export async function usualHoldMs({ configDir }: Pick<Environment, 'configDir'>): Promise<number> {
  if (personHere() === null) return 0
  const { readConfig } = await import('../config/config.ts')
  return readConfig({ configDir, repo: null }).config.holdMs
}

export function parseHold(text: string): number | { readonly problem: string } {
  const durationMs = parseDuration(text)
  if (durationMs !== null && durationMs <= LONGEST_HOLD_MS) return durationMs
  return {
    problem: `--hold takes a time such as 5s, at most ${formatDuration(LONGEST_HOLD_MS)}; 0s for none.`,
  }
}

/** What is said beside an answer that can still be taken back. */
export const takeBackText = (id: string, leftMs: number): string =>
  `For ${formatDuration(Math.max(1000, leftMs))} it can be taken back: signalbox decision undo ${id}`
