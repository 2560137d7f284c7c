/** The record held against the anchor: where streams ended, and which tombstones were ordered. */
import { statSync } from 'node:fs'
import {
  type AnchorRead,
  ERASURES,
  type JournalReader,
  type KnownHashes,
  readAnchor,
  type StoredTombstone,
  type Tampering,
} from '../../journal/index.ts'
import { plural } from '../terminal/terminal.ts'
import { bad, type DoctorFinding, good, listed } from './doctor-finding.ts'

export async function anchorFindings(
  reader: JournalReader,
  chain: readonly Tampering[],
  file: string,
): Promise<DoctorFinding[]> {
  // In this order: the host writes the file first, and then tells the database.
  const note = await reader.anchorNote()
  const anchor = await readAnchor(file, note)
  const unordered = await unorderedTombstones(reader, anchor, file)
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined
  const wrong = [...anchorTrouble({ anchor, note, isThere }), ...unordered.map(unorderedText)]
  const beyond = await beyondChain(reader, { chain, known: anchor.known, about: 'anchor' })
  if (wrong.length > 0) return [bad('anchor', listed(wrong)), ...beyond]
  if (beyond.length > 0) return beyond
  if (note === null && anchor.lines === 0)
    return [{ about: 'anchor', state: 'note', text: 'not written yet: the next host writes it' }]
  const { lines, lastAt } = anchor
  return [
    good(
      'anchor',
      `${plural(lines, 'line')}, the last of ${dateOf(lastAt)}; what is younger it does not know`,
    ),
  ]
}

interface Anchored {
  readonly anchor: AnchorRead
  readonly note: Awaited<ReturnType<JournalReader['anchorNote']>>
  readonly isThere: boolean
}

/** One line may have been written since the database was asked, and a crash may have cost the database's word of one. */
const AHEAD = 2

function anchorTrouble({ anchor, note, isThere }: Anchored): string[] {
  const { lines, broken, lost, fitsNote } = anchor
  return [
    ...(!isThere && note !== null ? ['the file is gone, and was there'] : []),
    ...(isThere && note !== null && lines < note.lines
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
}

/** Each is announced in the anchor before it is written. One may have been while this was read. */
async function unorderedTombstones(
  reader: JournalReader,
  anchor: AnchorRead,
  file: string,
): Promise<StoredTombstone[]> {
  const isOrdered = ({ announced, vouchedTo }: AnchorRead, { version, hash }: StoredTombstone): boolean =>
    version <= vouchedTo || announced.get(version)?.has(hash) === true
  const unordered = (await reader.tombstones()).filter((stone) => !isOrdered(anchor, stone))
  if (unordered.length === 0) return []
  const again = await readAnchor(file, null)
  return unordered.filter((stone) => !isOrdered(again, stone))
}

function unorderedText({ version, at, events, streams, bytes }: StoredTombstone): string {
  const excused = [
    ...events.map((event) => `${event.stream} event ${event.version}`),
    ...streams.map(({ stream }) => `${stream} as a whole`),
    ...(bytes.length > 0 ? [`${plural(bytes.length, 'piece')} of kept bytes`] : []),
  ]
  return (
    `${ERASURES} event ${version}: this tombstone of ${dateOf(at)} was not ordered from Signalbox, which would have ` +
    `written that down here first. What it passes for erased was tampered with: ${excused.join(', ') || 'nothing'}`
  )
}

export const tamperingText = ({ stream, version, problem, cure }: Tampering): string =>
  `${stream} event ${version}: ${problem}${cure === 'rebuild' ? ' signalbox doctor --rebuild mends that.' : ''}`

export const dateOf = (at: number | null): string =>
  at === null || Number.isNaN(new Date(at).getTime()) ? 'nobody knows when' : new Date(at).toISOString()

export interface Beyond {
  readonly chain: readonly Tampering[]
  readonly known: KnownHashes
  readonly about: string
}

/** What the chain alone does not show. */
export async function beyondChain(
  reader: JournalReader,
  { chain, known, about }: Beyond,
): Promise<DoctorFinding[]> {
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
