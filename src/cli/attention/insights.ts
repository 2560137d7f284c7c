/** `signalbox insights`: what asking and answering comes to, on one page. */
import {
  type Calibration,
  type CalibrationGroup,
  CONFIDENCES,
  type Share,
} from '../../attention/calibration.ts'
import { type Insights, insightsOf, type Spread } from '../../attention/insights.ts'
import type { Operations } from '../../host/operations.ts'
import { keptProgram, usableProgram } from '../../host/runs/kept-program.ts'
import type { RunRow } from '../../host/runs/projection.ts'
import { formatDuration } from '../../model/duration.ts'
import { elapsed } from '../../model/elapsed.ts'
import { orAltered } from '../../model/failure.ts'
import { certify } from '../../runbook/proof/certificate.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { type Column, type Terminal, table, visible } from '../terminal/terminal.ts'
import { readHistory } from './decision-history.ts'

export interface InsightsOptions {
  /** How far back, in milliseconds. */
  readonly since: number
  readonly json?: boolean
}

const MOST_RUNS = 1000
/** Proving takes a moment for each program. */
const MOST_PROGRAMS = 20

export async function insights(
  { since, json }: InsightsOptions,
  {
    terminal,
    operations,
    now,
  }: { readonly terminal: Terminal; readonly operations: Operations; readonly now: number },
): Promise<number> {
  const sinceAt = now - since
  const decisions = await readHistory(operations, { status: 'all', sinceAt })
  const all = await operations.runs({ all: true, limit: MOST_RUNS })
  const runs = all.filter(({ startedAt }) => startedAt >= sinceAt)
  const { bounds, problems } = await boundsOf(operations, runs)
  const found = insightsOf({ decisions, runs, boundOf: (program) => bounds.get(program) ?? null })
  if (json === true) terminal.write(JSON.stringify({ since: sinceAt, ...found }, null, 2))
  else terminal.write(pageText(found, { since, terminal }))
  for (const problem of problems) complain(terminal, problem, EXIT.ok)
  return EXIT.ok
}

/** What was proved of the programs as they were when they ran. */
async function boundsOf(
  operations: Operations,
  runs: readonly RunRow[],
): Promise<{ readonly bounds: ReadonlyMap<string, number>; readonly problems: readonly string[] }> {
  const programs = [...new Set(runs.map(({ program }) => program))].slice(0, MOST_PROGRAMS)
  const bounds = new Map<string, number>()
  const problems: string[] = []
  for (const digest of programs) {
    const proved = await orAltered(async () => {
      const program = await keptProgram({ fetch: (bytes) => operations.kept(bytes) }, digest)
      return usableProgram(digest, () => certify(program))
    })
    if ('problem' in proved) problems.push(proved.problem)
    else bounds.set(digest, proved.worst.questions)
  }
  return { bounds, problems }
}

function pageText(
  found: Insights,
  { since, terminal }: { readonly since: number; readonly terminal: Terminal },
): string {
  const { paint } = terminal
  const title = (text: string): string => paint('bold', text)
  return [
    title(`Decisions of the last ${formatDuration(since)}: ${found.decisions}`),
    ...(found.decisions === 0
      ? []
      : [countsText(found), `  ${timeText(found.timeToAnswer, 'time to answer')}`]),
    '',
    title('Recommendations that people took, by stated confidence'),
    calibrationText(found.calibration, terminal),
    '',
    title(`Finished runs: ${found.runs.finished}`),
    ...(found.runs.finished === 0 ? [] : runsText(found.runs, terminal)),
  ].join('\n')
}

function countsText({ decisions, byPerson, byPolicy, overAsked, ended }: Insights): string {
  const lines: [string, number, string][] = [
    ['answered by people', byPerson, ''],
    ['answered by policy', byPolicy, ''],
    ['still open', ended.open, ''],
    ['expired', ended.expired, ''],
    ['withdrawn', ended.withdrawn, ''],
    ['superseded', ended.superseded, ''],
    ['undeliverable', ended.undeliverable, ''],
    ['over-asked', overAsked, 'recommended with 0.9 or more, can be undone, and was taken'],
  ]
  return table(
    [{ head: '' }, { head: '', right: true }, { head: '', right: true }, { head: '' }],
    lines
      .filter(([, count]) => count > 0)
      .map(([name, count, note]) => [name, `${count}`, percent({ taken: count, of: decisions }), note]),
  )
    .split('\n')
    .slice(1)
    .join('\n')
}

function calibrationText(
  { all, agents, programs, models, kinds }: Insights['calibration'],
  { paint }: Terminal,
): string {
  if (all.of === 0) return '  Nobody answered a decision that came with a recommendation.'
  const row = (label: string, group: Calibration): string[] => [
    label,
    shareText(group),
    ...CONFIDENCES.map((confidence) => shareText(group.byConfidence[confidence])),
  ]
  const rows = (noun: string, groups: readonly CalibrationGroup[]): string[][] =>
    groups.map((group) => row(`${noun} ${visible(group.name)}`, group))
  const columns: Column[] = [
    { head: '' },
    ...['ALL', ...CONFIDENCES.map((confidence) => confidence.toUpperCase())].map((head) => ({
      head,
      right: true,
      paint: (cell: string) => paint(cell === '·' ? 'dim' : 'reset', cell),
    })),
  ]
  return table(columns, [
    row('all', all),
    ...rows('agent', agents),
    ...rows('program', programs),
    ...rows('model', models),
    ...rows('kind', kinds),
  ])
}

function runsText({ attention, questions }: Insights['runs'], { paint }: Terminal): string[] {
  return [
    `  ${timeText(attention, "people's time a run")}, ${elapsed(attention.meanMs ?? 0)} on average`,
    paint(
      'dim',
      '  (at most: from when a question opened, or the same person last answered, to the answer; 5 minutes a question)',
    ),
    '',
    table(
      [
        { head: 'RUNBOOK' },
        { head: 'PROGRAM', paint: (cell) => paint('dim', cell) },
        { head: 'RUNS', right: true },
        { head: 'QUESTIONS A RUN', right: true },
        { head: 'MOST', right: true },
        { head: 'PROVED AT MOST', right: true },
        { head: '' },
      ],
      questions.map(({ name, program, runs, mean, most, bound, extended }) => [
        visible(name),
        program.slice(0, 8),
        `${runs}`,
        mean.toFixed(1),
        `${most}`,
        bound === null ? '·' : `${bound}`,
        extended === 0 ? '' : `${extended} extended by people, not counted`,
      ]),
    ),
  ]
}

const timeText = ({ medianMs, p90Ms }: Spread, what: string): string =>
  medianMs === null || p90Ms === null
    ? `${what}: nothing to tell`
    : `${what}: half within ${elapsed(medianMs)}, nine of ten within ${elapsed(p90Ms)}`

const percent = ({ taken, of }: Share): string => `${Math.round((taken / of) * 100)} %`

const shareText = (share: Share): string =>
  share.of === 0 ? '·' : `${share.taken}/${share.of} ${percent(share)}`
