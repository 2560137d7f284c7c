/**
 * The `signalbox` command: arguments and wiring. The only composition root and the only reader of the environment.
 * Each command loads its own code when it is called, so that `--help` does not wait for any of it.
 */
import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { EXIT } from './exit.ts'
import { addRunCommands, connected } from './run-commands.ts'
import { addSideCommands } from './side-commands.ts'
import { wholeNumber } from './terminal/number.ts'
import { createTerminal } from './terminal/terminal.ts'

const terminal = createTerminal(process.env)
const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

const program = new Command('signalbox')
  .description(
    'Takes a coding task through a declared flow of agents, checks and decisions, proved before it runs.',
  )
  .version(version)
  .showHelpAfterError('(add --help to see what it takes)')
  .showSuggestionAfterError()
  .helpCommand(false)
  .exitOverride()

const finish = (code: number): void => {
  process.exitCode = code
}

program.commandsGroup('Runbooks:')
program
  .command('check')
  .description('prove a runbook total and bounded, or say everything that is wrong with it')
  .argument('<files...>', 'runbooks: .yaml, .hcl or .ts')
  .option('--matrix', 'print the routing matrix too')
  .option('--mermaid', 'print the flow as a Mermaid chart instead')
  .option('--json', 'print diagnostics and certificate as JSON')
  .action(async (files: string[], options) => {
    const { check } = await import('./commands/check.ts')
    finish(await check(files, options, terminal))
  })

program
  .command('rehearse')
  .description('drive the real engine through every path of a runbook, without agents and without tokens')
  .argument('<file>', 'the runbook')
  .option('--scenario <file...>', 'play a scripted path with expectations instead')
  .option('--path <target>', 'tell a shortest way to an end, a step, or an outcome or fault (step:outcome)')
  .option('--max-states <n>', 'stop after this many states', wholeNumber, 2_000_000)
  .option('--json', 'print the report as JSON')
  .action(async (file: string, options) => {
    const { rehearseFile } = await import('./commands/rehearse.ts')
    finish(await rehearseFile(file, options, terminal))
  })

program
  .command('schema')
  .description('print the JSON Schema of the YAML form, for editors')
  .action(async () => {
    const { runbookSchema } = await import('../runbook/language/schema.ts')
    terminal.write(JSON.stringify(runbookSchema(), null, 2))
  })

program.commandsGroup('Runs:')
addRunCommands(program, { terminal, version, finish })
program.commandsGroup('Beside runs:')
addSideCommands(program, { terminal, finish, withOperations: connected({ terminal, version, finish }) })

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` went away: nothing is wrong.
  if (error.code === 'EPIPE') process.exit(EXIT.ok)
  process.stderr.write(`error: what was found could not be written (${error.code})\n`)
  process.exit(EXIT.failed)
})

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  if (error.code === 'signalbox.number') process.stderr.write(`error: ${error.message}\n`)
  process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage
}
