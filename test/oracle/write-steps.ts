/** Random steps of every kind, each as small as it can be and still be different. */
import type { Chance } from '../chaos/chance.fixture.ts'
import {
  askedAgent,
  fieldAgent,
  gradedAgent,
  handingAgent,
  plainAgent,
  settlingAgent,
  tableAgent,
} from './write-agents.ts'
import { decision, exitCheck, jsonCheck } from './write-checks.ts'
import { advisers, largePanel, panel, settlingPanel } from './write-panels.ts'
import type { Flow } from './write-parts.ts'
import type { Json } from './write-routes.ts'

/** What many can say at once is met by all that the others can say, so one of these is enough for a runbook. */
const LARGE: readonly ((flow: Flow) => Json)[] = [
  settlingAgent,
  settlingAgent,
  panel,
  panel,
  largePanel,
  settlingPanel,
  settlingPanel,
  handingAgent,
  gradedAgent,
]

const SMALL: readonly ((flow: Flow) => Json)[] = [
  plainAgent,
  plainAgent,
  askedAgent,
  askedAgent,
  tableAgent,
  tableAgent,
  fieldAgent,
  fieldAgent,
  gradedAgent,
  handingAgent,
  advisers,
  exitCheck,
  exitCheck,
  jsonCheck,
  decision,
  decision,
]

const CALM = [exitCheck, jsonCheck, decision]

/** What may stand beside a large one. */
const PLAIN = [plainAgent, exitCheck, decision]

/** Of one step that can say much and little beside it, or of small ones only. */
export type Size = 'large' | 'small'

export interface WrittenSteps {
  readonly steps: readonly Json[]
  readonly calm: readonly string[]
}

/** The steps of a flow; some are written elsewhere. */
export function writeSteps(
  chance: Chance,
  size: Size,
  names: readonly string[],
  elsewhere: readonly string[],
): WrittenSteps {
  const large = size === 'large' ? Math.floor(chance.between(0, names.length)) : -1
  const beside = size === 'large' ? PLAIN : SMALL
  const kinds = names.map((_, index) => chance.pick(index === large ? LARGE : beside))
  const calm = names.filter((name, index) => !elsewhere.includes(name) && CALM.includes(kinds[index]!))
  const steps = kinds.map((write, index) =>
    write({ chance, names, index, earliest: large < 0 ? 0 : index, calm }),
  )
  return { steps, calm }
}
