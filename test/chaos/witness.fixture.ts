/** What the host has said to us. Nothing of it may be untrue after a crash. */
import type { StoredEvent } from '../../src/journal/index.ts'

export interface Witness {
  /** By stream and version: the hash it was told with. */
  readonly seen: Map<string, string>
  /** Runs whose start was acknowledged. */
  readonly started: Set<string>
  /** Answers that were acknowledged: run and question → what was picked. */
  readonly answered: Map<string, string>
  /** Answers that were acknowledged, by decision: what was picked. Not those that may have been taken back. */
  readonly decided: Map<string, string>
  /** Decisions outside any run whose making was acknowledged. */
  readonly raised: Set<string>
  /** How many answers each door took. */
  readonly doors: Map<string, number>
  /** Seats whose agent the suite itself killed; those may fault. */
  readonly bereaved: Set<string>
  /** Seats whose agent met a full disk: it may have lost its session, and must not fault. */
  readonly shaken: Set<string>
  /** Since the disk was full, its host may speak of it. */
  isDiskBlamed: boolean
  /** How often it did. */
  diskSentences: number
  /** Runs that were to be cancelled. */
  readonly cancelled: Set<string>
  /** What went wrong while the host was alive. */
  readonly complaints: string[]
}

export const createWitness = (): Witness => ({
  seen: new Map(),
  started: new Set(),
  answered: new Map(),
  decided: new Map(),
  raised: new Set(),
  doors: new Map(),
  bereaved: new Set(),
  shaken: new Set(),
  isDiskBlamed: false,
  diskSentences: 0,
  cancelled: new Set(),
  complaints: [],
})

export const placeOf = ({ stream, version }: Pick<StoredEvent, 'stream' | 'version'>): string =>
  `${stream}@${version}`

export interface SeatName {
  readonly run: string
  readonly step: string
  readonly visit: number | string
  readonly member: number | string
}

export const seatName = ({ run, step, visit, member }: SeatName): string =>
  `${run}/${step}#${visit}.${member}`
