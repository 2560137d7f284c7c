/**
 * Decisions are raised, answered over every door, taken back, delivered and acted on, while the host is killed with -9
 * in between. DECISION_KILLS says how often, CHAOS_SEED repeats the choices (not the timing) of an earlier storm.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { createChance } from './chance.fixture.ts'
import { DECISION_MOMENTS, peopleOfDecisions } from './decision-people.fixture.ts'
import { problemsOfDecisions } from './decision-record.fixture.ts'
import { decisionScripts, POLICYS_HEADLINE } from './decision-scripts.fixture.ts'
import { endProcess, kinOf } from './processes.fixture.ts'
import { openProject, type Project } from './project.fixture.ts'
import { weather } from './storm.fixture.ts'

const KILLS = Number(process.env['DECISION_KILLS'] ?? 8)
const RUNS = KILLS < 50 ? 2 : 3
const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)
const LONGEST_MS = 90_000 + KILLS * 6_000

const POLICIES = `policies:
  - { name: small-things, when: { headline: "*${POLICYS_HEADLINE}*" }, answer: recommended, until: 2099-12-31 }
`

describe('the answer to a decision', () => {
  let project: Project | null = null
  afterEach(() => {
    if (project === null) return
    for (const { pid } of kinOf(project)) endProcess(pid)
    if (process.env['CHAOS_KEEP'] === undefined) project.close()
    project = null
  })

  it(
    `[Q3] [Q6] [Q11] [Q16] is neither lost nor delivered twice with effect, whenever the host is killed (${KILLS} kills, seed ${SEED})`,
    async () => {
      const opened = await openProject({
        sandbox: 'off',
        scripts: decisionScripts,
        config: { 'policies.yaml': POLICIES },
      })
      project = opened
      process.stdout.write(`decisions: seed ${SEED}, ${KILLS} kills, in ${opened.dir}\n`)
      const { problems, ...counts } = await weather({
        project: opened,
        chance: createChance(SEED),
        kills: KILLS,
        runs: RUNS,
        deadlineAt: Date.now() + LONGEST_MS,
        people: peopleOfDecisions,
        moments: DECISION_MOMENTS,
        alsoExamine: (examined, when, witness) => problemsOfDecisions(opened, examined, { when, witness }),
      })
      process.stdout.write(`decisions: ${JSON.stringify(counts)}\n`)
      expect(problems, `CHAOS_SEED=${SEED}`).toEqual([])
      expect(counts.kills).toBeGreaterThanOrEqual(KILLS)
    },
    LONGEST_MS + 30_000,
  )
})
