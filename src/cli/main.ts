/**
 * The `signalbox` command: arguments and wiring. The only composition root and the only reader of the environment.
 * A command's page has its arguments, and below them what it does; where that is long, it has a room of its own. What hangs
 * on much is loaded when it is called, so that `--help` does not wait for any of it.
 */
import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { storageFailureOf } from '../host/machine/storage.ts'
import { addAgentCommands } from './agents/commands.ts'
import { addAttentionCommands } from './attention/commands.ts'
import { addAttach } from './commands/attach.ts'
import { addCancel } from './commands/cancel.ts'
import { addCheck } from './commands/check.ts'
import { addCompletion } from './commands/completion.ts'
import { addDemo } from './commands/demo.ts'
import { addDiff } from './commands/diff.ts'
import { addDiscard } from './commands/discard.ts'
import { addDoctor } from './commands/doctor.ts'
import { addDown } from './commands/down.ts'
import { addErase } from './commands/erase.ts'
import { addExtend } from './commands/extend.ts'
import { addHistory } from './commands/history.ts'
import { addInit } from './commands/init.ts'
import { addIssue } from './commands/issue.ts'
import { addLand } from './commands/land.ts'
import { addLogs } from './commands/logs.ts'
import { addMcp } from './commands/mcp.ts'
import { addMove } from './commands/move.ts'
import { addNotify } from './commands/notify.ts'
import { addOpen } from './commands/open.ts'
import { addPeople } from './commands/people.ts'
import { addPrune } from './commands/prune.ts'
import { addPs } from './commands/ps.ts'
import { addRehearse } from './commands/rehearse.ts'
import { addResume } from './commands/resume.ts'
import { addRetry } from './commands/retry.ts'
import { addRun } from './commands/run.ts'
import { addSay } from './commands/say.ts'
import { addSchema } from './commands/schema.ts'
import { addShow } from './commands/show.ts'
import { addTake } from './commands/take.ts'
import { addUp } from './commands/up.ts'
import { addUpdate } from './commands/update.ts'
import { addDecisionCommands } from './decision/commands.ts'
import { EXIT } from './exit.ts'
import { addFlowCommands } from './flow/commands.ts'
import { complain } from './terminal/complaint.ts'
import { createTerminal } from './terminal/terminal.ts'
import type { Wiring } from './wiring.ts'

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

const wiring: Wiring = {
  terminal: createTerminal(process.env),
  version,
  finish: (code) => {
    process.exitCode = code
  },
}

const COMMANDS: Readonly<Record<string, readonly ((program: Command, wiring: Wiring) => void)[]>> = {
  'Runbooks:': [addCheck, addRehearse, addSchema],
  'Runs:': [
    addInit,
    addRun,
    addAttach,
    addPs,
    addShow,
    addLogs,
    addSay,
    addTake,
    addResume,
    addUpdate,
    addDiff,
    addLand,
    addCancel,
    addMove,
    addRetry,
    addExtend,
    addDiscard,
    addPrune,
    addErase,
    addDecisionCommands,
    addUp,
    addOpen,
    addDown,
    addMcp,
    addAgentCommands,
    addPeople,
    addDoctor,
    addDemo,
  ],
  'Beside runs:': [addIssue, addHistory, addAttentionCommands, addNotify, addCompletion],
  'In runbooks:': [addFlowCommands],
}

for (const [group, commands] of Object.entries(COMMANDS)) {
  program.commandsGroup(group)
  for (const add of commands) add(program, wiring)
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` went away: nothing is wrong.
  if (error.code === 'EPIPE') process.exit(EXIT.ok)
  process.stderr.write(`error: what was found could not be written (${error.code})\n`)
  process.exit(EXIT.failed)
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}

function exitCodeOf(error: unknown): number {
  const storage = storageFailureOf(error)
  if (storage !== null) return complain(wiring.terminal, storage.message, EXIT.failed)
  if (!(error instanceof CommanderError)) throw error
  if (error.code === 'signalbox.number') process.stderr.write(`error: ${error.message}\n`)
  return error.exitCode === 0 ? EXIT.ok : EXIT.usage
}
