/** A decision as it is put before somebody: what it is about, what they should know, and the ways to go on. */
import type { DecisionRecord, Shown, ShownCommand, ShownOption } from '../../model/decision-record.ts'
import { fieldsNeeded } from '../../model/field-values.ts'
import { UNCONFINED } from '../runs/unconfined.ts'
import { type Terminal, visible } from '../terminal/terminal.ts'
import { ageText, whenText } from './age.ts'
import { columnsOf, fitted, padded, wrapped } from './columns.ts'

export interface Look {
  readonly paint: Terminal['paint']
  readonly columns: number
  readonly now: number
  /** Of a long text only so many lines are shown. */
  readonly mostLines: number
}

export const cardLines = (record: DecisionRecord, look: Look): string[] => [
  ...headingLines(record.shown, look),
  '',
  ...wrapped(originText(record, look.now), look.columns).map((line) => look.paint('dim', line)),
  ...(record.confined === 'none' ? wrapped(UNCONFINED, look.columns) : []).map((line) =>
    look.paint('yellow', line),
  ),
  ...contextLines(record.shown, look),
  ...anyAnswerLines(record.shown, look),
  '',
  ...record.shown.options.flatMap((option, index) => [
    ...(index === 0 || look.mostLines < ROOMY ? [] : ['']),
    ...optionLines(record.shown, { option, number: index + 1 }, look),
  ]),
]

/** Whole, however little room there is: whoever answers has it run. */
const commandLines = (
  { command, step, folder, held }: ShownCommand,
  { paint, columns }: Pick<Look, 'paint' | 'columns'>,
): string[] => {
  const where = [
    ...(step === '' ? [] : [`at ${step}`]),
    ...(folder === '' ? [] : [`in ${folder}`]),
    ...(held === 'none' ? ['outside any sandbox'] : []),
  ].join(', ')
  return [
    ...wrapped(visible(`runs ${where}:`), columns).map((line) =>
      paint(held === 'none' ? 'yellow' : 'dim', line),
    ),
    ...command
      .split('\n')
      .flatMap((line) => wrapped(visible(line.replaceAll('\t', '  ')), columns - 2))
      .map((line) => `${paint('dim', '$')} ${line}`),
  ]
}

const anyAnswerLines = ({ runs = [] }: Shown, look: Look): string[] =>
  runs.length === 0
    ? []
    : ['', look.paint('cyan', 'whatever you answer'), ...runs.flatMap((run) => commandLines(run, look))]

/** Where there is less room for texts than this, there is none between options. */
const ROOMY = 6

function headingLines({ headline, question, detail }: Shown, { paint, columns, mostLines }: Look): string[] {
  const asks = question === headline ? '' : question
  return [
    ...wrapped(visible(headline), columns).map((line) => paint('bold', line)),
    ...(asks === '' ? [] : wrapped(visible(asks), columns)),
    ...(detail.trim() === '' ? [] : ['', ...clipped(detail, { columns, mostLines })]),
  ]
}

/** Who asks, from where, and how long there is. */
function originText(record: DecisionRecord, now: number): string {
  const { asker, run, step, runbook, kind, urgency, openedAt, expiresAt, snoozedUntil, assignee } = record
  const program = asker === null ? '' : [asker.program, asker.version].filter((text) => text !== '').join(' ')
  const parts = [
    asker === null
      ? ''
      : program === '' || program === asker.agent
        ? asker.agent
        : `${asker.agent} (${program})`,
    run === null ? 'outside any run' : `run ${run}${step === null ? '' : ` at ${step}`}`,
    runbook === '' ? '' : (runbook.split('/').at(-1) ?? ''),
    kind,
    urgency === 'normal' ? '' : `${urgency} urgency`,
    record.status === 'open' ? `waits ${ageText(now - openedAt)}` : '',
    expiresAt === null || record.status !== 'open' ? '' : `expires ${whenText(expiresAt, now)}`,
    snoozedUntil === null || snoozedUntil <= now ? '' : `asleep, wakes ${whenText(snoozedUntil, now)}`,
    assignee === null ? '' : `for ${assignee}`,
  ]
  return visible(parts.filter((part) => part !== '').join(' · '))
}

const contextLines = ({ context, proposed }: Shown, look: Look): string[] => [
  ...Object.entries(context).flatMap(([name, text]) => block(name, text, look)),
  ...Object.entries(proposed).flatMap(([name, value]) =>
    block(`proposed ${name}`, typeof value === 'string' ? value : JSON.stringify(value, null, 2), look),
  ),
]

function block(name: string, text: string, { paint, columns, mostLines }: Look): string[] {
  if (text.trim() === '') return []
  const lines = clipped(text, { columns: columns - 2, mostLines })
  return ['', paint('cyan', visible(name)), ...lines.map((line) => `${paint('dim', '│')} ${line}`)]
}

function clipped(text: string, { columns, mostLines }: Pick<Look, 'columns' | 'mostLines'>): string[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapped(visible(line.replaceAll('\t', '  ')), columns))
  return lines.length <= mostLines + 1
    ? lines
    : [...lines.slice(0, mostLines), `… ${lines.length - mostLines} more lines`]
}

function optionLines(
  { options, recommended, fields, proposed }: Shown,
  { option, number }: { readonly option: ShownOption; readonly number: number },
  { paint, columns, mostLines }: Look,
): string[] {
  const { key, label, body, reversible, confidence, leadsTo, runs = [] } = option
  const keyWidth = Math.min(20, Math.max(...options.map((each) => each.key.length)))
  const shownKey = padded(key, keyWidth)
  const whole = label === '' || label === key ? '' : visible(label)
  const room = Math.max(8, columns - 6 - columnsOf(shownKey))
  const isLong = columnsOf(whole) > room
  const shownLabel = whole === '' || isLong ? '' : `  ${whole}`
  const needed = fieldsNeeded({ fields, proposed }, key).map(({ name }) => visible(name))
  const marks: (readonly [Parameters<Look['paint']>[0], string])[] = [
    ...(key === recommended ? [['green', 'recommended'] as const] : []),
    ...(confidence === null ? [] : [['dim', `${Math.round(confidence * 100)} % sure`] as const]),
    ...(reversible ? [] : [['red', 'cannot be undone'] as const]),
    ...(needed.length === 0 ? [] : [['yellow', `needs ${needed.join(', ')}`] as const]),
    ...(leadsTo === ''
      ? []
      : [['dim', `→ ${fitted(visible(leadsTo), Math.max(24, columns >> 1))}`] as const]),
  ]
  const indent = ' '.repeat(4)
  const line = `${paint('magenta', String(number).padStart(2))}  ${paint('bold', shownKey)}${shownLabel}`
  const told = marks.map(([style, text]) => paint(style, text)).join(paint('dim', ' · '))
  const used = 6 + columnsOf(shownKey + shownLabel) + columnsOf(marks.map(([, text]) => text).join(' · '))
  return [
    ...(marks.length === 0 ? [line] : used <= columns ? [`${line}  ${told}`] : [line, `${indent}${told}`]),
    ...(isLong ? wrapped(whole, columns - indent.length).map((part) => `${indent}${part}`) : []),
    ...(body.trim() === '' || body === label
      ? []
      : clipped(body, { columns: columns - indent.length, mostLines }).map((line) => `${indent}${line}`)),
    ...runs
      .flatMap((run) => commandLines(run, { paint, columns: columns - indent.length }))
      .map((line) => `${indent}${line}`),
  ]
}
