/** One screen of the walk: a line about where one is, the card, and what can be done. As lines, for any size. */
import { actorText } from '../../model/answer.ts'
import type { Field } from '../../model/contract.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { fieldText } from '../../model/field-values.ts'
import { plural, type Terminal, visible } from '../terminal/terminal.ts'
import { cardLines } from './card.ts'
import { columnsOf, fitted, wrapped } from './columns.ts'
import { type About, currentOf, isStuck, type Sight, USUAL_SNOOZE, type Walk } from './walk.ts'

export interface Size {
  readonly paint: Terminal['paint']
  readonly columns: number
  readonly rows: number
  readonly now: number
  /** There are decisions that were not listed yet. */
  readonly more: boolean
}

export interface Screen {
  readonly lines: readonly string[]
  /** How far it is scrolled in truth. */
  readonly offset: number
  /** What was on the screen, with this. */
  readonly sight: Sight
}

/** Longer lines are hard to read. */
const WIDEST = 100

export function screenOf(walk: Walk, size: Size): Screen {
  const { paint, columns, rows } = size
  const footer = footerLines(walk, size)
  const height = Math.max(1, rows - 3 - footer.length)
  const { layout, lines: laid, isCut } = bodyOf(walk, { ...size, height })
  const body = laid.map((line) => ` ${line}`)
  const offset = Math.min(walk.offset, Math.max(0, body.length - height))
  const below = body.length - height - offset
  const rule = below > 0 ? `── ${plural(below, 'more line')} (space) ` : ''
  const shown = body.slice(offset, offset + height)
  const lines = [
    headLine(walk, size),
    paint('dim', '─'.repeat(columns)),
    ...shown,
    ...Array.from({ length: height - shown.length }, () => ''),
    paint('dim', rule + '─'.repeat(Math.max(0, columns - columnsOf(rule)))),
    ...footer,
  ]
  const shownLines = Math.max(0, Math.min(height, rows - HEAD_LINES))
  const seen = {
    layout,
    from: offset,
    to: offset + shownLines,
    of: isCut ? Number.POSITIVE_INFINITY : body.length,
  }
  return {
    lines: lines.slice(0, rows),
    offset,
    sight: layout === null ? walk.sight : seeing(walk.sight, seen),
  }
}

const HEAD_LINES = 2

interface Seen {
  readonly layout: string | null
  readonly from: number
  readonly to: number
  readonly of: number
}

/** Lines that were leapt over were not seen. */
function seeing(before: Sight, { layout, from, to: end, of }: Seen): Sight {
  const known = before.layout === layout ? before.to : 0
  const to = from <= known ? Math.max(known, end) : known
  return { layout: layout ?? '', to, all: before.all || to >= of }
}

function headLine(walk: Walk, { paint, columns, more }: Size): string {
  const { items, at, draft } = walk
  const group = currentOf(walk)?.group ?? 1
  const place = items.length === 0 ? 'empty' : `${at + 1} of ${items.length}${more ? '+' : ''}`
  const alike = group < 2 ? '' : draft.together ? `answering all ${group} together` : `×${group} ask the same`
  const gap = Math.max(1, columns - columnsOf(` Inbox  ${place}`) - columnsOf(`${alike} `))
  return ` ${paint('bold', 'Inbox')}  ${place}${' '.repeat(gap)}${paint(draft.together ? 'yellow' : 'cyan', alike)}`
}

interface Body {
  /** Of a card; null for anything else. */
  readonly layout: string | null
  readonly lines: readonly string[]
  /** Some of its texts are folded. */
  readonly isCut: boolean
}

function bodyOf(walk: Walk, { paint, columns, now, height }: Size & { readonly height: number }): Body {
  const width = Math.min(columns - 2, WIDEST)
  const plain = (...lines: readonly string[]): Body => ({ layout: null, lines, isCut: false })
  if (walk.mode.kind === 'help')
    return plain(...HELP.map(([key, text]) => `${paint('bold', key.padEnd(10))}${fitted(text, width - 10)}`))
  if (walk.mode.kind === 'gone') return plain('', ...wrapped(visible(walk.mode.why), width))
  if (walk.items.length === 0)
    return plain('', 'Nobody waits for you.', '', paint('dim', 'What comes in appears here by itself.'))
  if (walk.record === null) return plain(paint('dim', '…'))
  const { record } = walk
  const draft = draftLines(walk, record, { paint, width })
  const stuck = isStuck(walk) ? [...stuckLines(record, width).map((line) => paint('red', line)), ''] : []
  const linesOf = (mostLines: number): string[] => [
    ...stuck,
    ...cardLines(record, { paint, columns: width, now, mostLines }),
    ...draft,
  ]
  const whole = linesOf(Number.POSITIVE_INFINITY)
  const cardOf = (mostLines: number): Body => {
    const lines = linesOf(mostLines)
    return { layout: `${width} ${mostLines}`, lines, isCut: lines.join('\n') !== whole.join('\n') }
  }
  const unfolded = cardOf(Number.POSITIVE_INFINITY)
  if (walk.whole || whole.length <= height) return unfolded
  return CUTS.map(cardOf).find(({ lines }) => lines.length <= height) ?? unfolded
}

const stuckLines = ({ by, pick, delivery }: DecisionRecord, width: number): string[] =>
  wrapped(
    visible(
      `Answered by ${by === null ? 'nobody' : actorText(by)} ${pick === '' ? 'in words' : `with ${pick}`}, and not delivered: ${delivery.trouble}`,
    ),
    width,
  )

