/**
 * What an order to erase comes to, found before anything is written: which texts change, which streams go, and which
 * bytes nobody needs without them.
 */
import { setImmediate } from 'node:timers/promises'
import { bytesDigest } from './bytes-digest.ts'
import { CHAIN_START, type ChainLink, isAsWritten, leftDigest } from './chain.ts'
import {
  type Edit,
  type EditedEvent,
  ERASURES,
  type ErasedBytes,
  type Erasure,
  type ErasureScope,
  type Head,
  type Tombstones,
} from './erasure.ts'
import type { ErasureOrder, Project, Row, StoredEvent } from './journal.ts'

export interface ErasurePlan {
  readonly events: readonly (EditedEvent & { readonly text: string })[]
  readonly streams: readonly Head[]
  readonly bytes: readonly (ErasedBytes & { readonly left: Uint8Array | null })[]
  readonly tickets: readonly { readonly id: string; readonly text: string }[]
}

/** What a journal has, whatever it is kept in. */
export interface ErasureSource {
  heads(): readonly Head[]
  links(stream: string): readonly ChainLink[]
  digests(): readonly string[]
  bytes(digest: string): Uint8Array
  tickets(): readonly { readonly id: string; readonly stream: string; readonly text: string }[]
  readonly tombstones: Tombstones
}

export interface Planned {
  readonly plan: ErasurePlan
  /** Rows as they are without what goes. */
  readonly rows: readonly Row[]
}

export async function planErasure(
  source: ErasureSource,
  order: ErasureOrder,
  read: (stream: string) => Promise<readonly StoredEvent[]>,
): Promise<Planned> {
  const plan = await planWithoutRows(source, order)
  const texts = new Map(plan.events.map(({ stream, version, text }) => [`${version} ${stream}`, text]))
  const rows: Row[] = []
  for (const { stream } of plan.streams)
    rows.push(
      ...(await made(order.project, stream, () => read(stream))).map((row) => ({ ...row, data: null })),
    )
  for (const stream of new Set(plan.events.map((event) => event.stream))) {
    const after = async (): Promise<readonly StoredEvent[]> =>
      (await read(stream)).map((event) => {
        const text = texts.get(`${event.version} ${stream}`)
        return text === undefined ? event : { ...event, data: JSON.parse(text) as unknown }
      })
    // It stays, and so does its line.
    rows.push(...(await made(order.project, stream, after)).filter(({ data }) => data !== null))
  }
  return { plan, rows }
}

/** What cannot be made into rows any more is erased all the same; its rows are then changed as the texts are. */
async function made(
  ...[project, stream, events]: [Project, string, () => Promise<readonly StoredEvent[]>]
): Promise<readonly Row[]> {
  try {
    return await project(stream, await events())
  } catch {
    return []
  }
}

/** Its tombstone. */
export const erasureOf = ({ events, streams, bytes }: ErasurePlan, { note }: ErasureOrder): Erasure => ({
  events: events.map(({ text: _, ...event }) => event),
  streams,
  bytes: bytes.map(({ left: _, ...each }) => each),
  note,
})

/** Streams or bytes looked at before others get a turn. */
const AT_ONCE = 64
const DIGEST = /\b[0-9a-f]{64}\b/g

async function planWithoutRows(source: ErasureSource, order: ErasureOrder): Promise<ErasurePlan> {
  const { edit, within } = order
  const going = new Set(order.streams)
  const orphans = new Set<string>()
  const named = new Set<string>()
  const events: (EditedEvent & { readonly text: string })[] = []
  const streams: Head[] = []
  let looked = 0
  const others = async (): Promise<void> => {
    if (++looked % AT_ONCE === 0) await setImmediate()
  }
  for (const head of source.heads()) {
    if (head.stream === ERASURES) continue
    if (within !== undefined && going.size === 0 && head.stream !== within.stream) continue
    await others()
    const links = source.links(head.stream)
    const { stream, version, hash } = head
    if (going.has(stream)) streams.push({ stream, version, hash })
    if (going.size > 0) namesIn(links, going.has(head.stream) ? orphans : named)
    if (edit !== null && !going.has(head.stream))
      events.push(...editedIn(links, scoped(edit, stream, within), source.tombstones))
  }
  const bytes: (ErasedBytes & { readonly left: Uint8Array | null })[] = []
  for (const digest of source.digests()) {
    await others()
    if (orphans.has(digest) && !named.has(digest)) bytes.push({ digest, now: null, left: null })
    else if (edit !== null && within?.bytes.has(digest) !== false) {
      const given = source.bytes(digest)
      const left = edit.bytes(given)
      if (left === null) continue
      const found = bytesDigest(given)
      const fits = found === digest || found === source.tombstones.left(digest)
      bytes.push({ digest, now: bytesDigest(left), ...(fits ? {} : { fits }), left })
    }
  }
  const tickets =
    edit === null || within !== undefined
      ? []
      : source.tickets().flatMap(({ id, text }) => textAfter(edit, id, text))
  return { events, streams, bytes, tickets }
}

function namesIn(links: readonly ChainLink[], names: Set<string>): void {
  for (const { text } of links) for (const [name] of text.matchAll(DIGEST)) names.add(name)
}

type EditLink = (link: ChainLink) => string | null

const scoped =
  (edit: Edit, stream: string, within: ErasureScope | undefined): EditLink =>
  ({ version, text }) =>
    within === undefined || (within.stream === stream && within.versions.has(version))
      ? edit.text(text)
      : null

function editedIn(
  links: readonly ChainLink[],
  edit: EditLink,
  tombstones: Tombstones,
): (EditedEvent & { readonly text: string })[] {
  return links.flatMap((link, index) => {
    const text = edit(link)
    if (text === null) return []
    const { stream, version, hash } = link
    const previous = links[index - 1]?.hash ?? CHAIN_START
    // What was tampered with before must not pass for erased from now on.
    const fits = isAsWritten(previous, link, (at) => tombstones.edited(stream, at))
    return [{ stream, version, hash, leaves: leftDigest({ ...link, text }), ...(fits ? {} : { fits }), text }]
  })
}

function textAfter(edit: Edit, id: string, before: string): { readonly id: string; readonly text: string }[] {
  const text = edit.text(before)
  return text === null ? [] : [{ id, text }]
}
