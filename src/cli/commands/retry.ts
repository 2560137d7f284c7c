/** `signalbox retry`: the current step begun again. */
import type { Command } from 'commander'
import { act, REASON, type Reason } from '../runs/act.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import type { Wiring } from '../wiring.ts'

export function addRetry(program: Command, wiring: Wiring): void {
  program
    .command('retry')
    .description('begin the current step again')
    .argument('<run>', RUN_ID)
    .option(...REASON)
    .action((run: string, { reason }: Reason) =>
      act(wiring, run, { action: { kind: 'retry', reason }, said: 'begins its step again' }),
    )
}
