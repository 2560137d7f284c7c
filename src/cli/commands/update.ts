/** `signalbox update`: what the branch a run came from got since, brought into the run. */
import type { Command } from 'commander'
import type { Operations } from '../../host/operations.ts'
import type { RunUpdate } from '../../model/api/course.ts'
import { EXIT } from '../exit.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import { plural, type Terminal } from '../terminal/terminal.ts'
import { type Wiring, withOperations } from '../wiring.ts'

export function addUpdate(program: Command, wiring: Wiring): void {
  program
    .command('update')
    .description('bring what the base of a run got since into the run')
    .argument('<run>', RUN_ID)
    .option('--json', 'print as JSON')
    .action(async (run: string, options: UpdateOptions) =>
      wiring.finish(
        await withOperations(wiring, (operations) => update(run, options, { ...wiring, operations })),
      ),
    )
}

interface UpdateOptions {
  readonly json?: boolean
}

async function update(
  prefix: string,
  { json }: UpdateOptions,
  { terminal, operations }: { readonly terminal: Terminal; readonly operations: Operations },
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const updated = await operations.course.update(found.run)
  if ('problem' in updated) return complain(terminal, updated.problem, EXIT.failed)
  terminal.write(json === true ? JSON.stringify(updated, null, 2) : updatedText(found.run, updated))
  return EXIT.ok
}

function updatedText(run: string, { state, from, commits, commit, agents }: RunUpdate): string {
  switch (state) {
    case 'merged':
      return `${run} has ${plural(commits, 'commit')} of ${from} (${commit.slice(0, 9)})`
    case 'nothing':
      return `${run} has all that ${from} has`
    case 'asked':
      return `${agents.length === 0 ? 'Something' : agents.join(', ')} is at work; ${plural(commits, 'commit')} of ${from} are brought in when that ends`
  }
}
