/** `decision list`: what lies with people, most costly delay first; or what became of the rest. */
import type { DecisionQuery, ListedDecision } from '../../host/inbox/decisions.ts'
import { actorText } from '../../model/answer.ts'
import { DECISION_STATUSES, type DecisionStatus, isPending } from '../../model/decision-record.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { type Column, type Terminal, visible } from '../terminal/terminal.ts'
import { ageText } from './age.ts'
import { columnsOf, fitted } from './columns.ts'
import type { AtDoor } from './find.ts'

export interface ListOptions {
  readonly all?: boolean
  readonly status?: string
  readonly run?: string
  readonly kind?: string
  readonly agent?: string
  readonly assignee?: string
  readonly repo?: string
  readonly snoozed?: boolean
  readonly each?: boolean
  readonly cursor?: string
  readonly limit: number
  readonly json?: boolean
}

export async function listDecisions(
  options: ListOptions,
  { terminal, operations, columns, now }: AtDoor & { readonly columns: number; readonly now: number },
): Promise<number> {
  const run = options.run === undefined ? null : await operations.find(options.run)
  if (run !== null && 'problem' in run) return complain(terminal, run.problem, EXIT.usage)
  const query = queryOf({ ...options, ...run })
  if ('problem' in query) return complain(terminal, query.problem, EXIT.usage)
  const page = await operations.decisions.list(query)
  if ('problem' in page) return complain(terminal, page.problem, EXIT.failed)
  const { rows, next } = page
  if (options.json === true) terminal.write(JSON.stringify(page, null, 2))
  else if (rows.length === 0)
    terminal.write(query.status === 'pending' ? 'Nobody waits for you.' : 'There is no such decision.')
  else {
    terminal.write(
      listText(options.each === true ? rows.map((row) => ({ ...row, group: 1 })) : folded(rows), {
        paint: terminal.paint,
        columns,
        now,
      }),
    )
    if (next !== null)
      terminal.write(terminal.paint('dim', `\nThere are more: add --cursor ${next} to see them.`))
  }
  return rows.some(isPending) ? EXIT.waiting : EXIT.ok
}

const STATUSES = ['pending', 'closed', 'all', ...DECISION_STATUSES] as const

function queryOf(options: ListOptions): DecisionQuery | { readonly problem: string } {
  const { all, status, run, kind, agent, assignee, repo, snoozed, cursor, limit } = options
  const asked = status ?? (all === true ? 'all' : 'pending')
  const known = STATUSES.find((each): each is 'pending' | DecisionStatus => each === asked)
  if (known === undefined)
    return { problem: `There is no status "${asked}". It is one of ${STATUSES.join(', ')}.` }
  return {
    status: known,
    ...(run === undefined ? {} : { run }),
    ...(kind === undefined ? {} : { kind }),
    ...(agent === undefined ? {} : { agent }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(repo === undefined ? {} : { repo }),
    ...(snoozed === true || all === true ? { snoozed: true } : {}),
    cursor: cursor ?? null,
    limit,
  }
}

/** Equal questions once, where the first of them stands. */
export function folded(rows: readonly ListedDecision[]): readonly ListedDecision[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    if (row.group <= 1 || !isPending(row)) return true
    if (seen.has(row.alike)) return false
    seen.add(row.alike)
    return true
  })
}

export function listText(
  rows: readonly ListedDecision[],
  {
    paint,
    columns,
    now,
  }: { readonly paint: Terminal['paint']; readonly columns: number; readonly now: number },
): string {
  const onlyOpen = rows.every(({ status }) => status === 'open')
  const cells = rows.map((row) => [
    row.id,
    waitsText(row, now),
    row.urgency === 'high' ? '!' : row.urgency === 'low' ? '·' : '',
    ...(onlyOpen ? [] : [row.status]),
    visible(fromText(row)),
    visible(row.headline),
    visible(lastCell(row, { onlyOpen })),
  ])
  const heads: readonly Column[] = [
    { head: 'ID', paint: (cell) => paint('bold', cell) },
    { head: 'WAITS', right: true },
    { head: '', paint: (cell) => paint('red', cell) },
    ...(onlyOpen ? [] : [{ head: 'STATUS' }]),
    { head: 'FROM' },
    { head: 'QUESTION' },
    { head: onlyOpen ? 'RECOMMENDED' : 'ANSWER', paint: (cell) => paint('green', cell) },
  ]
  return fittedTable(heads, cells, columns)
}

function waitsText(
  { status, openedAt, answeredAt, closedAt, snoozedUntil }: ListedDecision,
  now: number,
): string {
  if (snoozedUntil !== null && snoozedUntil > now) return `zz ${ageText(snoozedUntil - now)}`
  return ageText((status === 'open' ? now : (answeredAt ?? closedAt ?? now)) - openedAt)
}

const fromText = ({ run, step, asker }: ListedDecision): string =>
  run === null ? (asker?.agent ?? 'outside') : `${run}${step === null ? '' : ` ${step}`}`

function lastCell(
  { by, pick, recommended, group, assignee, delivery, status }: ListedDecision,
  { onlyOpen }: { readonly onlyOpen: boolean },
): string {
  if (status === 'undeliverable') return `${pick} not delivered: ${delivery.trouble}`
  if (by !== null) return `${pick === '' ? 'in words' : pick} (${actorText(by)})`
  if (status !== 'open') return ''
  const would = recommended === null ? '' : onlyOpen ? recommended : `recommended: ${recommended}`
  return [would, group > 1 ? `×${group}` : '', assignee === null ? '' : `for ${assignee}`]
    .filter((part) => part !== '')
    .join('  ')
}

const LEAST_QUESTION = 24

/** The question gives way first, then where it is from; on paper nothing does. */
function fittedTable(
  heads: readonly Column[],
  rows: readonly (readonly string[])[],
  columns: number,
): string {
  const widths = heads.map(({ head }, index) =>
    Math.max(columnsOf(head), ...rows.map((row) => columnsOf(row[index] ?? ''))),
  )
  const question = heads.findIndex(({ head }) => head === 'QUESTION')
  for (const [index, least] of [
    [question, LEAST_QUESTION],
    [heads.length - 1, 11],
    [question - 1, 12],
    [question, 12],
  ] as const) {
    const over = widths.reduce((sum, width) => sum + width + 2, -2) - columns
    if (over > 0) widths[index] = Math.max(Math.min(widths[index]!, least), widths[index]! - over)
  }
  const line = (cells: readonly string[], paints: readonly Column['paint'][]): string =>
    cells
      .map((cell, index) => {
        const text = fitted(cell, widths[index]!)
        const pad = ' '.repeat(widths[index]! - columnsOf(text))
        const painted = text === '' ? text : (paints[index]?.(text) ?? text)
        return heads[index]?.right === true ? pad + painted : painted + pad
      })
      .join('  ')
      .trimEnd()
  const paints = heads.map(({ paint }) => paint)
  const names = heads.map(({ head }) => head)
  return [line(names, []), ...rows.map((row) => line(row, paints))].join('\n')
}
