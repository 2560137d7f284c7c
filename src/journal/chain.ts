/**
 * The chain of hashes through a stream: each event's hash covers the one before it, so an event cannot be changed or
 * taken out without breaking a link. It protects against accident and against quiet edits, not against somebody who
 * computes the whole chain anew.
 */
import { hash } from 'node:crypto'
import type { StoredEvent, Tampering } from './journal.ts'

/** What stands before the first event. */
export const CHAIN_START = ''

/** An event as it lies in the journal: its data is the exact text that was hashed. */
export interface ChainLink extends Omit<StoredEvent, 'data'> {
  readonly text: string
}

/** Names are written with their length, so that no two events have the same form. */
export function chainHash(previous: string, link: Omit<ChainLink, 'hash' | 'position'>): string {
  const { stream, version, type, at, text } = link
  return hash(
    'sha256',
    `${previous} ${version} ${at} ${type.length}:${type} ${stream.length}:${stream} ${text}`,
  )
}

export function storedEvent({
  position,
  stream,
  version,
  type,
  at,
  text,
  hash: own,
}: ChainLink): StoredEvent {
  return { position, stream, version, type, at, data: JSON.parse(text), hash: own }
}

export interface Chain {
  readonly stream: string
  /** What the journal knows of the stream apart from its events. */
  readonly head: { readonly version: number; readonly hash: string }
  readonly links: readonly ChainLink[]
}

/** Each link is held against the stored hash before it, so one edit is told once and not again for all that follows. */
export function brokenLinks({ stream, head, links }: Chain): Tampering[] {
  const broken: Tampering[] = []
  const tell = (version: number, problem: string) => broken.push({ stream, version, problem })
  let previous: Pick<ChainLink, 'version' | 'hash'> = { version: 0, hash: CHAIN_START }
  for (const link of links) {
    if (link.version !== previous.version + 1) {
      tell(previous.version + 1, missing(previous.version + 1, link.version - 1))
    } else if (chainHash(previous.hash, link) !== link.hash) {
      tell(link.version, 'The event is not the one that was written: its hash does not fit.')
    }
    previous = link
  }
  if (previous.version < head.version) {
    tell(previous.version + 1, missing(previous.version + 1, head.version))
  } else if (previous.version > head.version) {
    tell(head.version + 1, `The stream should end at version ${head.version}, but events follow.`)
  } else if (previous.hash !== head.hash) {
    tell(head.version, 'The last event is not the one the stream ended with.')
  }
  return broken
}

const missing = (from: number, to: number): string =>
  from === to ? `Event ${from} is missing.` : `Events ${from} to ${to} are missing.`
