/**
 * Keeps the anchor of a journal up to date: some seconds after events were written, and when it is closed, the heads that
 * moved are added in one line, and the database is told how far the anchor goes. An append waits for none of it. What a
 * crash cost is added by the next one.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { anchorLine, headEntry, readAnchor } from './anchor-file.ts'
import type { AnchorNote, MovedHead } from './erasure.ts'
import type { Journal } from './journal.ts'

export interface Anchor {
  /** Adds what has moved; nothing where nothing has. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface AnchorOptions {
  readonly file: string
  readonly journal: Journal
  readonly now: () => number
  /** Whether to look at once for what an earlier process did not come to add. */
  readonly since: 'crash' | 'now'
  readonly onFailure: (error: unknown) => void
}

const DELAY_MS = 15_000
const SYNC_MS = 60_000

interface Tail extends AnchorNote {
  readonly lost: AnchorNote | null
}

export function openAnchor({ file, journal, now, since, onFailure }: AnchorOptions): Anchor {
  const moved = new Map<string, MovedHead>()
  let tail: Tail | null = null
  let timer: NodeJS.Timeout | null = null
  let syncedAt = 0
  let going: Promise<void> = Promise.resolve()

  const later = (): void => {
    timer ??= setTimeout(() => void flush().catch(onFailure), DELAY_MS).unref()
  }
  const unfollow = journal.follow((events) => {
    for (const { stream, version, hash, position } of events)
      moved.set(stream, { stream, version, hash, position })
    later()
  })
  if (since === 'crash') later()

  async function add(occasion: Occasion): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    const isDue = timer !== null
    timer = null
    if (!isDue) return
    const before = tail ?? (await findTail(file, journal))
    const heads = new Map(
      [...(tail === null ? await journal.heads(before.position) : []), ...moved.values()].map(named),
    )
    moved.clear()
    tail = before
    if (heads.size === 0) return
    const position = Math.max(before.position, ...[...heads.values()].map((head) => head.position))
    const lost = before.lost === null ? {} : { lost: before.lost }
    const line = { at: now(), position, heads: [...heads.values()].map(headEntry), ...lost }
    const { text, chain } = anchorLine(before.chain, line)
    const isSynced = occasion === 'close' || now() - syncedAt > SYNC_MS
    const bytes = await appendTo(file, text, isSynced ? 'durable' : 'soon')
    if (isSynced) syncedAt = now()
    const note = { lines: before.lines + 1, chain, position, bytes }
    tail = { ...note, lost: null }
    await journal.noteAnchor(note)
  }

  /** One after the other. What could not be written is found again by its position. */
  const inOrder = (occasion: Occasion): Promise<void> => {
    const next = going.then(() => add(occasion))
    going = next.catch(() => {
      tail = null
    })
    return next
  }
  const flush = (): Promise<void> => inOrder('news')

  return {
    flush,
    close: async () => {
      unfollow()
      await inOrder('close').catch(onFailure)
    },
  }
}

type Occasion = 'news' | 'close'

const named = (head: MovedHead) => [head.stream, head] as const

/** What the database remembers of the file is enough where the file is as long as it was. */
async function findTail(file: string, journal: Journal): Promise<Tail> {
  const note = await journal.anchorNote()
  if (note !== null && (await lengthOf(file)) === note.bytes) return { ...note, lost: null }
  const { lines, chain, position, fitsNote } = await readAnchor(file, note)
  const isLost = note !== null && (lines < note.lines || fitsNote === false)
  return { lines, chain, position, bytes: 0, lost: isLost ? note : null }
}

async function lengthOf(file: string): Promise<number> {
  const handle = await open(file, 'r').catch(() => null)
  const size = (await handle?.stat())?.size ?? 0
  await handle?.close()
  return size
}

/** Gives back how long the file then is. A line that a crash broke off is ended first. */
async function appendTo(file: string, text: string, when: 'durable' | 'soon'): Promise<number> {
  const handle = await open(file, 'a+', 0o600)
  try {
    await handle.appendFile((await endsWithinLine(handle)) ? `\n${text}` : text)
    if (when === 'durable') await handle.datasync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return false
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 })
  return buffer[0] !== 0x0a
}
