/**
 * The disk a host writes on, and whether it lets us down at the moment: told in a sentence when that begins, and again when it
 * is over. What a duty writes is tried again until it is written, so that nobody's work is lost for a disk that was full for a
 * while; whoever stands at a door is told at once, and nothing of what they asked is done later behind their back.
 */
import { StorageFailure } from '../../model/storage-failure.ts'
import type { Clock } from './clock.ts'

export interface Storage {
  /** Until it is written, or for so long. Only for what can be done again from its beginning. */
  patiently<T>(act: () => Promise<T>, mostMs?: number): Promise<T>
  /** Whether the disk is to blame for what was thrown, and nobody's mistake; told if that is news. */
  isToBlame(error: unknown): boolean
  /** Whether it failed lately, over by now or not. What only words say of it does not count. */
  hasFailedLately(): boolean
  /** Why nothing that is kept will be found again; null where it will. */
  whyGone(): string | null
}

export interface StorageOptions {
  readonly clock: Clock
  /** Nobody waits any longer once this fires. */
  readonly closing: AbortSignal
  readonly whyGone: () => string | null
  /** Told when the disk begins to fail, and when it works again. */
  readonly say: (sentence: string) => void
  /** Told once, when the home was taken away. */
  readonly onGone: (sentence: string) => void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
/** So often is a program believed that says the disk is full, where nothing else does. */
const MOST_HEARSAY = 5
const LATELY_MS = 60_000

export function createStorage({ clock, closing, whyGone, say, onGone }: StorageOptions): Storage {
  let failing: { readonly since: number } | null = null
  let lastAt = Number.NEGATIVE_INFINITY
  let isGone = false
  /** Those who were let down and have not got through yet. */
  let stillTrying = 0
  const pauses = new Set<() => void>()
  closing.addEventListener('abort', () => {
    for (const end of pauses) end()
  })

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        callOff()
        pauses.delete(end)
        resolve()
      }
      const callOff = clock.pause(ms, end)
      pauses.add(end)
    })

  function gone(sentence: string): void {
    if (isGone) return
    isGone = true
    say(sentence)
    onGone(sentence)
  }

  function suffer(failure: StorageFailure): void {
    if (failure.code === 'home-gone') {
      gone(failure.message)
      return
    }
    if (!failure.isHearsay) lastAt = clock.now()
    if (failing !== null) return
    failing = { since: clock.now() }
    say(`${inOneLine(failure.message)} Everything waits, and goes on by itself when there is room.`)
  }

  /** Over when all have got through: what one of them writes may be small, and fit where the others' does not. */
  function worked(): void {
    if (failing === null || stillTrying > 0) return
    const seconds = Math.max(1, Math.round((clock.now() - failing.since) / 1000))
    failing = null
    say(`What Signalbox keeps can be written again, after ${seconds} s.`)
  }

  return {
    async patiently(act, mostMs = Number.POSITIVE_INFINITY) {
      const until = clock.now() + mostMs
      let isLetDown = false
      let hearsay = 0
      const through = (): void => {
        if (isLetDown) stillTrying--
        isLetDown = false
      }
      for (let tries = 1; ; tries++) {
        const isLast = closing.aborted
        try {
          const result = await act()
          through()
          worked()
          return result
        } catch (error) {
          const failure = storageFailureOf(error)
          if (failure === null) {
            through()
            throw error
          }
          if (isTold(failure)) {
            suffer(failure)
            if (!isLetDown) stillTrying++
            isLetDown = true
          } else hearsay++
          const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS)
          const isHopeless = failure.code === 'home-gone' || hearsay >= MOST_HEARSAY
          if (isHopeless || isLast || clock.now() + pauseMs > until) {
            through()
            throw failure
          }
          await pause(pauseMs)
        }
      }
    },
    isToBlame: (error) => {
      const failure = storageFailureOf(error)
      if (failure === null || !isTold(failure)) return false
      suffer(failure)
      return true
    },
    hasFailedLately: () => clock.now() - lastAt < LATELY_MS,
    whyGone: () => {
      const why = whyGone()
      if (why !== null) gone(why)
      return why
    },
  }
}

/** Null: something else is wrong. */
export function storageFailureOf(error: unknown): StorageFailure | null {
  if (error instanceof StorageFailure) return error
  if (!(error instanceof Error) || !('code' in error)) return null
  const why = WHY[String(error.code)]
  if (why === undefined) return null
  const where = 'path' in error && typeof error.path === 'string' ? ` to ${error.path}` : ''
  return new StorageFailure(`Nothing can be written${where}: ${why}.`, { code: 'cannot-write', cause: error })
}

const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of its disk is used up',
  EROFS: 'its disk can only be read',
  EIO: 'its disk does not take it',
}

/** What a program of ours said of a disk; null where it speaks of something else. */
export function storageFailureIn(words: string): StorageFailure | null {
  return WORDS.test(words) ? new StorageFailure(words, { code: 'cannot-write', knownBy: 'words' }) : null
}

/** Words alone may be some agent's: they are nobody's business but that of the run in which they were said. */
const isTold = ({ isHearsay, isLikely }: StorageFailure): boolean => !isHearsay || isLikely

/** A file that could not be written may have a name that an agent chose. */
const inOneLine = (message: string): string =>
  message.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, LONGEST_SENTENCE)

const LONGEST_SENTENCE = 1000

/** The last are git's, which does not say why a write failed. */
const WORDS =
  /No space left on device|Disk quota exceeded|Read-only file system|Input\/output error|unable to write (?:new[ _]index )?file|unable to write loose object/
