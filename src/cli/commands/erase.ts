/** `signalbox erase`: what must not be known any more, out of the record. */
import type { Command } from 'commander'
import { EXIT } from '../exit.ts'
import { collect, RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import { settingOf, type Wiring, withOperations } from '../wiring.ts'

export function addErase(program: Command, wiring: Wiring): void {
  program
    .command('erase')
    .description(
      'erase a leaked secret, a run or a decision from everything Signalbox keeps; a tombstone stays',
    )
    .option('--text-from <file>', 'the text that must go, wherever it stands; - reads it from standard input')
    .option('--run <run>', `all of a run that has ended or cannot be read any more: ${RUN_ID}`)
    .option('--decision <id>', 'what a decision says, that is no longer open')
    .option('--also <path>', 'more files or folders to look into, such as traces; may be said again', collect)
    .option('--reason <text>', 'why, for the record', '')
    .option('--list', 'what was erased and pruned so far')
    .option('--yes', 'do it without asking')
    .option('--json', 'print as JSON')
    // Told about in words of its own: whoever types a secret here should know where it stands by now.
    .allowExcessArguments()
    .action(async (options, { args }: Command) => {
      const setting = settingOf(wiring)
      if (args.length > 0) return wiring.finish(complain(setting.terminal, TYPED, EXIT.usage))
      const { erase } = await import('../record/erase.ts')
      wiring.finish(await withOperations(wiring, (operations) => erase(options, { operations, setting })))
    })
}

const TYPED =
  'A text is not taken from the command line, which your shell keeps and other processes see. Put it into a file: signalbox erase --text-from FILE (- for standard input). If what was typed is the secret, it stands in the history of your shell.'
