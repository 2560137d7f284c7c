/** `signalbox take`: a run in your own hands. */
import type { Command } from 'commander'
import type { Operations } from '../../host/operations.ts'
import { EXIT } from '../exit.ts'
import { REASON, type Reason } from '../runs/act.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Wiring, withOperations } from '../wiring.ts'

export function addTake(program: Command, wiring: Wiring): void {
  program
    .command('take')
    .description('take a run over by hand: its agent is ended, its clocks stand still, its worktree is yours')
    .argument('<run>', RUN_ID)
    .option(...REASON)
    .option('--json', 'print as JSON')
    .action(async (run: string, options: TakeOptions) =>
      wiring.finish(
        await withOperations(wiring, (operations) => take(run, options, { ...wiring, operations })),
      ),
    )
}

interface TakeOptions extends Reason {
  readonly json?: boolean
}

async function take(
  prefix: string,
  { reason, json }: TakeOptions,
  { terminal, operations }: { readonly terminal: Terminal; readonly operations: Operations },
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const taken = await operations.course.take(found.run, reason)
  if ('problem' in taken) return complain(terminal, taken.problem, EXIT.failed)
  const { run, worktree, branch, step } = taken
  terminal.write(
    json === true
      ? JSON.stringify(taken, null, 2)
      : [
          `${run} is yours, at ${step}. Work in ${worktree} (branch ${branch}).`,
          `When it is done: signalbox resume ${run} --answer OPTION`,
          `To hand it back to the agent: signalbox resume ${run} --back`,
        ].join('\n'),
  )
  return EXIT.ok
}
