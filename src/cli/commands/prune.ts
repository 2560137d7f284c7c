/** `signalbox prune`: what finished runs left, taken away. */
import type { Command } from 'commander'
import { collect, RUN_ID } from '../terminal/arguments.ts'
import { durationArgument } from '../terminal/duration-argument.ts'
import { settingOf, type Wiring, withOperations } from '../wiring.ts'

export function addPrune(program: Command, wiring: Wiring): void {
  program
    .command('prune')
    .description('take finished runs off the disk and out of the record; a tombstone stays')
    .argument('[run...]', RUN_ID)
    .option(
      '--older-than <duration>',
      'only what ended so long ago (30d, where nothing else is said)',
      durationArgument,
    )
    .option('--state <end>', 'only what ended so, such as done or abandoned; may be said again', collect)
    .option('--unmerged', 'also work that is on no other branch')
    .option('--reason <text>', 'why, for the record', '')
    .option('--yes', 'do it without asking')
    .option('--json', 'print as JSON')
    .action(async (runs: string[], options) => {
      const { prune } = await import('../record/prune.ts')
      const setting = settingOf(wiring)
      wiring.finish(
        await withOperations(wiring, (operations) => prune(runs, options, { operations, setting })),
      )
    })
}
