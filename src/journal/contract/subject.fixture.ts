/** What the contract is held against, and the shortest way to say what is appended. */
import type { Append, Journal } from '../journal.ts'

export interface Opened {
  readonly journal: Journal
  /** Closes it and opens the same again. */
  reopen(): Promise<Journal>
  dispose(): Promise<void>
  /** Changes what is stored behind the journal's back; null where that cannot be. */
  readonly tamper: Tamper | null
}

export interface Tamper {
  edit(stream: string, version: number): Promise<void>
  remove(stream: string, version: number): Promise<void>
  /** Its type and its time. */
  disguise(stream: string, version: number): Promise<void>
  /** Where the event before this one stands; the head's word of the last where the version is 0. */
  misdirect(stream: string, version: number): Promise<void>
  /** The same event once more. */
  double(stream: string, version: number): Promise<void>
  /** Kept bytes. */
  alter(digest: string): Promise<void>
  drop(digest: string): Promise<void>
}

/** The journal of the test going on. */
export interface Subject {
  readonly journal: Journal
  readonly opened: Opened
}

/** An append of nothing, with what the test is about. */
export const appendOf = (given: Partial<Append> & Pick<Append, 'stream'>): Append => ({
  expected: 0,
  events: [],
  tickets: [],
  retire: [],
  settle: null,
  rows: [],
  ...given,
})

export const happened = (type: string, data: unknown = {}) => ({ type, at: 1_000, data })
