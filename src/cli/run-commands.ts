/** The commands that touch runs: arguments here, what they do in a page of their own, loaded when it is called. */
import type { Command } from 'commander'
import type { Action, Operations } from '../host/operations.ts'
import { addAgentCommands } from './agents/commands.ts'
import type { Connection } from './connect.ts'
import { addDecisionCommands } from './decision/commands.ts'
import { EXIT } from './exit.ts'
import { portNumber, wholeNumber } from './number.ts'
import type { Setting } from './run.ts'
import type { Terminal } from './terminal.ts'

export interface Wiring {
  readonly terminal: Terminal
  readonly version: string
  readonly finish: (code: number) => void
}

const RUN_ID = 'its id, or the beginning of it'

export function addRunCommands(program: Command, wiring: Wiring): void {
  const { terminal, finish } = wiring
  const collect = (value: string, all: string[] = []): string[] => [...all, value]

  program
    .command('init')
    .description('set this repository up: a first runbook, the agents found here, editor support')
    .option('--mcp', 'write .mcp.json too, so that agents outside runs can ask you')
    .option('--force', 'overwrite what is there')
    .action(async (options) => {
      const { init } = await import('./init.ts')
      finish(await init(options, terminal, await setting(wiring)))
    })

  program
    .command('run')
    .description('take a task through a runbook')
    .argument('<runbook>', 'a file, or the name of one in .signalbox/')
    .option('--issue <id>', 'the issue to work on')
    .option('--base <ref>', 'where to branch from; the current branch by default')
    .option('--var <name=value>', 'a variable of the runbook', collect)
    .option('--detach', 'do not watch it')
    .option('--trace <dir>', 'keep the wire traffic of agents there')
    .option('--json', 'print the id as JSON')
    .action(async (runbook: string, options) => {
      const { run } = await import('./run.ts')
      const here = await setting(wiring)
      finish(await orComplain(wiring, () => run(runbook, options, here)))
    })

  program
    .command('attach')
    .description('watch a run, and answer it here')
    .argument('<run>', RUN_ID)
    .action(async (run: string) => {
      const { attach } = await import('./run.ts')
      const here = await setting(wiring)
      finish(await orComplain(wiring, () => attach(run, here)))
    })

  program
    .command('ps')
    .description('what is going on')
    .option('--all', 'what has ended too')
    .option('--limit <n>', 'at most so many', wholeNumber, 50)
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { ps } = await import('./ps.ts')
      finish(await withOperations(wiring, (operations) => ps(options, terminal, operations)))
    })

  program
    .command('show')
    .description('where a run is, how it came there, what it left')
    .argument('<run>', RUN_ID)
    .option('--json', 'print as JSON')
    .action(async (run: string, options) => {
      const { show } = await import('./show.ts')
      finish(await withOperations(wiring, (operations) => show(run, options, { terminal, operations })))
    })

  program
    .command('logs')
    .description('what agents and commands said')
    .argument('<run>', RUN_ID)
    .option('-f, --follow', 'and what they say from now on')
    .option('--step <step>', 'only of this step')
    .option('--json', 'print as JSON lines')
    .action(async (run: string, options) => {
      const { logs } = await import('./logs.ts')
      const { homeAt } = await import('../host/home.ts')
      const { environment, signal } = await setting(wiring)
      const place = homeAt(environment.home).logs
      finish(
        await withOperations(wiring, (operations) =>
          logs(run, options, { terminal, operations, logs: place, signal }),
        ),
      )
    })

  /** `signalbox VERB RUN WORDS…`: what it means, and what is said when it is done. */
  const acting =
    (said: string, make: (words: readonly string[], options: Reason) => Action) =>
    async (run: string, ...rest: unknown[]): Promise<void> => {
      const { act } = await import('./act.ts')
      const words = rest.filter((word) => typeof word === 'string')
      const options = rest.find((word) => typeof word === 'object' && word !== null) as Reason
      const doing = { action: make(words, options), said }
      finish(await withOperations(wiring, (operations) => act(run, doing, { terminal, operations })))
    }

  program
    .command('cancel')
    .description('end a run where it is; its branch is kept')
    .argument('<run>', RUN_ID)
    .option('--reason <text>', 'why, for the record', '')
    .action(acting('is cancelled', (_, { reason }) => ({ kind: 'cancel', reason })))

  program
    .command('move')
    .description('send a run to another step; outside what the certificate speaks of')
    .argument('<run>', RUN_ID)
    .argument('<step>', 'where to')
    .option('--reason <text>', 'why, for the record', '')
    .action(acting('is moved', ([to = ''], { reason }) => ({ kind: 'move', to, reason })))

  program
    .command('retry')
    .description('begin the current step again')
    .argument('<run>', RUN_ID)
    .option('--reason <text>', 'why, for the record', '')
    .action(acting('begins its step again', (_, { reason }) => ({ kind: 'retry', reason })))

  program
    .command('extend')
    .description('give a run more of a budget: a name from the runbook, cost, or tokens')
    .argument('<run>', RUN_ID)
    .argument('<budget>', 'which')
    .argument('<amount>', 'how much more')
    .option('--reason <text>', 'why, for the record', '')
    .action(
      acting('has more', ([budget = '', amount = ''], { reason }) => ({
        kind: 'extend',
        budget,
        amount: Number(amount),
        reason,
      })),
    )

  program
    .command('discard')
    .description('remove the worktree and the branch of an ended run; its record is kept')
    .argument('<run>', RUN_ID)
    .action(acting('is discarded; its record is kept', () => ({ kind: 'discard' })))

  addDecisionCommands(program, {
    terminal,
    finish,
    setting: () => setting(wiring),
    withOperations: (act) =>
      withOperations(wiring, (operations, { remote }) => act(operations, remote === null)),
    whileWaiting: (act) => connected(wiring, { work: true })((operations) => act(operations, false)),
    orComplain: (act) => orComplain(wiring, act),
  })

  program
    .command('up')
    .description('host everything here until stopped')
    .option('--port <n>', 'where to listen; 0 for any port that is free', portNumber, 7474)
    .option('--open', 'open a browser')
    .option('--trace <dir>', 'keep the wire traffic of agents there')
    .action(async (options) => {
      const { up } = await import('./up.ts')
      finish(await up(options, await setting(wiring)))
    })

  program
    .command('down')
    .description('stop the host; runs go on when it is up again')
    .action(async () => {
      const { down } = await import('./up.ts')
      finish(await down(await setting(wiring)))
    })

  program
    .command('mcp')
    .description('an MCP server on standard input and output, for agents outside any run')
    .action(async () => {
      const { outsideOptions } = await import('./outside.ts')
      const { serveAgentsOutside } = await import('../mcp/stdio.ts')
      const { signal } = await setting(wiring)
      const { version } = wiring
      await serveAgentsOutside({
        ...(await outsideOptions()),
        version,
        withOperations: connected(wiring),
        signal,
      })
    })

  addAgentCommands(program, { terminal, finish, setting: () => setting(wiring) })

  const people = program
    .command('people')
    .description('who may answer here beside you')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { listPeople } = await import('./people.ts')
      finish(listPeople(options, await setting(wiring)))
    })
  people
    .command('token')
    .description('print the token of somebody in your config, for the HTTP door')
    .argument('<name>', 'as in your config under `people`')
    .action(async (name: string) => {
      const { printPersonalToken } = await import('./people.ts')
      finish(printPersonalToken(name, await setting(wiring)))
    })

  program
    .command('doctor')
    .description('what is in force here, what is wrong, what to do about it')
    .option('--rebuild', 'make the read models again from the events')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { doctor } = await import('./doctor.ts')
      finish(await doctor(options, await setting(wiring)))
    })

  program
    .command('demo')
    .description('a whole run on a small repository, with scripted agents and no model')
    .option('--answer <how>', '"recommended": take what is recommended instead of asking')
    .action(async (options) => {
      const { demo } = await import('./demo/demo.ts')
      finish(await demo(options, await setting(wiring)))
    })
}

