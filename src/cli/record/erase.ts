/** `signalbox erase`: a text, a run or a decision out of the record; first where it stands, then the question. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EraseOrder, EraseReport, Tombstone } from '../../model/api/record.ts'
import { EXIT, exitOf } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { consent } from '../terminal/consent.ts'
import { plural, type Terminal, visible } from '../terminal/terminal.ts'
import { type Asking, namedRuns, takeAway } from './prune.ts'

export interface EraseOptions {
  /** A file, or - for standard input: never the text itself, which others could see among the processes. */
  readonly textFrom?: string
  readonly run?: string
  readonly decision?: string
  readonly also?: readonly string[]
  readonly reason: string
  readonly yes?: boolean
  readonly json?: boolean
  readonly list?: boolean
}

export async function erase(options: EraseOptions, asking: Asking): Promise<number> {
  const { terminal } = asking.setting
  if (options.list === true) return list(options, asking)
  const named = [options.textFrom, options.run, options.decision].filter((each) => each !== undefined)
  if (named.length !== 1) return complain(terminal, WHAT, EXIT.usage)
  if (options.run !== undefined) return eraseRun(options.run, options, asking)
  const { reason, also = [] } = options
  const common = { also: also.map((path) => resolve(path)), reason }
  if (options.decision !== undefined) {
    const found = await asking.operations.decisions.find(options.decision)
    if ('problem' in found) return complain(terminal, found.problem, exitOf(found))
    return eraseText({ ...common, decision: found.id }, options, asking)
  }
  const text = readText(options.textFrom ?? '')
  return typeof text === 'string'
    ? eraseText({ ...common, text }, options, asking)
    : complain(terminal, text.problem, EXIT.usage)
}

const WHAT = 'Say one of: --text-from FILE (- for standard input), --run RUN, --decision ID.'

async function eraseRun(
  prefix: string,
  { reason, yes, json }: EraseOptions,
  asking: Asking,
): Promise<number> {
  const runs = await namedRuns([prefix], asking)
  if (typeof runs === 'number') return runs
  const order = { what: 'run', runs, olderThanMs: null, states: null, unmerged: 'take', reason } as const
  return takeAway(
    order,
    { ...(yes === undefined ? {} : { yes }), ...(json === undefined ? {} : { json }) },
    asking,
  )
}

function readText(file: string): string | { readonly problem: string } {
  try {
    const text = readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '')
    return text === '' ? { problem: 'There is no text to be erased.' } : text
  } catch (error) {
    return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).` }
  }
}

async function eraseText(
  order: Omit<EraseOrder, 'dry'>,
  { yes, json }: EraseOptions,
  { operations, setting }: Asking,
): Promise<number> {
  const { terminal } = setting
  const foreseen = await operations.erase({ ...order, dry: true })
  if ('problem' in foreseen) return complain(terminal, foreseen.problem, exitOf(foreseen))
  const isOver = isNothing(foreseen) && !foreseen.owed
  if (json !== true || yes !== true || isOver)
    terminal.write(json === true ? JSON.stringify(foreseen, null, 2) : foreseenText(foreseen, terminal))
  if (isOver) return foreseen.remains.length === 0 ? EXIT.ok : EXIT.failed
  // What is owed was consented to.
  const answer = await consent(yes === true || isNothing(foreseen) ? 'given' : 'asked', setting)
  if (answer === 'unasked')
    return complain(terminal, 'Nothing was done. Nobody sits here to be asked: --yes does it.', EXIT.usage)
  if (answer === 'no') return EXIT.interrupted
  const done = await operations.erase({ ...order, dry: false })
  if ('problem' in done) return complain(terminal, done.problem, exitOf(done))
  terminal.write(json === true ? JSON.stringify(done, null, 2) : doneText(done, terminal))
  return done.remains.length === 0 ? EXIT.ok : EXIT.failed
}

const doneText = (done: EraseReport, { paint }: Terminal): string =>
  [becameText(done), ...done.remains.map((text) => paint('yellow', visible(text)))].join('\n')

const GONE =
  'It is erased: a second look at the record, the files of Signalbox and all objects of the repositories found nothing of it.'

const TOMBSTONE =
  'A tombstone in the record says so, and not what it was. A secret that was seen is still to be changed.'

function becameText(report: EraseReport): string {
  if (!report.done) return 'It is not gone: nothing of it could be erased.'
  if (isNothing(report))
    return report.owed
      ? 'What was erased before still stands in free parts of the database.'
      : 'What was erased before is gone from the free parts of the database, too.'
  return `${report.remains.length === 0 ? GONE : 'It is not all gone: only what could be erased is.'} ${TOMBSTONE}`
}

const isNothing = ({ events, bytes, streams, files }: EraseReport): boolean =>
  events + bytes + streams.length + files.length === 0

function foreseenText(report: EraseReport, { paint }: Terminal): string {
  const { events, bytes, streams, files, changedReplay, goingOn, remains } = report
  return [
    isNothing(report)
      ? NOTHING[remains.length === 0 ? 'found' : 'possible']
      : `It would go out of ${plural(events, 'event')}, ${plural(bytes, 'piece')} of kept bytes and ${plural(files.length, 'file')}.`,
    ...(streams.length === 0 ? [] : [`Whole: ${streams.join(', ')}`]),
    ...files.slice(0, MOST_FILES).map((file) => `  ${visible(file)}`),
    ...(files.length > MOST_FILES ? [`  and ${files.length - MOST_FILES} more`] : []),
    ...changedReplay.map((stream) =>
      paint('yellow', `${stream} reads it in a rule: replayed, it comes out differently.`),
    ),
    ...goingOn.map((run) =>
      paint('yellow', `Run ${run} has not ended: whatever looks it up there gets [erased] instead.`),
    ),
    ...remains.map((text) => paint('yellow', visible(text))),
  ].join('\n')
}

const NOTHING = {
  found: 'It stands nowhere that could be erased.',
  possible: 'Nothing of it can be erased like this.',
} as const

const MOST_FILES = 20

async function list({ json }: EraseOptions, { operations, setting: { terminal } }: Asking): Promise<number> {
  const tombstones = await operations.tombstones()
  if (json === true) terminal.write(JSON.stringify(tombstones, null, 2))
  else
    terminal.write(
      tombstones.length === 0 ? 'Nothing was erased or pruned.' : tombstones.map(tombstoneText).join('\n'),
    )
  return EXIT.ok
}

const WORDS = { prune: 'pruned', run: 'a run', decision: 'a decision', text: 'a text' } as const

function tombstoneText({ at, what, by, reason, runs, events, bytes, streams, files }: Tombstone): string {
  const which = runs.map(({ run, name, end }) => `${run} (${visible(name)}, ${end})`).join(', ')
  const how = `${plural(events, 'event')}, ${plural(bytes, 'piece')} of kept bytes, ${plural(streams.length, 'stream')}, ${plural(files, 'file')}`
  return [
    `${new Date(at).toISOString()}  ${WORDS[what]}, by ${visible(by)}: ${how}`,
    ...(which === '' ? [] : [`  ${which}`]),
    ...(reason === '' ? [] : [`  ${visible(reason)}`]),
  ].join('\n')
}
