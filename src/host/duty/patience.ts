/** The hands of a duty: what they write is tried again until the disk takes it. Doors have the same ones without patience. */
import type { Journal } from '../../journal/index.ts'
import { StorageFailure } from '../../model/storage-failure.ts'
import type { Standalones } from '../inbox/standalones.ts'
import type { Home } from '../machine/home.ts'
import { whyLittleRoom, whyNoRoom } from '../machine/room.ts'
import { type Storage, storageFailureIn } from '../machine/storage.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { Runs } from '../runs/runs.ts'
import { createKeyedMutex } from '../streams/keyed-mutex.ts'
import { NOTHING_BEGUN } from '../workspace/collect-work.ts'
import { GitFailure } from '../workspace/git.ts'
import type { Problem } from '../workspace/problem.ts'
import type { Workplaces } from '../workspace/workplaces.ts'

type Patiently = Storage['patiently']

/** What is told of a run stays in its order: whoever comes later waits for the one that waits for the disk. */
export function patientRuns(runs: Runs, patiently: Patiently): Runs {
  const inTurn = createKeyedMutex()
  return {
    ...runs,
    execute: (run, commands, alongside) =>
      inTurn(run, () => patiently(() => runs.execute(run, commands, alongside))),
  }
}

export const patientStandalones = (standalones: Standalones, patiently: Patiently): Standalones => ({
  ...standalones,
  execute: (id, command, alongside) => patiently(() => standalones.execute(id, command, alongside)),
})

export const patientJournal = (journal: Journal, patiently: Patiently): Journal => ({
  ...journal,
  keep: (bytes) => patiently(() => journal.keep(bytes)),
})

interface PatienceNeeds {
  readonly patiently: Patiently
  readonly home: Home
  /** A host that goes was not patient to the end. */
  readonly closing: AbortSignal
}

/**
 * Everything about a worktree can be done again after it was broken off anywhere, so it can be after this as well. What went
 * wrong where there is no room went wrong for that, whatever was said about it.
 */
export function patientWorkplaces(
  workplaces: Workplaces,
  { patiently, home, closing }: PatienceNeeds,
): Workplaces {
  const withRoom = <T>({ placed }: LoadedRun, act: () => Promise<T>): Promise<T> => {
    const dirs = [home.dir, placed.placement.repo]
    return patiently(() => twice(() => unlessForRoom(act, dirs)))
  }
  const orProblem = <T>(loaded: LoadedRun, act: () => Promise<T | Problem>): Promise<T | Problem> =>
    withRoom(loaded, act).catch((error: unknown) => {
      if (isBelieved(error) && !closing.aborted) return { problem: error.message }
      throw error
    })
  const { issues } = workplaces
  return {
    ...workplaces,
    issues: {
      ...issues,
      now: (loaded) => orProblem(loaded, () => issues.now(loaded)),
      lay: (loaded, tracker, checkout) => orProblem(loaded, () => issues.lay(loaded, tracker, checkout)),
      collect: (loaded, tracker, checkout) =>
        orProblem(loaded, () => issues.collect(loaded, tracker, checkout)),
      commit: (loaded, by, change) => orProblem(loaded, () => issues.commit(loaded, by, change)),
      unfinished: (loaded, by) => withRoom(loaded, () => issues.unfinished(loaded, by)),
      keepUnfinished: (loaded, change) => withRoom(loaded, () => issues.keepUnfinished(loaded, change)),
      forgetUnfinished: (loaded) => withRoom(loaded, () => issues.forgetUnfinished(loaded)),
    },
    ensure: (loaded) => orProblem(loaded, () => workplaces.ensure(loaded)),
    renewRepository: (loaded) => withRoom(loaded, () => workplaces.renewRepository(loaded)),
    leaveToPeople: (loaded) => withRoom(loaded, () => workplaces.leaveToPeople(loaded)),
    collectWork: (work) => {
      const begun = { work: NOTHING_BEGUN() }
      return orProblem(work.loaded, () => workplaces.collectWork({ ...work, begun }))
    },
    prepare: (loaded, setup) => orProblem(loaded, () => workplaces.prepare(loaded, setup)),
    enterRole: (loaded, role, setup) => withRoom(loaded, () => workplaces.enterRole(loaded, role, setup)),
    layPrepared: (loaded, files) => orProblem(loaded, () => workplaces.layPrepared(loaded, files)),
    checkOut: (loaded, wanted) => orProblem(loaded, () => workplaces.checkOut(loaded, wanted)),
    keepFrom: (checkout, left) => withRoom(left.loaded, () => workplaces.keepFrom(checkout, left)),
    bringBase: (loaded, how) => orProblem(loaded, () => workplaces.bringBase(loaded, how)),
    ignored: (loaded) => orProblem(loaded, () => workplaces.ignored(loaded)),
    content: (loaded) => withRoom(loaded, () => workplaces.content(loaded)),
  }
}

