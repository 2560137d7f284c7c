/** The commands beside runs: issues in a folder, notices, and the shell's completion. */
import { Argument, type Command } from 'commander'
import type { Operations } from '../host/operations.ts'
import { addAttentionCommands } from './attention/commands.ts'
import { SHELLS, type Shell } from './terminal/completion.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface SideWiring {
  readonly terminal: Terminal
  readonly finish: (code: number) => void
  readonly withOperations: <T>(act: (operations: Operations) => Promise<T>) => Promise<T>
}

export function addSideCommands(program: Command, { terminal, finish, withOperations }: SideWiring): void {
  const issue = program.command('issue').description('issues in a folder of the repository')
  issue
    .command('new')
    .description('write a new one; parallel runs never pick the same id')
    .argument('<title>', 'what is to be done, in a few words')
    .option('--body <text>', 'the rest')
    .option('--file <path>', 'the rest, from a file; - for standard input')
    .option('--json', 'print as JSON')
    .action(async (title: string, options) => {
      const { issueNew } = await import('./commands/issue.ts')
      finish(await issueNew(title, options, { terminal }))
    })
  issue
    .command('list')
    .description('all of them, and what each waits for')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { issueList } = await import('./commands/issue.ts')
      finish(await issueList(options, terminal, {}))
    })
  issue
    .command('show')
    .description('one of them')
    .argument('<issue>', 'its id')
    .option('--json', 'print as JSON')
    .action(async (id: string, options) => {
      const { issueShow } = await import('./commands/issue.ts')
      finish(await issueShow(id, options, { terminal }))
    })

  addAttentionCommands(program, { terminal, finish, withOperations })

  program
    .command('notify')
    .description('the channels on which you are told')
    .command('test')
    .description('send a test notice to each of them, and say what came of it')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { notifyTest } = await import('./notify/notify.ts')
      const { readEnvironment } = await import('./environment.ts')
      finish(await notifyTest(options, { terminal, environment: readEnvironment(process.env) }))
    })

  program
    .command('completion')
    .description('print a completion script: eval "$(signalbox completion bash)"')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./terminal/completion.ts')
      terminal.write(completionScript(shell))
    })
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { candidates } = await import('./terminal/completion.ts')
      const runIds = () =>
        withOperations(async (operations) =>
          (await operations.runs({ all: true, limit: 200 })).map(({ run }) => run),
        )
      const { decisionsToName, optionsToName } = await import('./decision/completion.ts')
      const decisions = () => withOperations(decisionsToName)
      const optionsOf = (id: string) => withOperations((operations) => optionsToName(operations, id))
      for (const line of await candidates({ program, words, runIds, decisions, optionsOf }))
        terminal.write(line)
    })
}
