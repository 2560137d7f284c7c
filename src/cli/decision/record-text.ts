/** `decision show`: the card, and everything that became of it. */
import { actorText } from '../../model/answer.ts'
import type { DecisionRecord, Shown } from '../../model/decision-record.ts'
import { elapsed } from '../../model/elapsed.ts'
import { type Change, changesBetween } from '../../model/shown-difference.ts'
import { visible } from '../terminal/terminal.ts'
import { whenText } from './age.ts'
import { cardLines, type Look } from './card.ts'
import { wrapped } from './columns.ts'

export function recordText(
  record: DecisionRecord,
  { before, look }: { readonly before: DecisionRecord | null; readonly look: Look },
): string {
  const { paint } = look
  const facts: readonly (readonly [string, string])[] = [
    ['id', `${record.id}  ${statusText(record, look)}`],
    ...answerFacts(record),
    ...(record.undoableUntil === undefined
      ? []
      : [
          [
            'held',
            `${heldText(record.undoableUntil, look.now)}: signalbox decision undo ${record.id}`,
          ] as const,
        ]),
    ...(record.did === '' ? [] : [['then', record.did] as const]),
    ...deliveryFacts(record, look.now),
    ...(record.outran ?? []).map((did) => ['went on with', did] as const),
    ...(record.supersededBy === null ? [] : [['replaced by', record.supersededBy] as const]),
    ['stages', stagesText(record)],
  ]
  const width = Math.max(...facts.map(([name]) => name.length))
  return [
    ...cardLines(record, look),
    '',
    ...facts.flatMap(([name, text]) => factLines({ name: name.padEnd(width), text }, look)),
    ...(before === null ? [] : ['', ...replacedLines(before, record, look)]),
    ...(record.earlier == null ? [] : ['', ...changedLines(record.earlier, record.shown, look)]),
    ...(record.status === 'open'
      ? ['', `To answer: ${paint('bold', `signalbox decision answer ${record.id} OPTION`)}`]
      : []),
  ].join('\n')
}

/** It counts when a host says so: where none is up, not even after the time. */
const heldText = (until: number, now: number): string =>
  until > now ? `counts ${whenText(until, now)}; until then` : 'counts once a host is up; until then'

const factLines = (
  { name, text }: { readonly name: string; readonly text: string },
  { paint, columns }: Look,
): string[] =>
  text
    .split('\n')
    .flatMap((line) => (line.includes('\u001B') ? [line] : wrapped(visible(line), columns - name.length - 2)))
    .map((line, index) => `${index === 0 ? paint('dim', name) : ' '.repeat(name.length)}  ${line}`)

function statusText({ status }: Pick<DecisionRecord, 'status'>, { paint }: Pick<Look, 'paint'>): string {
  return paint(STYLES[status] ?? 'dim', status)
}

const STYLES: Readonly<Record<string, Parameters<Look['paint']>[0]>> = {
  open: 'magenta',
  undeliverable: 'red',
  answered: 'yellow',
  delivered: 'cyan',
  acknowledged: 'cyan',
  acted: 'green',
}

function answerFacts({
  by,
  pick,
  note,
  edited,
  shown,
  batch,
}: DecisionRecord): (readonly [string, string])[] {
  if (by === null) return note === '' ? [] : [['why', note]]
  const option = shown.options.find(({ key }) => key === pick)
  const picked =
    pick === '' ? 'answered in words' : `picked ${pick}${option === undefined ? '' : labelOf(option)}`
  return [
    ['answer', `${actorText(by)} ${picked}${batch === null ? '' : ', together with others'}`],
    ...(note === '' ? [] : [['note', note] as const]),
    ...(edited === null ? [] : [['proposed', option?.body ?? ''] as const, ['approved', edited] as const]),
  ]
}

const labelOf = ({ key, label }: { readonly key: string; readonly label: string }): string =>
  label === '' || label === key ? '' : ` (${label})`

function deliveryFacts(
  { delivery: { failures, trouble, nextAt }, status, id }: DecisionRecord,
  now: number,
): (readonly [string, string])[] {
  const isStuck = ['answered', 'undeliverable'].includes(status)
  // A command that was given the answer and failed is given it again.
  const isAgain = nextAt !== null && ['delivered', 'acknowledged'].includes(status)
  if (trouble === '' || !(isStuck || isAgain)) return []
  const next =
    nextAt === null
      ? `To try again: signalbox decision retry ${id}`
      : `It is tried again ${whenText(nextAt, now)}.`
  return [['delivery', `failed ${failures === 1 ? 'once' : `${failures} times`}: ${trouble}\n${next}`]]
}

/** When it was raised, and how long each stage took from there. */
function stagesText({ stages, openedAt }: DecisionRecord): string {
  const began = `raised ${new Date(openedAt)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')}`
  const rest = stages
    .filter(({ status, at }) => status !== 'open' || at !== openedAt)
    .map(({ status, at }) => `${status === 'open' ? 'open again' : status} +${elapsed(at - openedAt)}`)
  return [began, ...rest].join(' → ')
}

function replacedLines(before: DecisionRecord, record: DecisionRecord, look: Look): string[] {
  const changes = changesBetween(before.shown, record.shown)
  const head = `Stands in the place of ${before.id}${changes.length === 0 ? '; what it shows is the same.' : '. What changed:'}`
  return [head, ...changes.flatMap((change) => oneChange(change, look))]
}

const changedLines = (earlier: Shown, shown: Shown, look: Look): string[] => [
  'What it shows has changed since it was raised:',
  ...changesBetween(earlier, shown).flatMap((change) => oneChange(change, look)),
]

function oneChange({ part, gone, come }: Change, { paint, columns, mostLines }: Look): string[] {
  const marked = (mark: string, style: 'red' | 'green', lines: readonly string[]): string[] => {
    const shown = lines.slice(0, mostLines)
    const rest = lines.length - shown.length
    return [
      ...shown.flatMap((line) =>
        wrapped(visible(line), columns - 4).map((each) => paint(style, `  ${mark} ${each}`)),
      ),
      ...(rest > 0 ? [paint('dim', `  ${mark} … ${rest} more lines`)] : []),
    ]
  }
  return [`  ${paint('cyan', visible(part))}`, ...marked('-', 'red', gone), ...marked('+', 'green', come)]
}