/** A program that had no room seldom says so, and leaves some behind when it ends: so no single failure is believed. */
async function twice<T>(act: () => Promise<T>): Promise<T> {
  const first = await act().catch((error: unknown) => {
    if (error instanceof GitFailure) return error
    throw error
  })
  return first instanceof GitFailure || isProblem(first) ? act() : first
}

async function unlessForRoom<T>(act: () => Promise<T>, dirs: readonly string[]): Promise<T> {
  const result = await act().catch((error: unknown) => {
    throw whyNoRoom(dirs) ?? likely(saidOfDisk(error) ?? error, dirs)
  })
  const lack = isProblem(result) ? whyNoRoom(dirs) : null
  if (lack !== null) throw lack
  return result
}

const saidOfDisk = (error: unknown): StorageFailure | null =>
  error instanceof GitFailure ? storageFailureIn(error.message) : null

const likely = (error: unknown, dirs: readonly string[]): unknown =>
  error instanceof StorageFailure && error.isHearsay ? (whyLittleRoom(dirs) ?? error) : error

const isProblem = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'problem' in result

/** What only a program's words say, again and again, is whatever it is: the run is told. */
const isBelieved = (error: unknown): error is StorageFailure =>
  error instanceof StorageFailure && error.isHearsay && !error.isLikely

/** Resolves when there is room for something new to begin. */
export const untilRoom = (
  { storage, processEnvironment: { home } }: RoomNeeds,
  { placed }: LoadedRun,
): Promise<void> =>
  storage.patiently(async () => {
    const lack = whyNoRoom([home.dir, placed.placement.repo])
    if (lack !== null) throw lack
  })

/**
 * What ended badly while the disk failed may have ended so for that: then it is done again, as often as what fails with a bug.
 * Null: it did not fail.
 */
export function orNoRoom(
  { storage, processEnvironment: { home } }: RoomNeeds,
  { placed }: LoadedRun,
  detail: string,
): StorageFailure | null {
  const lack = whyNoRoom([home.dir, placed.placement.repo])?.message
  const why = lack ?? (storage.hasFailedLately() ? FAILED_LATELY : null) ?? saidToBeFull(detail)
  return why === null ? null : perhapsFor(why, detail)
}

const FAILED_LATELY = 'The disk has just failed.'

/** There may be room again by the time it has ended: then only its words tell. */
const saidToBeFull = (detail: string): string | null =>
  /\bENOSPC\b|no space left on device/i.test(detail) ? 'A program was refused room on the disk.' : null

/** A command that fails, and leaves no room behind, says nothing about what it was to judge; nor does one that says so with little left. */
export function throwForNoRoom(
  { processEnvironment: { home } }: Pick<RoomNeeds, 'processEnvironment'>,
  { placed }: LoadedRun,
  { exitCode, output }: { readonly exitCode: number | null; readonly output: string },
): void {
  if (exitCode === 0) return
  const dirs = [home.dir, placed.placement.repo]
  const lack = whyNoRoom(dirs)
  if (lack !== null) throw perhapsFor(lack.message, output)
  const isSaid = saidToBeFull(output) !== null || storageFailureIn(output) !== null
  const little = isSaid ? whyLittleRoom(dirs) : null
  if (little !== null) throw little
}

const perhapsFor = (why: string, detail: string): StorageFailure =>
  new StorageFailure(`${why} ${detail}`, { code: 'cannot-write', knownBy: 'words' })

interface RoomNeeds {
  readonly storage: Storage
  readonly processEnvironment: { readonly home: Home }
}
