/** `signalbox prune`: runs that are over, away from the record and the disk; first what would go, then the question. */
import type { Operations } from '../../host/operations.ts'
import type { PruneOrder, PruneReport } from '../../model/api/record.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { consent } from '../terminal/consent.ts'
import { plural, type Terminal, table, visible } from '../terminal/terminal.ts'
import type { CommandSetting } from '../wiring.ts'
import { sizeText } from './size-text.ts'

export interface PruneOptions {
  readonly olderThan?: number
  readonly state?: readonly string[]
  readonly unmerged?: boolean
  readonly reason: string
  readonly yes?: boolean
  readonly json?: boolean
}

const DAY_MS = 86_400_000
const DEFAULT_AGE_MS = 30 * DAY_MS

export interface Asking {
  readonly operations: Operations
  readonly setting: CommandSetting
}

export async function prune(
  prefixes: readonly string[],
  options: PruneOptions,
  asking: Asking,
): Promise<number> {
  const runs = await namedRuns(prefixes, asking)
  if (typeof runs === 'number') return runs
  const isAnyNamed = runs.length > 0 || options.state !== undefined || options.olderThan !== undefined
  return takeAway(
    {
      what: 'prune',
      runs: runs.length === 0 ? null : runs,
      olderThanMs: options.olderThan ?? (isAnyNamed ? null : DEFAULT_AGE_MS),
      states: options.state ?? null,
      unmerged: options.unmerged === true ? 'take' : 'keep',
      reason: options.reason,
    },
    options,
    asking,
  )
}

/** Whichever word it was asked for with. */
export async function takeAway(
  order: Omit<PruneOrder, 'dry'>,
  { yes, json }: Pick<PruneOptions, 'yes' | 'json'>,
  { operations, setting }: Asking,
): Promise<number> {
  const { terminal } = setting
  const foreseen = await operations.prune({ ...order, dry: true })
  if (json !== true || yes !== true || foreseen.runs.length === 0) say(foreseen, json, terminal)
  if (foreseen.runs.length === 0) return order.runs === null ? EXIT.ok : EXIT.failed
  const answer = await consent(yes === true ? 'given' : 'asked', setting)
  if (answer === 'unasked')
    return complain(terminal, 'Nothing was done. Nobody sits here to be asked: --yes does it.', EXIT.usage)
  if (answer === 'no') return EXIT.interrupted
  const gone = await operations.prune({ ...order, dry: false })
  if (json === true) terminal.write(JSON.stringify(gone, null, 2))
  else terminal.write(goneText(gone, foreseen))
  return gone.runs.length === foreseen.runs.length ? EXIT.ok : EXIT.failed
}

export async function namedRuns(
  prefixes: readonly string[],
  { operations, setting }: Asking,
): Promise<string[] | number> {
  const runs: string[] = []
  for (const prefix of prefixes) {
    const found = await operations.find(prefix)
    if ('problem' in found) return complain(setting.terminal, found.problem, EXIT.usage)
    runs.push(found.run)
  }
  return runs
}

function say(report: PruneReport, json: boolean | undefined, terminal: Terminal): void {
  if (json === true) terminal.write(JSON.stringify(report, null, 2))
  else terminal.write(reportText(report, terminal))
}

/** What was to go and did not is told with why. */
function goneText(gone: PruneReport, foreseen: PruneReport): string {
  const known = new Set(foreseen.kept.map(({ run }) => run))
  const told =
    gone.runs.length === 0
      ? 'No run was taken away.'
      : `${plural(gone.runs.length, 'run')} taken away. A tombstone in the record says so.`
  return [told, ...gone.kept.filter(({ run }) => !known.has(run)).map(keptText)].join('\n')
}

const keptText = ({ run, why }: PruneReport['kept'][number]): string => `Kept: ${run}, for ${visible(why)}.`

function reportText({ runs, kept }: PruneReport, terminal: Terminal): string {
  const size = runs.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = runs.map(({ run, name, end, endedAt, bytes }) => [
    run,
    visible(name),
    end,
    new Date(endedAt).toISOString().slice(0, 10),
    sizeText(bytes),
  ])
  return [
    ...(runs.length === 0
      ? ['No run is to go.']
      : [
          table(
            [
              { head: 'RUN', paint: (cell: string) => terminal.paint('bold', cell) },
              { head: 'RUNBOOK' },
              { head: 'END' },
              { head: 'ENDED' },
              { head: 'ON DISK', right: true },
            ],
            rows,
          ),
          '',
          `${plural(runs.length, 'run')} would go, with worktree, branch, log and record: ${sizeText(size)}.`,
        ]),
    ...kept.map(keptText),
  ].join('\n')
}
