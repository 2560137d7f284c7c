/**
 * Keeps the anchor of a journal up to date: some seconds after events were written, and when it is closed, the heads that
 * moved are added in one line, and the database is told how far the anchor goes. An append waits for none of it. What a
 * crash cost is added by the next one. Only erasing waits: its tombstone is announced here before it is written, so that
 * one that somebody puts into the database is known by its absence.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { AnchorFileError, type AnchorLine, anchorLine, headEntry, readAnchor } from './anchor-file.ts'
import type { AnchorNote, Head, MovedHead } from './erasure.ts'
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
  /** Whether heads may have moved that this process was not told of. */
  let isBehind = true
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

  async function add(occasion: 'news' | 'close'): Promise<AnchorNote | null> {
    if (timer !== null) clearTimeout(timer)
    const isDue = timer !== null
    timer = null
    if (!isDue) return null
    tail ??= await findTail(file, journal)
    const unheard = isBehind ? await journal.heads(tail.position) : []
    const heads = [...new Map([...unheard, ...moved.values()].map(named)).values()]
    moved.clear()
    isBehind = false
    if (heads.length === 0) return null
    const position = heads.reduce((last, head) => Math.max(last, head.position), tail.position)
    return write(tail, { position, heads: heads.map(headEntry), erasing: null }, occasion)
  }

  async function announce({ version, hash }: Head): Promise<AnchorNote> {
    tail ??= await findTail(file, journal)
    return write(tail, { position: tail.position, heads: [], erasing: [version, hash] }, 'erasing')
  }

  async function write(
    before: Tail,
    news: Pick<AnchorLine, 'position' | 'heads' | 'erasing'>,
    occasion: 'news' | 'close' | 'erasing',
  ): Promise<AnchorNote> {
    const lost = before.lost === null ? {} : { lost: before.lost }
    const { text, chain } = anchorLine(before.chain, { at: now(), ...news, ...lost })
    const isSynced = occasion !== 'news' || now() - syncedAt > SYNC_MS
    const bytes = await appendTo(file, text, isSynced ? 'durable' : 'soon')
    if (isSynced) syncedAt = now()
    const note = { lines: before.lines + 1, chain, position: news.position, bytes }
    tail = { ...note, lost: null }
    return note
  }

  /** One after the other. What could not be written is found again by its position. */
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = going.then(work)
    going = next.then(
      () => undefined,
      () => {
        tail = null
        isBehind = true
      },
    )
    return next
  }
  /** The database is told outside of that order: while it erases it takes nothing, and waits for the file. */
  const addInOrder = async (occasion: 'news' | 'close'): Promise<void> => {
    const note = await inOrder(() => add(occasion))
    if (note !== null) await journal.noteAnchor(note)
  }
  const flush = (): Promise<void> => addInOrder('news')
  const unhear = journal.beforeErase(async (tombstone) => {
    const note = await inOrder(() => announce(tombstone))
    void journal.noteAnchor(note).catch(onFailure)
  })

  return {
    flush,
    close: async () => {
      unfollow()
      unhear()
      await addInOrder('close').catch(onFailure)
    },
  }
}

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
  const handle = await open(file, 'a+', 0o600).catch((error: unknown) => {
    // What a disk says is told as that by whoever asks.
    throw IN_THE_WAY.has((error as NodeJS.ErrnoException).code ?? '')
      ? new AnchorFileError(file, 'written', error)
      : error
  })
  try {
    await handle.appendFile((await endsWithinLine(handle)) ? `\n${text}` : text)
    if (when === 'durable') await handle.datasync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

/** What is wrong with the place, and not with the disk. */
const IN_THE_WAY = new Set(['EISDIR', 'EACCES', 'EPERM', 'ENOTDIR', 'ELOOP'])

async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return false
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 })
  return buffer[0] !== 0x0a
}
