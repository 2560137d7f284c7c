/**
 * What is said of a decision, before any channel puts it into its own form. Only what the head of a card shows, unless
 * a channel may have it all. Pure; the link is not in it, because whoever holds a link may decide.
 */
import { actorText } from '../../model/answer.ts'
import { firstCharacters, longerThan } from '../../model/characters.ts'
import type { Urgency } from '../../model/decision.ts'
import type { DecisionRecord, Shown, ShownCommand, ShownOption } from '../../model/decision-record.ts'
import { visibleLine, visibleText } from '../../model/visible-text.ts'

export const NOTICE_KINDS = ['opened', 'reminded', 'closed', 'undeliverable'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export interface Notice {
  readonly kind: NoticeKind | 'test'
  readonly decision: string
  /** When that happened, not when it is told. */
  readonly at: number
  readonly headline: string
  readonly question: string
  readonly options: readonly NoticeOption[]
  readonly recommended: string | null
  readonly urgency: Urgency
  readonly expiresAt: number | null
  /** Of what was shown; a link is bound to it. */
  readonly digest: string
  /** Any answer has a command run outside any sandbox; left out where none does. */
  readonly runs?: true
  /** Nothing that a card shows is missing here: from this alone it can be decided. Left out where something is. */
  readonly whole?: true
  readonly closing: Closing | null
  readonly full: FullText | null
}

export interface NoticeOption {
  readonly key: string
  readonly label: string
  readonly reversible: boolean
  /** Picking it has commands run at once; left out where it has not. */
  readonly runs?: true
}

export interface Closing {
  readonly how: 'answered' | 'expired' | 'superseded' | 'withdrawn'
  /** Empty where nobody did it. */
  readonly by: string
  readonly pick: string
  /** Of the picked option; empty where a person only said something. */
  readonly label: string
}

export interface FullText {
  readonly detail: string
  readonly context: Readonly<Record<string, string>>
  readonly bodies: Readonly<Record<string, string>>
  /** What any answer has run; left out where that is nothing. */
  readonly runs?: readonly ShownCommand[]
  /** What each option has run; left out where none does. */
  readonly commands?: Readonly<Record<string, readonly ShownCommand[]>>
  readonly note: string
  readonly run: string | null
  readonly repo: string
  readonly agent: string
}

export interface Saying {
  readonly kind: NoticeKind
  readonly full: boolean
  readonly now: number
}

export function noticeOf(record: DecisionRecord, { kind, full, now }: Saying): Notice {
  const { shown } = record
  const closing = kind === 'closed' ? closingOf(record) : null
  return {
    kind,
    decision: record.id,
    at: happenedAt(record, kind) ?? now,
    headline: visibleText(shown.headline),
    question: visibleText(shown.question),
    options: shown.options.map(({ key, label, reversible, runs = [] }) => ({
      ...{ key, label: visibleText(label), reversible },
      ...(runs.length === 0 ? {} : { runs: true as const }),
    })),
    recommended: shown.recommended,
    urgency: record.urgency,
    expiresAt: record.expiresAt,
    digest: record.digest,
    ...(shown.runs?.some(({ held }) => held === 'none') === true ? { runs: true as const } : {}),
    ...(full || isHead(shown) ? { whole: true as const } : {}),
    closing: closing === null ? null : { ...closing, label: visibleText(closing.label) },
    full: full ? fullText(record) : null,
  }
}

/** The head of the card is all of it. */
const isHead = ({ detail, context, options, fields, proposed }: Shown): boolean =>
  detail === '' &&
  Object.keys(context).length + Object.keys(proposed).length + fields.length === 0 &&
  options.every(({ label, body }) => body === '' || body === label)

/** An answer stays an answer however far it has come. */
function closingOf({ status, by, pick, shown }: DecisionRecord): Closing {
  const how = status === 'expired' || status === 'superseded' || status === 'withdrawn' ? status : 'answered'
  return {
    how,
    by: by === null ? '' : actorText(by),
    pick: how === 'answered' ? pick : '',
    label: how === 'answered' ? (shown.options.find(({ key }) => key === pick)?.label ?? '') : '',
  }
}

function happenedAt(record: DecisionRecord, kind: NoticeKind): number | null {
  if (kind === 'opened') return record.openedAt
  if (kind === 'reminded') return null
  const status = kind === 'undeliverable' ? kind : closingOf(record).how
  return record.stages.findLast((stage) => stage.status === status)?.at ?? null
}

const fullText = ({ shown, note, run, repo, asker }: DecisionRecord): FullText => ({
  ...commandsOf(shown.options),
  detail: visibleText(shown.detail),
  context: Object.fromEntries(Object.entries(shown.context).map((entry) => visibleEntry(entry))),
  bodies: Object.fromEntries(shown.options.map(({ key, body }) => [key, visibleText(body)])),
  ...(shown.runs === undefined ? {} : { runs: shown.runs }),
  note: visibleText(note),
  run,
  repo,
  agent: asker?.agent ?? '',
})

const visibleEntry = ([name, text]: readonly [string, string]): readonly [string, string] => [
  visibleText(name),
  visibleText(text),
]

function commandsOf(options: readonly ShownOption[]): Pick<FullText, 'commands'> {
  const commands = options.flatMap(({ key, runs = [] }) => (runs.length === 0 ? [] : [[key, runs] as const]))
  return commands.length === 0 ? {} : { commands: Object.fromEntries(commands) }
}

/** Who closed it and with what, in one line. */
function closingText({ how, by, label, pick }: Closing): string {
  const who = by === '' ? '' : ` by ${by}`
  if (how !== 'answered') return `${how[0]!.toUpperCase()}${how.slice(1)}${who}`
  return `Answered${who}: ${label || pick || 'in words'}`
}

const FIRST_WORDS: Readonly<Record<NoticeKind | 'test', string>> = {
  opened: '',
  reminded: 'Still open: ',
  closed: '',
  undeliverable: 'Answer not delivered: ',
  test: '',
}

export const titleOf = ({ kind, headline }: Notice, most: number): string =>
  cut(oneLine(`${FIRST_WORDS[kind]}${headline}`), most)

/** The body in plain text: the question and what can be picked, or how it was closed. */
export function textOf(notice: Notice): string {
  const { closing, question, options, recommended, full } = notice
  if (closing !== null) return oneLine(closingText(closing))
  const lines = options.flatMap(({ key, label, reversible, runs }) => [
    `• ${oneLine(label)}${key === recommended ? ' (recommended)' : ''}${reversible ? '' : ' (cannot be undone)'}${runs === true ? ' (runs commands)' : ''}`,
    ...(full?.bodies[key] ? [`  ${full.bodies[key]}`] : []),
    ...(full?.commands?.[key] ?? []).map(({ command }) => `  $ ${command}`),
  ])
  const runs = notice.runs === true ? ['Any answer has a command run outside any sandbox.'] : []
  const commands = (full?.runs ?? []).map(({ command, folder }) => `$ ${command} (in ${folder})`)
  const more =
    full === null ? [] : [full.detail, ...Object.values(full.context)].filter((text) => text !== '')
  return visibleText([question, ...lines, ...runs, ...commands, ...more].join('\n')).replaceAll('\r\n', '\n')
}

export const cut = (text: string, most: number): string =>
  longerThan(text, most) ? `${firstCharacters(text, most - 1)}…` : text

/** Nothing written by an agent can pass for a line or a header of ours. */
export const oneLine = (text: string): string => visibleLine(text)
