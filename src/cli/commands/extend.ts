/** `signalbox extend`: more of a budget for a run. */
import type { Command } from 'commander'
import { act, REASON, type Reason } from '../runs/act.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import type { Wiring } from '../wiring.ts'

export function addExtend(program: Command, wiring: Wiring): void {
  program
    .command('extend')
    .description('give a run more of a budget: a name from the runbook, cost, or tokens')
    .argument('<run>', RUN_ID)
    .argument('<budget>', 'which')
    .argument('<amount>', 'how much more')
    .option(...REASON)
    .action((run: string, budget: string, amount: string, { reason }: Reason) =>
      act(wiring, run, {
        action: { kind: 'extend', budget, amount: Number(amount), reason },
        said: 'has more',
      }),
    )
}
