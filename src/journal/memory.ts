/** The journal without a disk: for tests, rehearsals and anything that may be forgotten when the process ends. */
import { bytesDigest } from './bytes-digest.ts'
import {
  brokenLinks,
  CHAIN_START,
  type ChainLink,
  chainHash,
  goneStream,
  storedEvent,
  tombstoneHead,
} from './chain.ts'
import {
  type AnchorNote,
  ERASED,
  ERASURES,
  type Erasure,
  type Head,
  isRowToEdit,
  type MovedHead,
  storedTombstones,
  type Tombstones,
  tombstonesOf,
} from './erasure.ts'
import type { Append, Appended, ErasureOrder, Journal, Row, StoredEvent, Ticket } from './journal.ts'
import { jsonText } from './json-text.ts'
import { heldAgainst } from './kept-bytes.ts'
import { createAnnouncements, createListeners } from './listeners.ts'
import { createMemoryRows } from './memory-rows.ts'
import { erasureOf, type Planned, planErasure } from './plan-erasure.ts'
import { findRowDifferences, rowsMade } from './row-difference.ts'
import { createTicketBook } from './ticket-book.ts'

/** @public Tests open it, under the same contract as the journal of the product. */
export function createMemoryJournal(): Journal {
  const streams = new Map<string, ChainLink[]>()
  const log: ChainLink[] = []
  let position = 0
  let anchor: AnchorNote | null = null
  const book = createTicketBook<Ticket>()
  const ticketIds = new Map<string, Set<string>>()
  const rows = createMemoryRows()
  const blobs = new Map<string, Uint8Array>()
  const followers = createListeners<readonly StoredEvent[]>()
  const eraseListeners = createListeners<null>()
  const announcements = createAnnouncements<Head>()
  const watchers = createListeners<{ readonly retired: readonly string[] }>()

  function write(append: Append): Appended {
    const links = streams.get(append.stream) ?? []
    const version = links.length
    const { settle } = append
    if (settle !== null && !book.holds(settle)) return { done: false, reason: 'claim-lost', version }
    if (append.expected !== version) return { done: false, reason: 'version', version }
    if (settle !== null) drop(settle.ticket.id)
    const retired = append.retire.filter(drop)
    const news = append.events.map((event) => addLink(links, { ...event, stream: append.stream }))
    if (news.length > 0) streams.set(append.stream, links)
    const added = append.tickets.filter(addTicket)
    for (const row of append.rows) rows.put(row)
    for (const bytes of append.keep ?? []) blobs.set(bytesDigest(bytes), bytes)
    if (news.length > 0) followers.tell(news.map(storedEvent))
    if (added.length > 0 || retired.length > 0) watchers.tell({ retired })
    return { done: true, version: links.length, position }
  }

  function addLink(
    links: ChainLink[],
    { data, stream, type, at }: Append['events'][number] & { stream: string },
  ): ChainLink {
    const body = { stream, version: links.length + 1, type, at, text: jsonText(data) }
    const hash = chainHash(links.at(-1)?.hash ?? CHAIN_START, body)
    const link = { position: ++position, ...body, hash }
    links.push(link)
    log.push(link)
    return link
  }

  function addTicket(ticket: Ticket): boolean {
    if (book.get(ticket.id) !== undefined) return false
    book.add(ticket)
    const ids = ticketIds.get(ticket.stream) ?? new Set()
    ticketIds.set(ticket.stream, ids.add(ticket.id))
    return true
  }

  function drop(id: string): boolean {
    const ticket = book.get(id)
    if (ticket === undefined) return false
    book.remove(id)
    const ids = ticketIds.get(ticket.stream)
    ids?.delete(id)
    if (ids?.size === 0) ticketIds.delete(ticket.stream)
    return true
  }

  const read = (stream: string): StoredEvent[] => (streams.get(stream) ?? []).map(storedEvent)
  const tombstones = (): Tombstones => tombstonesOf(streams.get(ERASURES) ?? [])
  const plan = (order: ErasureOrder): Promise<Planned> =>
    planErasure(
      {
        tombstones: tombstones(),
        heads: () => headsOf(streams),
        links: (stream) => streams.get(stream)!,
        digests: () => [...blobs.keys()],
        bytes: (digest) => blobs.get(digest)!,
        tickets: () =>
          [...ticketIds].flatMap(([stream, ids]) =>
            [...ids].map((id) => ({ id, stream, text: jsonText(book.get(id)!.data) })),
          ),
      },
      order,
      async (stream) => read(stream),
    )

  async function erase(order: ErasureOrder): Promise<Erasure> {
    const { plan: found, rows: news } = await plan(order)
    const erasure = erasureOf(found, order)
    const event = { type: ERASED, at: order.at, data: erasure }
    await announcements.tell(tombstoneHead(endOf(streams.get(ERASURES) ?? []), event))
    for (const { stream, version, text } of found.events) change(streams.get(stream)!, version, text)
    for (const { stream } of found.streams) {
      for (const id of [...(ticketIds.get(stream) ?? [])]) drop(id)
      for (const link of streams.get(stream)!) log.splice(log.indexOf(link), 1)
      streams.delete(stream)
    }
    for (const { digest, left } of found.bytes)
      if (left === null) blobs.delete(digest)
      else blobs.set(digest, left)
    for (const { id, text } of found.tickets) {
      const ticket = book.get(id)!
      book.remove(id)
      book.add({ ...ticket, data: JSON.parse(text) })
    }
    for (const row of news) rows.put(row)
    for (const row of rows.all()) {
      if (!isRowToEdit(row, { within: order.within, made: news })) continue
      const text = order.edit?.text(jsonText(row.data)) ?? null
      if (text !== null) rows.put({ ...row, data: JSON.parse(text) })
    }
    const expected = streams.get(ERASURES)?.length ?? 0
    write({ stream: ERASURES, expected, events: [event], tickets: [], retire: [], settle: null, rows: [] })
    eraseListeners.tell(null)
    return erasure
  }

  function change(links: ChainLink[], version: number, text: string): void {
    const before = links[version - 1]!
    const link = { ...before, text }
    links[version - 1] = link
    log[log.indexOf(before)] = link
  }

  return {
    async append(append) {
      const copy = copied(append)
      // Nothing happens before the caller has the promise, as in a journal with a disk.
      await Promise.resolve()
      return write(copy)
    },
    read: async (stream, afterVersion) => read(stream).slice(afterVersion),
    // Nobody but this process can reach it.
    readIntact: async (stream) => read(stream),
    readAll: async (afterPosition, limit) =>
      log
        .filter(({ position }) => position > afterPosition)
        .slice(0, limit)
        .map(storedEvent),
    follow: (listener) => followers.add(listener),
    claim: async (request) =>
      book.claim(request).map(({ slip, token }) => ({ ticket: structuredClone(slip), token })),
    renew: async (claims, until) => book.renew(claims, until),
    async release(claim, dueAt) {
      const ticket = book.holds(claim) ? book.get(claim.ticket.id) : undefined
      if (ticket === undefined) return
      book.remove(ticket.id)
      book.add({ ...ticket, dueAt })
      watchers.tell({ retired: [] })
    },
    watch: (listener) => watchers.add(listener),
    nextDueAt: async (kinds) => book.nextDueAt(kinds),
    ticketsOf: async (stream) =>
      [...(ticketIds.get(stream) ?? [])].sort().map((id) => structuredClone(book.get(id)!)),
    row: async (model, key) => rows.get(model, key),
    list: async (request) => rows.list(request),
    keysWith: async (model, prefix, limit) => rows.keysWith({ model, prefix, limit }),
    count: async (model, facet) => rows.count(model, facet),
    async keep(bytes) {
      const digest = bytesDigest(bytes)
      blobs.set(digest, Uint8Array.from(bytes))
      return digest
    },
    async fetch(digest) {
      const bytes = blobs.get(digest)
      return bytes === undefined
        ? null
        : Uint8Array.from(heldAgainst(digest, bytes, () => tombstones().left(digest) ?? undefined))
    },
    keptBytes: async () => [...blobs.values()].reduce((total, { length }) => total + length, 0),
    async verify(known = new Map()) {
      const stones = tombstones()
      const broken = [...streams].flatMap(([stream, links]) => {
        const { version, hash } = links.at(-1)!
        const edited = (at: number) => stones.edited(stream, at)
        return brokenLinks({
          stream,
          head: { version, hash },
          links,
          edited,
          known: known.get(stream) ?? new Map(),
        })
      })
      const gone = [...known].filter(([stream]) => !streams.has(stream))
      return [...broken, ...gone.flatMap(([stream, hashes]) => goneStream(stream, hashes, stones))]
    },
    alteredBytes: async () => [],
    async missingBytes(namedIn) {
      const stones = tombstones()
      const isMissing = (digest: string): boolean => !blobs.has(digest) && stones.left(digest) === undefined
      const named = log.flatMap((link) => {
        const { stream, version } = link
        return namedIn(storedEvent(link)).map((digest) => ({ stream, version, digest }))
      })
      return named.filter(
        ({ digest }, index) =>
          isMissing(digest) && named.findIndex((each) => each.digest === digest) === index,
      )
    },
    rowsUnlike: (project) =>
      findRowDifferences({
        streams: [...streams.keys()],
        read: async (stream) => read(stream),
        rows: rows.all(),
        project,
      }),
    tombstones: async () => storedTombstones(streams.get(ERASURES) ?? []),
    heads: async (afterPosition) => headsOf(streams).filter((head) => head.position > afterPosition),
    anchorNote: async () => anchor,
    async noteAnchor(note) {
      anchor = note
    },
    wouldErase: async (order) => erasureOf((await plan(order)).plan, order),
    erase,
    beforeErase: (listener) => announcements.add(listener),
    onErase: (listener) => eraseListeners.add(listener),
    compact: async () => true,
    isCompactionOwed: async () => false,
    async rebuild(project) {
      const made: Row[] = []
      const unmade: { stream: string; why: string }[] = []
      for (const stream of streams.keys()) {
        const found = await rowsMade(stream, () => project(stream, read(stream)))
        if ('why' in found) unmade.push(found)
        else made.push(...found.rows)
      }
      if (unmade.length === 0) rows.clear()
      for (const row of made) rows.put(row)
      return { streams: streams.size - unmade.length, unmade }
    },
    whyGone: () => null,
    close: async () => undefined,
  }
}

const endOf = (links: readonly ChainLink[]): Pick<Head, 'version' | 'hash'> =>
  links.at(-1) ?? { version: 0, hash: CHAIN_START }

const headsOf = (streams: ReadonlyMap<string, readonly ChainLink[]>): MovedHead[] =>
  [...streams].map(([stream, links]) => {
    const { version, hash, position } = links.at(-1)!
    return { stream, version, hash, position }
  })

/** What is stored is what was JSON when `append` was called; what is not JSON is refused before anything is written. */
const copied = (append: Append): Append => ({
  ...append,
  events: append.events.map(plain),
  tickets: append.tickets.map(plain),
  retire: [...append.retire],
  rows: append.rows.map(plain),
  keep: (append.keep ?? []).map((bytes) => Uint8Array.from(bytes)),
})

const plain = <T extends { readonly data: unknown }>(item: T): T => ({
  ...item,
  data: JSON.parse(jsonText(item.data)),
})
