/** What `signalbox show RUN` tells: where it is, how it came there, what it left. */
import { existsSync } from 'node:fs'
import type { Operations, RunDetail, StoredEvent } from '../../host/operations.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { RunEvent } from '../../model/event.ts'
import { usageText } from '../commands/ps.ts'
import { openIn } from '../decision/find.ts'
import { questionText } from '../decision/question-text.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { plural, type Terminal, visible } from '../terminal/terminal.ts'
import { lineOf } from './timeline.ts'
import { heldIn } from './unconfined.ts'

export interface ShowOptions {
  readonly json?: boolean
}

export async function showRun(
  prefix: string,
  options: ShowOptions,
  { terminal, operations }: { readonly terminal: Terminal; readonly operations: Operations },
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const detail = await operations.show(found.run)
  if ('problem' in detail) return complain(terminal, detail.problem, EXIT.failed)
  const events = await operations.events(found.run, 0)
  const drift = await driftOf(detail)
  if (options.json === true)
    terminal.write(JSON.stringify({ ...detail, drift, events: events.map(({ data }) => data) }, null, 2))
  else {
    const asked = await openIn(operations, found.run)
    terminal.write(showText(detail, { events, drift, asked }, terminal))
  }
  return detail.row.status === 'waiting' ? EXIT.waiting : EXIT.ok
}

/** What became of the branch it came from, and of its work there. */
function movedText({ row, work }: RunDetail, paint: Terminal['paint']): [string, string][] {
  if (work === null) return []
  const { into, ahead, behind, merged } = work
  const lines: [string, string][] = []
  if (merged && ahead > 0) lines.push(['work', `${into} has all of it`])
  else if (ahead > 0) lines.push(['work', `${plural(ahead, 'commit')} that ${into} has not got`])
  if (behind > 0 && !merged)
    lines.push([
      'base',
      paint('yellow', `${into} has moved on by ${plural(behind, 'commit')}`) +
        paint('dim', `  signalbox update ${row.run} brings them in`),
    ])
  return lines
}

/** Whether the file on disk still says what the run was started with. */
async function driftOf({ row }: RunDetail): Promise<string> {
  if (!existsSync(row.runbook)) return 'the file is gone; the run keeps its own copy'
  const [{ compileFile }, { digestOf }] = await Promise.all([
    import('../runbooks/sources.ts'),
    import('../../model/digest.ts'),
  ])
  const { program } = await compileFile(row.runbook)
  if (program === null) return 'the file has changed and does not pass any more; the run keeps its own copy'
  return digestOf(program) === row.program ? '' : 'the file has changed since; the run keeps its own copy'
}

function showText(
  detail: RunDetail,
  {
    events,
    drift,
    asked,
  }: {
    readonly events: readonly StoredEvent[]
    readonly drift: string
    readonly asked: readonly DecisionRecord[]
  },
  terminal: Terminal,
): string {
  const { row, placement, artifacts, vars } = detail
  const { paint } = terminal
  const { totals, budgets } = row
  const facts: [string, string][] = [
    ['run', `${row.run}  ${row.name}`],
    [
      'status',
      row.status === 'ended'
        ? `ended as ${row.end}`
        : `${row.status === 'taken' ? `paused, taken over by ${row.takenBy ?? 'somebody'},` : row.status}${row.step === null ? '' : ` at ${row.step} (visit ${row.visit})`}`,
    ],
    [
      'runbook',
      `${row.runbook}  ${paint('dim', row.program.slice(0, 12))}${drift === '' ? '' : paint('yellow', `  (${drift})`)}`,
    ],
    ...(row.issue === null ? [] : [['issue', `${row.issue.id}  ${row.issue.title}`] as [string, string]]),
    ...Object.entries(vars).map(([name, value]): [string, string] => [`var ${name}`, value]),
    ...Object.entries(placement.commands ?? {}).map(([name, run]): [string, string] => [`run.${name}`, run]),
    ['branch', `${placement.branch}  from ${placement.base} (${placement.baseCommit.slice(0, 9)})`],
    ...movedText(detail, paint),
    ['worktree', row.discarded ? paint('dim', 'discarded') : placement.worktree],
    [
      'so far',
      `${plural(totals.visits, 'visit')}, ${plural(totals.dispatches, 'dispatch', 'dispatches')}, ${plural(totals.flowQuestions + totals.agentQuestions, 'question')}${row.extended ? ' (course changed by a person: outside the certificate)' : ''}`,
    ],
    ['used', usageText(row.usage) === '·' ? 'nothing told' : usageText(row.usage)],
    ...(Object.keys(budgets).length === 0
      ? []
      : [
          [
            'budgets left',
            Object.entries(budgets)
              .map(([name, left]) => `${name} ${left}`)
              .join(', '),
          ] as [string, string],
        ]),
    ...Object.entries(artifacts).map(([name, digest]): [string, string] => [
      'kept',
      `${visible(name)}  ${paint('dim', digest.slice(0, 12))}`,
    ]),
  ]
  const told = events.map(({ data }) => data as RunEvent)
  const held = heldIn(told)
  if (held !== undefined)
    facts.push(['held by', held === 'none' ? paint('yellow', 'nothing: no sandbox') : held])
  const width = Math.max(...facts.map(([name]) => name.length))
  const story = told.flatMap((event) => lineOf(event, row.startedAt, paint) ?? [])
  return [
    ...facts.map(([name, text]) => `${paint('dim', name.padEnd(width))}  ${text}`),
    '',
    ...story,
    ...asked.map((record) => questionText(record, terminal)),
    ...(asked.length === 0
      ? []
      : ['', `  To answer: ${paint('bold', `signalbox decision answer ${row.run} CHOICE`)}`]),
  ].join('\n')
}
