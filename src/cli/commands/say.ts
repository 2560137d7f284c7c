/** `signalbox say`: a word to the agents of a run, told with their next turn. */
import { text as textIn } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { Operations } from '../../host/operations.ts'
import type { WordSaid } from '../../model/api/course.ts'
import { EXIT } from '../exit.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Wiring, withOperations } from '../wiring.ts'

export function addSay(program: Command, wiring: Wiring): void {
  program
    .command('say')
    .description('say something to the agent at work; it is told with its next turn')
    .argument('<run>', RUN_ID)
    .argument('[text]', 'what to say; standard input by default')
    .option('--json', 'print as JSON')
    .action(async (run: string, text: string | undefined, options: SayOptions) =>
      wiring.finish(
        await withOperations(wiring, (operations) =>
          say(run, { text, ...options }, { ...wiring, operations }),
        ),
      ),
    )
}

interface SayOptions {
  readonly json?: boolean
}

async function say(
  prefix: string,
  { text, json }: SayOptions & { readonly text: string | undefined },
  { terminal, operations }: { readonly terminal: Terminal; readonly operations: Operations },
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  if (text === undefined && process.stdin.isTTY === true)
    return complain(terminal, `Say something: signalbox say ${found.run} "…"`, EXIT.usage)
  const said = await operations.course.say(found.run, text ?? (await textIn(process.stdin)))
  if ('problem' in said) return complain(terminal, said.problem, EXIT.failed)
  terminal.write(json === true ? JSON.stringify(said, null, 2) : saidText(found.run, said))
  return EXIT.ok
}

const saidText = (run: string, { to }: WordSaid): string =>
  to.length === 0
    ? `No agent of ${run} is at work; it is kept for the next one.`
    : `${to.join(', ')} ${to.length === 1 ? 'is' : 'are'} told it with the next turn.`
