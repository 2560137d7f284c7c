/**
 * The host is killed with -9 at random moments, over runs of four flows at once, and nothing that was told is lost or
 * done twice. CHAOS_KILLS says how often, CHAOS_SEED repeats the choices (not the timing) of an earlier storm.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { createChance } from './chance.fixture.ts'
import { MOMENTS, peopleOfRuns } from './people.fixture.ts'
import { endProcess, kinOf } from './processes.fixture.ts'
import { openProject, type Project } from './project.fixture.ts'
import { SCRIPTS } from './scripts.fixture.ts'
import { weather } from './storm.fixture.ts'

const KILLS = Number(process.env['CHAOS_KILLS'] ?? 8)
const RUNS = KILLS < 50 ? 2 : 4
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)
const SANDBOX = process.env['CHAOS_SANDBOX'] === 'auto' ? 'auto' : 'off'
const LONGEST_MS = 90_000 + KILLS * 6_000

describe('a host that is killed', () => {
  let project: Project | null = null
  afterEach(() => {
    if (project === null) return
    for (const { pid } of kinOf(project)) endProcess(pid)
    if (process.env['CHAOS_KEEP'] === undefined) project.close()
    project = null
  })

  it(
    `[E2] [E4] [E5] [K1] [K2] [K3] [K4] [K5] loses nothing, does nothing twice and ends every run (${KILLS} kills, seed ${SEED})`,
    async () => {
      project = await openProject({ sandbox: SANDBOX, scripts: () => SCRIPTS })
      const deadlineAt = Date.now() + LONGEST_MS
      const chance = createChance(SEED)
      process.stdout.write(`chaos: seed ${SEED}, ${KILLS} kills, in ${project.dir}\n`)
      const { problems, ...counts } = await weather({
        project,
        chance,
        kills: KILLS,
        runs: RUNS,
        deadlineAt,
        people: peopleOfRuns,
        moments: MOMENTS,
      })
      process.stdout.write(`chaos: ${JSON.stringify(counts)}\n`)
      expect(problems, `CHAOS_SEED=${SEED}`).toEqual([])
      expect(counts.kills).toBeGreaterThanOrEqual(KILLS)
    },
    LONGEST_MS + 30_000,
  )
})
