/**
 * What `signalbox doctor` says of the record: whether events, kept bytes and lists are the ones that were written, as far
 * as the chain of hashes, the anchor and an export can tell.
 */
import { statSync } from 'node:fs'
import type { Home } from '../../host/machine/home.ts'
import { bytesNamedIn } from '../../host/record/named-bytes.ts'
import { keptProgram } from '../../host/runs/kept-program.ts'
import { projectWith } from '../../host/runs/rebuild.ts'
import {
  type AnchorRead,
  ERASURES,
  type Erasure,
  type JournalReader,
  type KnownHashes,
  type MissingBytes,
  type RowDifference,
  type RowsUnlike,
  readAnchor,
  type Tampering,
} from '../../journal/index.ts'
import { plural } from '../terminal/terminal.ts'
import { bad, type DoctorFinding, good, listed, orTold } from './doctor-finding.ts'
import { type ExportedHeads, readExport } from './exported-heads.ts'
import { storeFindings } from './store-findings.ts'

export interface Place {
  readonly home: Home
  /** An export to hold it against. */
  readonly against: string | null
}

export async function recordFindings(
  reader: JournalReader,
  { home, against }: Place,
): Promise<DoctorFinding[]> {
  // In this order: the host writes the file first, and then tells the database.
  const note = await reader.anchorNote()
  const anchor = await readAnchor(home.anchor, note)
  const chain = await reader.verify()
  const project = projectWith((digest) => keptProgram(reader, digest))
  const beyond = { chain, known: anchor.known, about: 'anchor' }
  return [
    chain.length === 0
      ? good('hash chain', 'every event follows from the one before it')
      : bad('hash chain', listed(chain.map(tamperingText))),
    ...anchorFindings({ anchor, note, isThere: isThere(home.anchor) }),
    ...(await orTold('anchor', () => beyondChain(reader, beyond))),
    ...(against === null ? [] : await orTold('export', () => exportFindings(reader, chain, against))),
    ...(await orTold('kept bytes', async () =>
      bytesFindings(await reader.alteredBytes(), await reader.missingBytes(bytesNamedIn)),
    )),
    ...(await orTold('lists', async () => rowFindings(await reader.rowsUnlike(project)))),
    ...(await orTold('stores', () => storeFindings(reader, home))),
    ...(await orTold('erased', () => erasureFindings(reader))),
    good('record', CANNOT_BE_KNOWN),
  ]
}

const CANNOT_BE_KNOWN =
  'whoever rewrites database and anchor alike leaves no trace on this machine: keep what `signalbox decision export` ' +
  'writes somewhere else, and hold the record against it with `signalbox doctor --against FILE`'

const tamperingText = ({ stream, version, problem, cure }: Tampering): string =>
  `${stream} event ${version}: ${problem}${cure === 'rebuild' ? ' signalbox doctor --rebuild mends that.' : ''}`

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}

interface Anchored {
  readonly anchor: AnchorRead
  readonly note: Awaited<ReturnType<JournalReader['anchorNote']>>
  readonly isThere: boolean
}

/** One line may have been written since the database was asked, and a crash may have cost the database's word of one. */
const AHEAD = 2

function anchorFindings({ anchor, note, isThere: hasFile }: Anchored): DoctorFinding[] {
  const { lines, broken, lost, fitsNote, lastAt } = anchor
  if (note === null && lines === 0)
    return [{ about: 'anchor', state: 'note', text: 'not written yet: the next host writes it' }]
  const wrong = [
    ...(!hasFile ? ['the file is gone, and was there'] : []),
    ...(hasFile && note !== null && lines < note.lines
      ? [`its end was cut off: it has ${plural(lines, 'line')}, and had ${note.lines}`]
      : []),
    ...(fitsNote === false ? ['its lines are not the ones that the database knows of'] : []),
    ...broken.map(
      (line) => `line ${line} does not go on from the one before it: lines were changed or taken out`,
    ),
    ...lost.map((was) => `an earlier anchor of ${plural(was.lines, 'line')} was cut off or taken away`),
    ...(lines > (note?.lines ?? 0) + AHEAD
      ? [
          `the database is another one, or an older copy: it knows of ${plural(note?.lines ?? 0, 'line')} of ${lines}`,
        ]
      : []),
  ]
  if (wrong.length > 0) return [bad('anchor', listed(wrong))]
  return [
    good(
      'anchor',
      `${plural(lines, 'line')}, the last of ${dateOf(lastAt)}; what is younger it does not know`,
    ),
  ]
}

const dateOf = (at: number | null): string => (at === null ? 'nobody knows when' : new Date(at).toISOString())

interface Beyond {
  readonly chain: readonly Tampering[]
  readonly known: KnownHashes
  readonly about: string
}

/** What the chain alone does not show. */
async function beyondChain(reader: JournalReader, { chain, known, about }: Beyond): Promise<DoctorFinding[]> {
  if (known.size === 0) return []
  const told = new Set(chain.map(tamperingText))
  const news = (await reader.verify(known)).filter((each) => !told.has(tamperingText(each)))
  if (news.length === 0) return []
  const missing = news.filter(({ problem }) => problem.startsWith('The whole stream is missing')).length
  return missing === known.size
    ? [
        bad(
          about,
          `the database is another one, or was emptied: of ${plural(known.size, 'stream')} none is in it`,
        ),
      ]
    : [bad(about, listed(news.map(tamperingText)))]
}

async function exportFindings(
  reader: JournalReader,
  chain: readonly Tampering[],
  file: string,
): Promise<DoctorFinding[]> {
  const read: ExportedHeads | { readonly problem: string } = await readExport(file)
  if ('problem' in read) return [bad('export', read.problem)]
  const { known, at } = read
  const found = await beyondChain(reader, { chain, known, about: 'export' })
  return found.length > 0
    ? found
    : [good('export', `all that was there on ${dateOf(at)} is there: ${plural(known.size, 'stream')}`)]
}

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

async function erasureFindings(reader: JournalReader): Promise<DoctorFinding[]> {
  const events = await reader.read(ERASURES, 0)
  const last = events.at(-1)
  if (last === undefined) return []
  const count = (part: 'events' | 'streams' | 'bytes'): number =>
    events.reduce((sum, { data }) => sum + (data as Erasure)[part].length, 0)
  return [
    {
      about: 'erased',
      state: 'note',
      text: `${plural(count('streams'), 'stream')} taken away, ${plural(count('events'), 'event')} and ${plural(count('bytes'), 'piece')} of kept bytes changed, in ${plural(events.length, 'order')}, the last on ${dateOf(last.at)}; signalbox erase --list tells by whom and why`,
    },
  ]
}
