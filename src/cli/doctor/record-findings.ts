/**
 * What `signalbox doctor` says of the record: whether events, kept bytes and lists are the ones that were written, as far
 * as the chain of hashes, the anchor and an export can tell.
 */
import type { Home } from '../../host/machine/home.ts'
import { bytesNamedIn } from '../../host/record/named-bytes.ts'
import { keptProgram } from '../../host/runs/kept-program.ts'
import { projectWith } from '../../host/runs/rebuild.ts'
import { type TicketsUnlike, ticketsUnlike } from '../../host/runs/tickets-unlike.ts'
import type { JournalReader, MissingBytes, RowDifference, RowsUnlike } from '../../journal/index.ts'
import { plural } from '../terminal/terminal.ts'
import { anchorFindings, dateOf, tamperingText } from './anchor-findings.ts'
import { bad, type DoctorFinding, good, listed, orTold } from './doctor-finding.ts'
import { exportFindings } from './export-findings.ts'
import { storeFindings } from './store-findings.ts'

export interface RecordToCheck {
  readonly home: Home
  /** An export to hold it against. */
  readonly against: string | null
}

export async function recordFindings(
  reader: JournalReader,
  { home, against }: RecordToCheck,
): Promise<DoctorFinding[]> {
  const chain = await reader.verify()
  const project = projectWith((digest) => keptProgram(reader, digest))
  return [
    chain.length === 0
      ? good('hash chain', 'every event follows from the one before it')
      : bad('hash chain', listed(chain.map(tamperingText))),
    ...(await orTold('anchor', () => anchorFindings(reader, chain, home.anchor))),
    ...(against === null
      ? []
      : await orTold('export', () => exportFindings(reader, chain, { file: against, anchor: home.anchor }))),
    ...(await orTold('kept bytes', async () =>
      bytesFindings(await reader.alteredBytes(), await reader.missingBytes(bytesNamedIn)),
    )),
    ...(await orTold('lists', async () => rowFindings(await reader.rowsUnlike(project)))),
    ...(await orTold('duties', async () => dutyFindings(await ticketsUnlike(reader, Date.now())))),
    ...(await orTold('stores', () => storeFindings(reader, home))),
    ...(await orTold('erased', () => erasureFindings(reader))),
    good('record', CANNOT_BE_KNOWN),
  ]
}

const CANNOT_BE_KNOWN =
  'whoever rewrites database and anchor alike leaves no trace on this machine: keep what `signalbox decision export` ' +
  'writes somewhere else, and hold the record against it with `signalbox doctor --against FILE`'

function bytesFindings(altered: readonly string[], missing: readonly MissingBytes[]): DoctorFinding[] {
  const about = 'kept bytes'
  if (altered.length + missing.length === 0)
    return [good(about, 'all that events name are there, and fit their digests')]
  const changed = bad(
    about,
    `${plural(altered.length, 'entry', 'entries')} changed in the database, and not used: ${listed(altered)}`,
  )
  const gone = bad(
    about,
    `${plural(missing.length, 'entry', 'entries')} gone from the database, and not erased: ${listed(missing.map(missingText))}`,
  )
  return [...(altered.length > 0 ? [changed] : []), ...(missing.length > 0 ? [gone] : [])]
}

const missingText = ({ stream, version, digest }: MissingBytes): string =>
  `${digest.slice(0, 12)}…, named by ${stream} event ${version}`

function rowFindings({ differences, unmade }: RowsUnlike): DoctorFinding[] {
  const isTold = ({ key, how }: RowDifference): boolean =>
    how !== 'unaccounted' || !unmade.some(({ stream }) => stream.endsWith(`/${key}`))
  const unlike = differences.filter(isTold)
  if (unlike.length + unmade.length === 0) return [good('lists', 'they are what the events make of them')]
  const cannot = bad(
    'lists',
    `what they say of ${listed(unmade.map(({ stream }) => stream))} cannot be checked: ${unmade[0]?.why}`,
  )
  const wrong = bad('lists', `${listed(unlike.map(differenceText))}. ${ANEW}`)
  return [...(unmade.length > 0 ? [cannot] : []), ...(unlike.length > 0 ? [wrong] : [])]
}

const differenceText = ({ model, key, how }: RowDifference): string =>
  `${model} ${key} is ${how === 'unaccounted' ? 'made up, or of a stream that cannot be read' : how}`

const ANEW = 'To make them anew from the events: signalbox doctor --rebuild'

function dutyFindings(unlike: readonly TicketsUnlike[]): DoctorFinding[] {
  if (unlike.length === 0) return []
  const told = unlike.flatMap(({ stream, missing, odd }) => {
    const lost = new Set(missing.map(({ id }) => id))
    const made = odd.filter((id) => !lost.has(id))
    return [
      ...missing.map(({ kind }) => `${stream}: nobody is told to ${kind}`),
      ...made.map((id) => `${stream}: the ticket ${id} is for nothing`),
    ]
  })
  return [bad('duties', `${listed(told)}. To file them anew from the events: signalbox doctor --rebuild`)]
}

async function erasureFindings(reader: JournalReader): Promise<DoctorFinding[]> {
  const stones = await reader.tombstones()
  const last = stones.at(-1)
  if (last === undefined) return []
  const count = (part: 'events' | 'streams' | 'bytes'): number =>
    stones.reduce((sum, stone) => sum + stone[part].length, 0)
  return [
    {
      about: 'erased',
      state: 'note',
      text: `${plural(count('streams'), 'stream')} taken away, ${plural(count('events'), 'event')} and ${plural(count('bytes'), 'piece')} of kept bytes changed, in ${plural(stones.length, 'order')}, the last on ${dateOf(last.at)}; signalbox erase --list tells by whom and why`,
    },
  ]
}
