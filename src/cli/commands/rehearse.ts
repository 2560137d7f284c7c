/** `signalbox rehearse`: the engine driven through a runbook. */
import type { Command } from 'commander'
import { EXIT } from '../exit.ts'
import { runbookFile } from '../runbooks/find-runbook.ts'
import { complain } from '../terminal/complaint.ts'
import { wholeNumber } from '../terminal/number.ts'
import type { Wiring } from '../wiring.ts'

export function addRehearse(program: Command, { terminal, finish }: Wiring): void {
  program
    .command('rehearse')
    .description('drive the real engine through every path of a runbook, without agents and without tokens')
    .argument('<file>', 'a file, or the name of one in .signalbox/')
    .option('--scenario <file...>', 'play a scripted path with expectations instead')
    .option('--path <target>', 'tell a shortest way to an end, a step, or an outcome or fault (step:outcome)')
    .option('--max-states <n>', 'stop after this many states', wholeNumber, 2_000_000)
    .option('--json', 'print the report as JSON')
    .action(async (name: string, options) => {
      const found = runbookFile(name)
      if ('problem' in found) return finish(complain(terminal, found.problem, EXIT.usage))
      const { rehearseFile } = await import('../runbooks/rehearse.ts')
      finish(await rehearseFile(found.file, options, terminal))
    })
}
