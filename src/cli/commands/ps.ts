/** `signalbox ps`: what is going on, newest first. */
import type { Command } from 'commander'
import { homeAt } from '../../host/machine/home.ts'
import type { Operations } from '../../host/operations.ts'
import type { RunRow } from '../../host/runs/projection.ts'
import { elapsed } from '../../model/elapsed.ts'
import { daySpendingText, isLimitedByDay } from '../../model/spending.ts'
import { readEnvironment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { unknownWorktrees } from '../runs/unknown-worktrees.ts'
import { wholeNumber } from '../terminal/number.ts'
import { type Terminal, table } from '../terminal/terminal.ts'
import { type Wiring, withOperations } from '../wiring.ts'

export function addPs(program: Command, wiring: Wiring): void {
  const { terminal, finish } = wiring
  program
    .command('ps')
    .description('what is going on')
    .option('--all', 'what has ended too')
    .option('--limit <n>', 'at most so many', wholeNumber, 50)
    .option('--json', 'print as JSON')
    .action(async (options: PsOptions) =>
      finish(
        await withOperations(wiring, (operations, { remote, hosting }) =>
          ps(options, terminal, {
            operations,
            isHosted: remote !== null || hosting === null,
            unknown: () => unknownWorktrees(homeAt(readEnvironment(process.env).home), operations),
          }),
        ),
      ),
    )
}

export interface PsOptions {
  readonly all?: boolean
  readonly limit: number
  readonly json?: boolean
}

interface Asked {
  readonly operations: Operations
  readonly isHosted: boolean
  /** What lies here of runs that nobody knows; asked where there is nothing else to show. */
  readonly unknown?: () => Promise<string | null>
}

export async function ps(
  options: PsOptions,
  terminal: Terminal,
  { operations, isHosted, unknown }: Asked,
): Promise<number> {
  const rows = await operations.runs({ all: options.all === true, limit: options.limit })
  if (options.json === true) terminal.write(JSON.stringify(rows, null, 2))
  else if (rows.length === 0) terminal.write(await nothingText(options, unknown))
  else {
    terminal.write(psTable(rows, terminal, Date.now()))
    const { limits, spent, closedUntil } = await operations.spending()
    if (isLimitedByDay(limits))
      terminal.write(
        `\n${terminal.paint(closedUntil === null ? 'dim' : 'yellow', `Used today over all runs: ${daySpendingText(limits, spent)}.${closedUntil === null ? '' : ' No agent is begun before tomorrow, or you allow more: signalbox inbox'}`)}`,
      )
    if (!isHosted && rows.some(({ status }) => status !== 'ended'))
      terminal.write(`\n${terminal.paint('yellow', NOBODY_HOSTS)}`)
  }
  return rows.some(({ status }) => status === 'waiting') ? EXIT.waiting : EXIT.ok
}

const NOBODY_HOSTS =
  'Nobody hosts: nothing moves until signalbox up, or signalbox attach RUN, takes it up again. Answers are kept meanwhile.'

/** An emptied journal has nothing to show either, and files of runs beside it. */
async function nothingText({ all }: PsOptions, unknown: Asked['unknown']): Promise<string> {
  const files = (await unknown?.()) ?? null
  if (files !== null) return `No runs are known, but ${files} signalbox doctor tells more.`
  return all === true
    ? 'No runs yet. signalbox run RUNBOOK starts one.'
    : 'Nothing is going on. signalbox ps --all shows what has ended.'
}

function psTable(rows: readonly RunRow[], { paint }: Terminal, now: number): string {
  return table(
    [
      { head: 'RUN', paint: (cell) => paint('bold', cell) },
      { head: 'RUNBOOK' },
      { head: 'STATUS', paint: (cell) => paint(STYLES[cell] ?? 'dim', cell) },
      { head: 'STEP' },
      { head: 'ISSUE' },
      { head: 'AGE', right: true },
      { head: 'USED', right: true },
      { head: 'REPOSITORY', paint: (cell) => paint('dim', cell) },
    ],
    rows.map((row) => [
      row.run,
      row.name,
      row.status === 'ended' ? (row.end ?? 'ended') : row.status,
      row.step === null ? '·' : row.visit === 1 ? row.step : `${row.step} #${row.visit}`,
      row.issue?.id ?? '·',
      elapsed(now - row.startedAt),
      usageText(row.usage),
      row.repo,
    ]),
    '',
  )
}

const STYLES: Readonly<Record<string, Parameters<Terminal['paint']>[0]>> = {
  working: 'cyan',
  waiting: 'magenta',
  parked: 'yellow',
  taken: 'yellow',
  done: 'green',
  abandoned: 'red',
  cancelled: 'red',
}

/** What has no price is not shown as free. */
export function usageText({ costUsd, tokens, unpriced }: RunRow['usage']): string {
  if (tokens === 0 && costUsd === 0) return '·'
  const price = costUsd >= 0.005 ? `$${costUsd.toFixed(2)}` : costUsd > 0 ? '<$0.01' : ''
  const rest =
    unpriced > 0 ? `${count(unpriced)} tokens unpriced` : costUsd > 0 ? '' : `${count(tokens)} tokens`
  return [price, rest].filter((text) => text !== '').join(' + ')
}

const count = (number: number): string =>
  number >= 1_000_000
    ? `${(number / 1_000_000).toFixed(1)}M`
    : number >= 10_000
      ? `${Math.round(number / 1000)}k`
      : `${number}`
