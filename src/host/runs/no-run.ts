/** A run that is asked for and is not there. */
import type { Rejection } from '../../model/refusal.ts'

export const noRun = (run: string): Rejection => ({
  code: 'unknown-run',
  problem: `There is no run "${run}". signalbox ps --all lists them.`,
})
