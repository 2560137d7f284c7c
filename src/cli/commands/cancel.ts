/** `signalbox cancel`: a run ended where it is. */
import type { Command } from 'commander'
import { act, REASON, type Reason } from '../runs/act.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import type { Wiring } from '../wiring.ts'

export function addCancel(program: Command, wiring: Wiring): void {
  program
    .command('cancel')
    .description('end a run where it is; its branch is kept')
    .argument('<run>', RUN_ID)
    .option(...REASON)
    .action((run: string, { reason }: Reason) =>
      act(wiring, run, { action: { kind: 'cancel', reason }, said: 'is cancelled' }),
    )
}
