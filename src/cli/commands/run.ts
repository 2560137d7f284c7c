/** `signalbox run`: a task taken through a runbook, hosted from here where nobody else does it. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Operations, StartOrder } from '../../host/operations.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { EXIT, exitOf } from '../exit.ts'
import { reachHost } from '../hosting/reach-host.ts'
import { findRunbook } from '../runbooks/find-runbook.ts'
import { WITH_YOUR_RIGHTS } from '../runs/unconfined.ts'
import { collect } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import { visible } from '../terminal/terminal.ts'
import { type CommandSetting, orComplain, settingOf, type Wiring } from '../wiring.ts'

export function addRun(program: Command, wiring: Wiring): void {
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
    .action(async (runbook: string, options: RunOptions) =>
      wiring.finish(await orComplain(wiring, () => run(runbook, options, settingOf(wiring)))),
    )
}

export interface RunOptions {
  readonly issue?: string
  readonly base?: string
  readonly var?: readonly string[]
  readonly detach?: boolean
  readonly trace?: string
  readonly json?: boolean
}

export async function run(name: string, options: RunOptions, setting: CommandSetting): Promise<number> {
  const { terminal, environment, version } = setting
  const isDetached = options.detach === true
  const found = findRunbook(name)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const { runbook } = found
  const { compileFile } = await import('../runbooks/sources.ts')
  const { program, diagnostics } = await compileFile(runbook)
  if (program === null || hasErrors(diagnostics)) {
    const { diagnosticsText } = await import('../runbooks/diagnostics-text.ts')
    terminal.write(diagnosticsText(diagnostics, runbook, terminal))
    return EXIT.failed
  }
  const vars = parseVars(options.var ?? [])
  if ('problem' in vars) return complain(terminal, vars.problem, EXIT.usage)
  const trace = options.trace === undefined ? null : resolve(options.trace)
  if (trace !== null && isDetached) return complain(terminal, DETACHED_TRACE, EXIT.usage)
  const otherwise = isDetached ? 'background' : 'work'
  const reached = await reachHost({ environment, version, otherwise, trace })
  if ('problem' in reached) return complain(terminal, reached.problem, EXIT.failed)
  if (reached.remote !== null && trace !== null)
    return complain(terminal, tracedElsewhere(reached.remote.url, trace), EXIT.failed)
  const { operations, hosting } = reached
  const { base = null, issue = null } = options
  const order: StartOrder = { runbook, dir: process.cwd(), base, issue, vars: vars.values }
  try {
    // Where another process is the host it compiles the runbook again: here it was only looked at for whoever typed this.
    const started = await operations.start(order, program)
    if ('problems' in started) {
      terminal.write(terminal.paint('red', 'The run was not started:'))
      for (const problem of started.problems) terminal.write(`  ${terminal.paint('red', '✗')} ${problem}`)
      return started.code === undefined ? EXIT.failed : exitOf({ code: started.code })
    }
    const { run: id } = started
    if (options.json === true) terminal.write(JSON.stringify(started))
    else if (hosting !== null && hosting.unconfined !== null)
      terminal.write(terminal.paint('yellow', `${hosting.unconfined} ${WITH_YOUR_RIGHTS}`))
    if (issue !== null && options.json !== true)
      for (const text of await othersOn(operations, id)) terminal.write(terminal.paint('yellow', text))
    if (!isDetached) {
      const { watchRun } = await import('../runs/watch.ts')
      return await watchRun(reached, id, setting)
    }
    if (options.json !== true) {
      terminal.write(`${id}\n${terminal.paint('dim', `watch it: signalbox attach ${id}`)}`)
      if (reached.startedHost)
        terminal.write(
          terminal.paint(
            'dim',
            `A host was started in the background for it (${reached.remote?.url}). To stop it: signalbox down`,
          ),
        )
    }
    return EXIT.ok
  } finally {
    await reached.close()
  }
}

/** That somebody else is at it need not be a mistake, and is told. */
async function othersOn(operations: Operations, id: string): Promise<string[]> {
  const rows = await operations.runs({ all: false, limit: MOST_RUNS })
  const own = rows.find(({ run: each }) => each === id)
  return rows
    .filter((row) => row.run !== id && row.issue?.id === own?.issue?.id && row.repo === own?.repo)
    .map(({ run: other, name, status, issue }) =>
      visible(
        `Another run is about issue ${issue?.id} too: ${other} (${name}, ${status}). signalbox show ${other}`,
      ),
    )
}

const MOST_RUNS = 1000

const DETACHED_TRACE =
  '--trace keeps what passes here, and a detached run is hosted elsewhere: signalbox up --trace DIR, then signalbox run --detach.'

const tracedElsewhere = (url: string, trace: string): string =>
  `The host at ${url} has the agents, and only it sees their wire. Either: signalbox down, and this again; or: signalbox down, signalbox up --trace ${trace}, and this without --trace.`

function parseVars(given: readonly string[]): { values: Record<string, string> } | { problem: string } {
  const values: Record<string, string> = {}
  for (const text of given) {
    const cut = text.indexOf('=')
    if (cut < 1) return { problem: `--var takes NAME=VALUE, not "${text}".` }
    values[text.slice(0, cut)] = text.slice(cut + 1)
  }
  return { values }
}