interface Reason {
  readonly reason: string
}

async function setting({ terminal, version }: Wiring): Promise<Setting> {
  const { readEnvironment } = await import('./environment.ts')
  return { environment: readEnvironment(process.env), version, terminal, signal: interrupted() }
}

/** The first interrupt asks everything to end in order; the second does not wait. */
function interrupted(): AbortSignal {
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (abort.signal.aborted) process.exit(EXIT.interrupted)
      abort.abort()
    })
  return abort.signal
}

const withOperations = (
  wiring: Wiring,
  act: (operations: Operations, connection: Connection) => Promise<number>,
  { work } = { work: false },
): Promise<number> => orComplain(wiring, () => connected(wiring, { work })(act))

/** A host that cannot be reached is told in a sentence. */
async function orComplain({ terminal }: Wiring, act: () => Promise<number>): Promise<number> {
  const { ConnectionError } = await import('./remote.ts')
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    const { complain } = await import('./complaint.ts')
    return complain(terminal, error.message, EXIT.failed)
  }
}

/** Whoever is the host now answers. */
export const connected =
  ({ version }: Wiring, { work } = { work: false }) =>
  async <T>(act: (operations: Operations, connection: Connection) => Promise<T>): Promise<T> => {
    const { connect } = await import('./connect.ts')
    const { ConnectionError } = await import('./remote.ts')
    const { readEnvironment } = await import('./environment.ts')
    const environment = readEnvironment(process.env)
    if (environment.session !== null) {
      const { NOT_FOR_AGENTS } = await import('./decision/session-door.ts')
      throw new ConnectionError(NOT_FOR_AGENTS)
    }
    const connection = await connect({ environment, version, work })
    if ('problem' in connection) throw new ConnectionError(connection.problem)
    try {
      return await act(connection.operations, connection)
    } finally {
      await connection.close()
    }
  }
