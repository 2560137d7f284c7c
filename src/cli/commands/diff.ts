/** `signalbox diff`: what a run changed. */
import type { Command } from 'commander'
import type { Operations } from '../../host/operations.ts'
import type { RunDiff } from '../../model/api/course.ts'
import { EXIT } from '../exit.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import { page } from '../terminal/pager.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Wiring, withOperations } from '../wiring.ts'

export function addDiff(program: Command, wiring: Wiring): void {
  program
    .command('diff')
    .description('what a run changed')
    .argument('<run>', RUN_ID)
    .option('--stat', 'only which files, and how much of them')
    .option('--step <step>', 'only what this step did')
    .option('--steps', 'each step by itself')
    .option('--json', 'print as JSON')
    .action(async (run: string, options: DiffOptions) =>
      wiring.finish(
        await withOperations(wiring, (operations) => diff(run, options, { ...wiring, operations })),
      ),
    )
}

interface DiffOptions {
  readonly stat?: boolean
  readonly step?: string
  readonly steps?: boolean
  readonly json?: boolean
}

async function diff(
  prefix: string,
  { stat = false, step = '', steps = false, json }: DiffOptions,
  { terminal, operations }: { readonly terminal: Terminal; readonly operations: Operations },
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const query = { step: step === '' ? null : step, steps, stat }
  const diffed = await operations.course.diff(found.run, query)
  if ('problem' in diffed) return complain(terminal, diffed.problem, EXIT.failed)
  if (json === true) terminal.write(JSON.stringify(diffed, null, 2))
  else await page(diffText(diffed, terminal.paint), terminal, process.env)
  return EXIT.ok
}

function diffText({ run, parts }: RunDiff, paint: Terminal['paint']): string {
  if (parts.length === 0) return paint('dim', `${run} has changed nothing here.`)
  return parts
    .map(({ step, visit, to, text }) => {
      const head =
        step === null ? [] : [paint('bold', `${step} (visit ${visit}), commit ${to.slice(0, 9)}`), '']
      return [
        ...head,
        ...text
          .trimEnd()
          .split('\n')
          .map((line) => painted(line, paint)),
      ].join('\n')
    })
    .join('\n\n')
}

function painted(line: string, paint: Terminal['paint']): string {
  if (/^(?:diff |index |--- |\+\+\+ |new file|deleted file|old mode|new mode)/.test(line))
    return paint('bold', line)
  if (line.startsWith('@@')) return paint('cyan', line)
  if (line.startsWith('+')) return paint('green', line)
  return line.startsWith('-') ? paint('red', line) : line
}
