/**
 * A suite of storms: as many kills as are wanted, in storms that are short enough to be examined after each kill, each with a
 * seed and a project of its own. `CHAOS_SEED` repeats the choices (not the timing) of the first.
 */
import { afterEach, expect, it } from 'vitest'
import { whyNoSmallDisk } from '../../src/journal/sqlite/small-disk.fixture.ts'
import { createChance } from './chance.fixture.ts'
import { endProcess, kinOf } from './processes.fixture.ts'
import type { Project } from './project.fixture.ts'
import { type StormOptions, type Weathered, weather } from './storm.fixture.ts'
import { worldFaultsOf } from './world-faults.fixture.ts'

export interface Suite {
  readonly name: string
  /** What it must show, with its rules. */
  readonly claim: string
  readonly kills: number
  readonly runs: { readonly few: number; readonly many: number }
  readonly open: () => Promise<Project>
  readonly storm: (project: Project) => Pick<StormOptions, 'people' | 'moments' | 'kinds' | 'alsoExamine'>
}

const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)
/** The record is read whole after each kill, so a longer one would be slower by the square. */
const MOST_KILLS = 60
/** From here on, no kind of duty and no fault may have been missed. */
const FULL_KILLS = 200

export function describeStorms(suite: Suite): void {
  const { name, claim, kills, open, runs } = suite
  const storms = Array.from({ length: Math.ceil(kills / MOST_KILLS) }, (_, index) => ({
    seed: SEED + index,
    kills: Math.min(MOST_KILLS, kills - index * MOST_KILLS),
  }))
  const weathered: Weathered[] = []
  let project: Project | null = null
  afterEach(() => {
    if (project === null) return
    for (const { pid } of kinOf(project)) endProcess(pid)
    project.close()
    project = null
  })

  for (const { seed, kills: some } of storms) {
    const longestMs = 180_000 + some * 10_000
    it(
      `${claim} (${some} kills, seed ${seed})`,
      async () => {
        const opened = await open()
        project = opened
        const beganAt = Date.now()
        process.stdout.write(`${name}: seed ${seed}, ${some} kills, in ${opened.dir}\n`)
        const { problems, ...counts } = await weather({
          project: opened,
          chance: createChance(seed),
          kills: some,
          runs: kills < 50 ? runs.few : runs.many,
          deadlineAt: beganAt + longestMs,
          ...suite.storm(opened),
        }).catch((error: unknown) => {
          const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
          process.stdout.write(`${name}: seed ${seed}: ${told}\n`)
          throw error
        })
        const seconds = Math.round((Date.now() - beganAt) / 1000)
        process.stdout.write(`${name}: seed ${seed}, ${seconds} s, ${JSON.stringify(counts)}\n`)
        // At once: a reporter tells them when all storms are over.
        for (const problem of problems) process.stdout.write(`${name}: seed ${seed}: ${problem}\n`)
        if (opened.disk === null) process.stdout.write(`${name}: no disk was full: ${whyNoSmallDisk}\n`)
        expect(problems, `CHAOS_SEED=${seed}`).toEqual([])
        expect(counts.kills).toBeGreaterThanOrEqual(some)
        // In the middle of something, every one of them; and the world did each thing it can do.
        expect(Object.keys(counts.faults).toSorted()).toEqual([...worldFaultsOf(opened)].toSorted())
        weathered.push({ problems, ...counts })
        if (kills >= FULL_KILLS && weathered.length === storms.length)
          expect(missed(suite, opened, weathered), 'kinds of duty that no kill landed in').toEqual([])
      },
      longestMs + 30_000,
    )
  }
}

const missed = (suite: Suite, project: Project, weathered: readonly Weathered[]): string[] =>
  suite.storm(project).kinds.filter((kind) => weathered.every(({ hits }) => (hits[kind] ?? 0) === 0))
