/** `signalbox show RUN`: where it is, how it came there, what it left. */
import type { Command } from 'commander'
import type { ShowOptions } from '../runs/show-run.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import { type Wiring, withOperations } from '../wiring.ts'

export function addShow(program: Command, wiring: Wiring): void {
  const { terminal, finish } = wiring
  program
    .command('show')
    .description('where a run is, how it came there, what it left')
    .argument('<run>', RUN_ID)
    .option('--json', 'print as JSON')
    .action(async (run: string, options: ShowOptions) => {
      const { showRun } = await import('../runs/show-run.ts')
      finish(await withOperations(wiring, (operations) => showRun(run, options, { terminal, operations })))
    })
}
