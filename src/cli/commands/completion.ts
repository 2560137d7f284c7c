/** `signalbox completion`, and `complete`, which its scripts call. */
import { Argument, type Command } from 'commander'
import { readEnvironment } from '../environment.ts'
import { candidates, completionScript, SHELLS, type Shell } from '../terminal/completion.ts'
import { connected, type Wiring } from '../wiring.ts'

export function addCompletion(program: Command, wiring: Wiring): void {
  const { terminal } = wiring
  const withOperations = connected(wiring)
  program
    .command('completion')
    .description('print a completion script: eval "$(signalbox completion bash)"')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action((shell: Shell) => terminal.write(completionScript(shell)))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { decisionsToName, optionsToName } = await import('../decision/completion.ts')
      const runIds = () =>
        withOperations(async (operations) =>
          (await operations.runs({ all: true, limit: 200 })).map(({ run }) => run),
        )
      const issueIds = async () => {
        const { issuesToName } = await import('../issues/completion.ts')
        return issuesToName(readEnvironment(process.env), process.cwd())
      }
      const decisions = () => withOperations(decisionsToName)
      const optionsOf = (id: string) => withOperations((operations) => optionsToName(operations, id))
      for (const line of await candidates({ program, words, runIds, issueIds, decisions, optionsOf }))
        terminal.write(line)
    })
}
