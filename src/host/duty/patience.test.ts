/** What a duty does in a run's files on a disk that fails, or that is only said to. */
import { describe, expect, it } from 'vitest'
import { openSmallDisk, whyNoSmallDisk } from '../../journal/sqlite/small-disk.fixture.ts'
import type { Fact } from '../../model/fact.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { homeAt } from '../machine/home.ts'
import { createStorage, storageFailureIn } from '../machine/storage.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { GitFailure } from '../workspace/git.ts'
import type { Problem } from '../workspace/problem.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { placesWithoutGit } from '../workspace/workplaces.fixture.ts'
import type { Workplaces } from '../workspace/workplaces.ts'
import { orNoRoom, patientWorkplaces } from './patience.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function openPlaces(dir = temporaryFolder()) {
  const clock = createManualClock(1_000)
  const said: string[] = []
  const closing = new AbortController()
  const storage = createStorage({
    clock,
    closing: closing.signal,
    whyGone: () => null,
    say: (sentence) => said.push(sentence),
    onGone: () => undefined,
  })
  const home = homeAt(dir)
  const patiently: typeof storage.patiently = (act) => storage.patiently(act)
  const loaded = { placed: { placement: { repo: dir, worktree: dir } } } as LoadedRun
  let tries = 0
  /** Answers of git's to one try after another; the last to all further ones. */
  const patient = (...answers: (() => Promise<readonly string[] | Problem>)[]) => {
    const ignored = () => answers[Math.min(tries++, answers.length - 1)]!()
    const places = { ...placesWithoutGit(), ignored }
    return patientWorkplaces(places, { patiently, home, closing: closing.signal }).ignored(loaded)
  }
  const wait = async (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      await settled()
      clock.advance(100)
    }
  }
  const needs = { storage, processEnvironment: { home } }
  const hands = { patiently, home, closing: closing.signal }
  return { patient, wait, said, needs, hands, loaded, closing, tries: () => tries }
}

const done = async () => ['x.log']
const said = (words: string) => async () => Promise.reject(storageFailureIn(words) ?? new GitFailure(words))
const FULL = 'git read-tree failed: No space left on device'
const THERE = { files: new Map() }
const UNKNOWN = { problem: 'git read-tree failed: fatal: something that no list has' }

describe('what git could not do', () => {
  it('[K9] with issues is done once more, too', async () => {
    const { hands, loaded } = openPlaces()
    let tries = 0
    const places = placesWithoutGit()
    const now = async () => (++tries === 1 ? UNKNOWN : (THERE as never))
    const patient = patientWorkplaces({ ...places, issues: { ...places.issues, now } }, hands)
    expect(await patient.issues.now(loaded)).toBe(THERE)
    expect(tries).toBe(2)
  })

  it('[K9] is done once more before the run is told, whatever git said', async () => {
    const { patient, tries } = openPlaces()
    expect(await patient(async () => UNKNOWN, done)).toEqual(['x.log'])
    expect(tries()).toBe(2)
  })

  it('is done once more where it was thrown', async () => {
    expect(await openPlaces().patient(said('fatal: what?'), done)).toEqual(['x.log'])
  })

  it('is believed the second time', async () => {
    const { patient, tries } = openPlaces()
    expect(await patient(async () => UNKNOWN)).toEqual(UNKNOWN)
    expect(tries()).toBe(2)
  })

  it('is no bug of ours, which is not done again', async () => {
    const { patient, tries } = openPlaces()
    await expect(patient(() => Promise.reject(new TypeError('oh')))).rejects.toThrow('oh')
    expect(tries()).toBe(1)
  })

  it('[K9] costs the run in which words spoke of a disk some tries, and no other run anything', async () => {
    const { patient, wait, said: told, needs, loaded, tries } = openPlaces()
    const waited = patient(said(FULL))
    await wait(5_000)
    expect(await waited).toEqual({ problem: FULL })
    expect([tries(), told]).toEqual([5, []])
    expect(orNoRoom(needs, loaded, 'It ended in the middle of its turn.')).toBeNull()
  })

  it('[K9] is not believed by a host that goes: it was not patient to the end', async () => {
    const { patient, wait, closing } = openPlaces()
    const waited = patient(said(FULL))
    const refused = expect(waited).rejects.toThrow(FULL)
    await wait(200)
    closing.abort()
    await wait(5_000)
    await refused
  })

  it('[K9] is believed as often after the disk was full for long', async () => {
    const { patient, wait } = openPlaces()
    const full = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
    const waited = patient(...Array.from({ length: 20 }, () => full), said(FULL), said(FULL), done)
    await wait(120_000)
    expect(await waited).toEqual(['x.log'])
  })

  it.skipIf(whyNoSmallDisk !== null)(
    '[K9] is believed of a disk as long as there is little room on it',
    async () => {
      const { patient, wait, said: told, needs, loaded } = openPlaces(openSmallDisk({ megabytes: 7 }).dir)
      const waited = patient(...Array.from({ length: 20 }, () => said(FULL)), done)
      await wait(120_000)
      expect(await waited).toEqual(['x.log'])
      expect(told).toEqual([
        expect.stringMatching(
          /^Nothing can be written to .+, it seems: only 7 MiB are left\. Everything waits/,
        ),
        expect.stringMatching(/^What Signalbox keeps can be written again/),
      ])
      expect(orNoRoom(needs, loaded, 'It ended in the middle of its turn.')).toBeNull()
    },
  )
})

it('[K9] what one try of taking in work has found is there for the next', async () => {
  const { hands, loaded } = openPlaces()
  const places = placesWithoutGit()
  const found: (readonly Fact[] | undefined)[] = []
  const collectWork: Workplaces['collectWork'] = async (work) => {
    found.push(work.begun?.artifacts)
    if (work.begun !== undefined) work.begun.artifacts = []
    return found.length === 1 ? UNKNOWN : places.collectWork(work)
  }
  const patient = patientWorkplaces({ ...places, collectWork }, hands)
  const work = { loaded, step: 'build', visit: 1, member: 0, boundary: null, message: '' }
  expect(await patient.collectWork(work)).toMatchObject({ commit: 'c' })
  expect(found).toEqual([undefined, []])
})

it('[K9] the base is brought in once more before the run is told that it could not be', async () => {
  const { hands, loaded } = openPlaces()
  const places = placesWithoutGit()
  let tries = 0
  const bringBase: Workplaces['bringBase'] = (...asked) =>
    ++tries === 1 ? Promise.resolve(UNKNOWN) : places.bringBase(...asked)
  const patient = patientWorkplaces({ ...places, bringBase }, hands)
  const how = { commit: 'c', by: { kind: 'signalbox' }, conflicts: 'left' } as const
  expect(await patient.bringBase(loaded, how)).toMatchObject({ commit: 'c' })
})
