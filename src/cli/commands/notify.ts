/** `signalbox notify`: the channels on which you are told. */
import type { Command } from 'commander'
import { readEnvironment } from '../environment.ts'
import type { Wiring } from '../wiring.ts'

export function addNotify(program: Command, { terminal, finish }: Wiring): void {
  program
    .command('notify')
    .description('the channels on which you are told')
    .command('test')
    .description('send a test notice to each of them, and say what came of it')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { notifyTest } = await import('../notify/notify.ts')
      finish(await notifyTest(options, { terminal, environment: readEnvironment(process.env) }))
    })
}
