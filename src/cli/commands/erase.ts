/** `signalbox erase`: what must not be known any more, out of the record. */
import type { Command } from 'commander'
import { collect, RUN_ID } from '../terminal/arguments.ts'
import { settingOf, type Wiring, withOperations } from '../wiring.ts'

export function addErase(program: Command, wiring: Wiring): void {
  program
    .command('erase')
    .description(
      'erase a leaked secret, a run or a decision from everything Signalbox keeps; a tombstone stays',
    )
    .option('--text-from <file>', 'the text that must go, wherever it stands; - reads it from standard input')
    .option('--run <run>', `all of an ended run: ${RUN_ID}`)
    .option('--decision <id>', 'what a decision says, that is no longer open')
    .option('--also <path>', 'more files or folders to look into, such as traces; may be said again', collect)
    .option('--reason <text>', 'why, for the record', '')
    .option('--list', 'what was erased and pruned so far')
    .option('--yes', 'do it without asking')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { erase } = await import('../record/erase.ts')
      const setting = settingOf(wiring)
      wiring.finish(await withOperations(wiring, (operations) => erase(options, { operations, setting })))
    })
}
