/** `signalbox history --issue ID`: what earlier runs on an issue left, for whoever works on it next. */
import type { Command } from 'commander'
import type { Operations } from '../../host/operations.ts'
import type { RunHistory } from '../../model/api/history.ts'
import { elapsed } from '../../model/elapsed.ts'
import { readEnvironment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { type Terminal, visible } from '../terminal/terminal.ts'
import { type Wiring, withOperations } from '../wiring.ts'

export function addHistory(program: Command, wiring: Wiring): void {
  program
    .command('history')
    .description(
      'what earlier runs on an issue left: how each ended and why, what was said, where its work is',
    )
    .requiredOption('--issue <id>', 'the id of the issue')
    .option('--json', 'print as JSON')
    .action(async (options: HistoryOptions) =>
      wiring.finish(
        await withOperations(wiring, (operations) => history(options, { ...wiring, operations })),
      ),
    )
}

interface HistoryOptions {
  readonly issue: string
  readonly json?: boolean
}

async function history(
  { issue, json }: HistoryOptions,
  { terminal, operations }: { readonly terminal: Terminal; readonly operations: Operations },
): Promise<number> {
  const { findRepository } = await import('../project/repository.ts')
  const found = await findRepository(process.cwd())
  // A run's own file tells of its repository, wherever its command stands.
  const isPerson = readEnvironment(process.env).ownRun === null
  if ('problem' in found && isPerson) return complain(terminal, found.problem, EXIT.usage)
  const runs = await operations.history({ issue, repo: 'problem' in found ? '' : found.repo })
  if (json === true) terminal.write(JSON.stringify(runs, null, 2))
  else if (runs.length === 0) terminal.write(`No run was about ${visible(issue)} yet.`)
  else terminal.write(runs.map((run) => historyText(run, terminal)).join('\n\n'))
  return EXIT.ok
}

function historyText(run: RunHistory, { paint }: Terminal): string {
  const how = run.end === null ? run.status : run.end
  const head = [paint('bold', run.run), run.name, paint(run.success === false ? 'red' : 'cyan', visible(how))]
  const since = elapsed(Date.now() - run.changedAt)
  const facts: readonly (readonly [string, string])[] = [
    ['why', run.why],
    ...run.said.map(
      ({ step, visit, outcome, by, text }) => [`${step}#${visit}`, `${outcome}, ${by}: ${text}`] as const,
    ),
    ...run.changed.map(({ step, issues }) => ['issues', `${step} changed ${issues.join(', ')}`] as const),
    ...run.comments.map(({ issue, by, text }) => [`on ${issue}`, `${by}: ${text}`] as const),
    ...(run.landed === null
      ? []
      : [['landed', `${run.landed.into} at ${run.landed.commit.slice(0, 9)}`] as const]),
    ['branch', run.branch ?? 'discarded'],
  ]
  return [
    `${head.join('  ')}  ${paint('dim', `${since} ago`)}`,
    ...facts
      .filter(([, text]) => text !== '')
      .map(([name, text]) => `  ${paint('dim', visible(name).padEnd(12))} ${indented(text)}`),
  ].join('\n')
}

/** All its lines, and nothing that could move the cursor. */
const indented = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => visible(line))
    .join(`\n${' '.repeat(15)}`)
