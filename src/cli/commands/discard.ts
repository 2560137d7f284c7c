/** `signalbox discard`: what an ended run left, removed. */
import type { Command } from 'commander'
import { act } from '../runs/act.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import type { Wiring } from '../wiring.ts'

export function addDiscard(program: Command, wiring: Wiring): void {
  program
    .command('discard')
    .description('remove the worktree and the branch of an ended run; its record is kept')
    .argument('<run>', RUN_ID)
    .action((run: string) =>
      act(wiring, run, { action: { kind: 'discard' }, said: 'is discarded; its record is kept' }),
    )
}
