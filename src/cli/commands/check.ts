/** `signalbox check`: what can be proved of runbooks. */
import type { Command } from 'commander'
import type { Wiring } from '../wiring.ts'

export function addCheck(program: Command, { terminal, finish }: Wiring): void {
  program
    .command('check')
    .description('prove a runbook total and bounded, or say everything that is wrong with it')
    .argument('<files...>', 'runbooks: .yaml, .hcl or .ts')
    .option('--matrix', 'print the routing matrix too')
    .option('--mermaid', 'print the flow as a Mermaid chart instead')
    .option('--json', 'print diagnostics and certificate as JSON')
    .action(async (files: string[], options) => {
      const { check } = await import('../runbooks/check.ts')
      finish(await check(files, options, terminal))
    })
}