/** Lines of each long text: as many as leave the options in sight. */
const CUTS = [30, 20, 12, 8, 5, 3] as const

/** What will go with the answer. */
function draftLines(
  { draft }: Walk,
  { shown }: DecisionRecord,
  { paint, width }: { readonly paint: Terminal['paint']; readonly width: number },
): string[] {
  const parts: readonly (readonly [string, string])[] = [
    ...(draft.note === '' ? [] : [['note', draft.note] as const]),
    ...(draft.edited === null ? [] : [[`${draft.edited.pick} now means`, draft.edited.text] as const]),
    ...shown.fields.flatMap(({ name }) =>
      draft.fields[name] === undefined ? [] : [[name, draft.fields[name]] as const],
    ),
  ]
  if (parts.length === 0) return []
  const lines = parts.flatMap(([name, text]) => wrapped(`${name}: ${visible(text)}`, width))
  return ['', ...lines.map((line) => paint('yellow', line))]
}

function footerLines(walk: Walk, size: Size): string[] {
  const { paint, columns } = size
  const { mode } = walk
  switch (mode.kind) {
    case 'write':
      return [
        ` ${fitted(promptFor(mode.about, walk), columns - 2)}`,
        ...inputLines(mode.text, columns - 4).map((line) => ` ${paint('magenta', '›')} ${line}`),
        paint('dim', ' Enter takes it · Esc leaves it'),
      ]
    case 'edit-which':
      return [
        ` ${paint('magenta', fitted('Which option shall mean something else? Its number, or Esc.', columns - 2))}`,
      ]
    case 'sure':
      return [
        ` ${paint('red', fitted(`"${mode.pick}" cannot be undone. Press y to answer with it, anything else not to.`, columns - 2))}`,
      ]
    case 'busy':
      return [paint('dim', ' …')]
    case 'help':
    case 'gone':
      return [paint('dim', ' Any key goes on.')]
    case 'look':
      return [
        ...keyLines(walk, size),
        ...(walk.said === '' ? [] : [` ${paint('yellow', fitted(visible(walk.said), columns - 2))}`]),
      ]
  }
}

const MOST_INPUT_LINES = 6

/** The end of what is typed, where the typing goes on. */
const inputLines = (text: string, columns: number): string[] =>
  wrapped(`${visible(text)}▏`, columns).slice(-MOST_INPUT_LINES)

function promptFor(about: About, { record }: Walk): string {
  switch (about.kind) {
    case 'note':
      return 'A note for whoever asked. Then a number picks, or Enter sends only the words.'
    case 'snooze':
      return `Put off for how long? 30m, 2h, 1d; Enter alone for ${USUAL_SNOOZE}.`
    case 'assign':
      return 'For whom? A person or a group; nothing for whoever is there.'
    case 'edit':
      return `What ${about.pick} shall mean. Enter picks it so.`
    case 'field':
      return fieldPrompt(about.field, record?.shown.headline ?? '')
  }
}

const fieldPrompt = (field: Field, headline: string): string =>
  `${fieldText(field)}${headline === '' ? '' : ' is needed with it.'}`

const STUCK_KEYS = [
  ['r', 'deliver again'],
  ['s', 'snooze'],
  ['a', 'assign'],
] as const

function keyLines(walk: Walk, { paint, columns, now }: Size): string[] {
  const options = walk.record?.shown.options.length ?? 0
  const all: readonly (readonly [string, string])[] = [
    ...(isStuck(walk) ? STUCK_KEYS : []),
    ...(options === 0 || isStuck(walk)
      ? []
      : ([
          [`1-${Math.min(options, 9)}`, 'pick'],
          ...(walk.draft.note === '' ? [] : [['Enter', 'words only'] as const]),
          ['e', 'edit'],
          ['n', 'note'],
          ...((currentOf(walk)?.group ?? 1) > 1 ? [['t', 'together'] as const] : []),
          ['s', 'snooze'],
          ['a', 'assign'],
          ['o', walk.whole ? 'less' : 'all'],
        ] as const)),
    ...(walk.last === null || walk.last.until <= now
      ? []
      : [['u', `undo (${Math.ceil((walk.last.until - now) / 1000)} s)`] as const]),
    ...(walk.items.length > 1 ? [['j/k', 'move'] as const] : []),
    ['?', 'help'],
    ['q', 'quit'],
  ]
  const lines: string[] = []
  let [line, used] = ['', 0]
  for (const [key, word] of all) {
    const width = columnsOf(`${key} ${word}`) + 2
    if (used + width > columns && line !== '') {
      lines.push(line)
      ;[line, used] = ['', 0]
    }
    line += ` ${paint('bold', key)} ${paint('dim', word)} `
    used += width
  }
  return [...lines, line]
}

const HELP: readonly (readonly [string, string])[] = [
  ['1-9', 'answer with this option'],
  ['e', 'change what an option means, then answer with it'],
  ['n', 'write a note; then a number answers, or Enter with the words alone'],
  ['t', 'answer every decision that asks the same (once more: only this one)'],
  ['s', 'put it off'],
  ['a', 'give it to somebody'],
  ['r', 'deliver an answer again that could not be'],
  ['u', 'take your last answer back, for as long as the line below says'],
  ['o', 'all of the context, or only its beginning'],
  ['space b', 'scroll, also with the arrows'],
  ['j k', 'the next one, the one before'],
  ['Esc', 'forget what was typed for this one'],
  ['q', 'leave'],
]
