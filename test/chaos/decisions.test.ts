/**
 * Decisions are raised, answered over every door, taken back, delivered and acted on, while the host is killed with -9 in the
 * middle of that and the world does what it can. DECISION_KILLS says how often.
 */
import { describe } from 'vitest'
import { DECISION_MOMENTS, peopleOfDecisions } from './decision-people.fixture.ts'
import { problemsOfDecisions } from './decision-record.fixture.ts'
import { decisionScripts, POLICYS_HEADLINE } from './decision-scripts.fixture.ts'
import { openProject } from './project.fixture.ts'
import { describeStorms } from './suite.fixture.ts'
import { kindsOf } from './under-way.fixture.ts'

const POLICIES = `policies:
  - { name: small-things, when: { headline: "*${POLICYS_HEADLINE}*" }, answer: recommended, until: 2099-12-31 }
`

describe('the answer to a decision', () => {
  describeStorms({
    name: 'decisions',
    claim:
      '[Q3] [Q6] [Q11] [Q16] [K6] [K9] is neither lost nor delivered twice with effect, whenever the host is killed',
    kills: Number(process.env['DECISION_KILLS'] ?? 8),
    runs: { few: 2, many: 3 },
    open: () =>
      openProject({ sandbox: 'off', scripts: decisionScripts, config: { 'policies.yaml': POLICIES } }),
    storm: (project) => ({
      people: peopleOfDecisions,
      moments: DECISION_MOMENTS,
      kinds: kindsOf('decisions'),
      alsoExamine: (examined, when, witness) => problemsOfDecisions(project, examined, { when, witness }),
    }),
  })
})
