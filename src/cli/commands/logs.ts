/** `signalbox logs RUN`: what agents and commands said, and with `-f` what they say now. */
import type { Command } from 'commander'
import { homeAt } from '../../host/machine/home.ts'
import type { LogLine } from '../../host/machine/log.ts'
import { logFile } from '../../host/machine/log.ts'
import { tailLog } from '../../host/machine/log-tail.ts'
import type { Operations } from '../../host/operations.ts'
import { EXIT } from '../exit.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { settingOf, type Wiring, withOperations } from '../wiring.ts'

export function addLogs(program: Command, wiring: Wiring): void {
  const { terminal, finish } = wiring
  program
    .command('logs')
    .description('what agents and commands said')
    .argument('<run>', RUN_ID)
    .option('-f, --follow', 'and what they say from now on')
    .option('--step <step>', 'only of this step')
    .option('--json', 'print as JSON lines')
    .action(async (run: string, options: LogsOptions) => {
      const { environment, signal } = settingOf(wiring)
      const place = homeAt(environment.home).logs
      finish(
        await withOperations(wiring, (operations) =>
          logs(run, options, { terminal, operations, logs: place, signal }),
        ),
      )
    })
}

export interface LogsOptions {
  readonly follow?: boolean
  readonly step?: string
  readonly json?: boolean
}

interface Setting {
  readonly terminal: Terminal
  readonly operations: Operations
  readonly logs: string
  readonly signal: AbortSignal
}

async function logs(prefix: string, options: LogsOptions, setting: Setting): Promise<number> {
  const { terminal, operations, signal } = setting
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const { run } = found
  const say = (line: LogLine): void => {
    if (options.step !== undefined && line.step !== options.step) return
    terminal.write(options.json === true ? JSON.stringify(line) : lineText(line, terminal))
  }
  const onUnwatched = (why: string): void => {
    if (options.follow === true) terminal.progress(why)
  }
  const tail = tailLog(logFile(setting.logs, run), { from: 0, onLine: say, onUnwatched })
  tail.read()
  if (options.follow === true && !(await hasEnded(operations, run))) await untilEnded(operations, run, signal)
  tail.read()
  tail.stop()
  return signal.aborted ? EXIT.interrupted : EXIT.ok
}

async function untilEnded(operations: Operations, run: string, signal: AbortSignal): Promise<void> {
  let stop = (): void => {}
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
      stop = operations.follow((event) => {
        if (event === null) hasEnded(operations, run).then((ended) => ended && resolve(), reject)
        else if (event.stream === `run/${run}` && event.type === 'run.ended') resolve()
      })
    })
  } finally {
    stop()
  }
}

async function hasEnded(operations: Operations, run: string): Promise<boolean> {
  const detail = await operations.show(run)
  return 'problem' in detail || detail.row.status === 'ended'
}

function lineText({ at, step, who, kind, text }: LogLine, { paint }: Terminal): string {
  const clock = paint('dim', new Date(at).toTimeString().slice(0, 8))
  const style = kind === 'thought' || kind === 'note' ? 'dim' : kind === 'tool' ? 'cyan' : 'reset'
  const head = `${clock} ${paint('bold', `${step}/${who}`)}`
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${head}  ${paint(style, line.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' '))}`)
    .join('\n')
}
