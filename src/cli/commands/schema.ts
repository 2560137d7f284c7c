/** `signalbox schema`: what editors know of runbooks. */
import type { Command } from 'commander'
import type { Wiring } from '../wiring.ts'

export function addSchema(program: Command, { terminal }: Wiring): void {
  program
    .command('schema')
    .description('print the JSON Schema of the YAML form, for editors')
    .action(async () => {
      const { runbookSchema } = await import('../../runbook/language/schema.ts')
      terminal.write(JSON.stringify(runbookSchema(), null, 2))
    })
}
