/** The record held against an export that was kept elsewhere: what it knew then, and what was taken out since. */
import { signedBy } from '../../host/record/tombstones.ts'
import { ERASURES, type JournalReader, readAnchor, type Tampering } from '../../journal/index.ts'
import { plural } from '../terminal/terminal.ts'
import { beyondChain, dateOf } from './anchor-findings.ts'
import { bad, type DoctorFinding, good, listed } from './doctor-finding.ts'
import { type ExportedHeads, readExport } from './exported-heads.ts'

export async function exportFindings(
  reader: JournalReader,
  chain: readonly Tampering[],
  { file, anchor }: { readonly file: string; readonly anchor: string },
): Promise<readonly DoctorFinding[]> {
  const read = await readExport(file)
  if ('problem' in read) return [bad('export', read.problem)]
  const { known, at } = read
  const found = [
    ...(await beyondChain(reader, { chain, known, about: 'export' })),
    ...(await anchorThen(anchor, read)),
  ]
  if (found.length > 0) return found
  if (known.size === 0) return [note(namesNothing(file))]
  const since = await takenOutSince(reader, read)
  return since.length === 0
    ? [good('export', `all that was there on ${dateOf(at)} is there: ${plural(known.size, 'stream')}`)]
    : [
        note(
          `of what was there on ${dateOf(at)}, this was taken out since: ${listed(since)}. Was it ordered? ` +
            'What else was there is there',
        ),
      ]
}

/** For a home without a journal. */
export async function exportWithoutJournal(file: string): Promise<readonly DoctorFinding[]> {
  const read = await readExport(file)
  if ('problem' in read) return [bad('export', read.problem)]
  const { known, at } = read
  if (known.size === 0) return [note(namesNothing(file))]
  return [bad('export', `no journal here; ${file} lists ${plural(known.size, 'stream')} on ${dateOf(at)}`)]
}

const namesNothing = (file: string): string => `${file} names no stream: nothing can be held against it`

const note = (text: string): DoctorFinding => ({ about: 'export', state: 'note', text })

/** The export carries the hash of the anchor's last line of then. */
async function anchorThen(file: string, { anchor, at }: ExportedHeads): Promise<DoctorFinding[]> {
  if (anchor === null || anchor.lines === 0) return []
  const { fitsNote } = await readAnchor(file, anchor)
  if (fitsNote === true) return []
  const what = fitsNote === null ? 'is gone from it' : 'is another one now'
  return [bad('export', `the anchor was rewritten: line ${anchor.lines}, its last on ${dateOf(at)}, ${what}`)]
}

/** By tombstones that are younger than the export. */
async function takenOutSince(reader: JournalReader, { known }: ExportedHeads): Promise<string[]> {
  const lastOf = (stream: string): number => [...(known.get(stream)?.keys() ?? [])].at(-1) ?? 0
  const stones = (await reader.tombstones()).filter(({ version }) => version > lastOf(ERASURES))
  return stones.flatMap((stone) => {
    const { at, events, streams } = stone
    const how = `by an erasure of ${dateOf(at)} by ${signedBy(stone) || 'nobody who is named'}`
    return [
      ...events
        .filter((event) => event.version <= lastOf(event.stream))
        .map((event) => `${event.stream} event ${event.version} was changed ${how}`),
      ...streams
        .filter(({ stream }) => known.has(stream))
        .map(({ stream }) => `${stream} was taken away ${how}`),
    ]
  })
}
