/** `signalbox move`: a run sent to another step. */
import type { Command } from 'commander'
import { act, REASON, type Reason } from '../runs/act.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import type { Wiring } from '../wiring.ts'

export function addMove(program: Command, wiring: Wiring): void {
  program
    .command('move')
    .description('send a run to another step; outside what the certificate speaks of')
    .argument('<run>', RUN_ID)
    .argument('<step>', 'where to')
    .option(...REASON)
    .action((run: string, to: string, { reason }: Reason) =>
      act(wiring, run, { action: { kind: 'move', to, reason }, said: 'is moved' }),
    )
}
