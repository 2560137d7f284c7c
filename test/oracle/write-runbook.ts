/**
 * Small random runbooks with every feature of the language that touches routing or counting. One to three steps, wired
 * forwards so that each is reached, with bounded ways back; small numbers, so that everything that can happen can be seen.
 */
import type { Diagnostic } from '../../src/model/diagnostic.ts'
import type { Program } from '../../src/model/program.ts'
import { compileSource } from '../../src/runbook/compile.ts'
import { type Chance, createChance } from '../chaos/chance.fixture.ts'
import { faultRoutes, free, type Json, onwards, route } from './write-routes.ts'
import { type Size, writeSteps } from './write-steps.ts'

export interface Written {
  readonly value: Json
  /** The runbooks of its flow steps. */
  readonly files: Readonly<Record<string, Json>>
}

export function writeRunbook(seed: number): Written {
  const chance = createChance(seed)
  if (chance.happens(0.18)) return withFlow(chance)
  const size = chance.happens(0.35) ? 'large' : 'small'
  return { value: flowOf(chance, size, namesOf(chance, size)), files: {} }
}

export interface Compiled {
  readonly program: Program | null
  readonly diagnostics: readonly Diagnostic[]
}

export function compileWritten({ value, files }: Written): Compiled {
  return compileSource({ file: 'random.ts', value }, (path) =>
    path in files
      ? { kind: 'text', file: path, text: JSON.stringify(files[path]) }
      : { kind: 'unreadable', why: 'is not there' },
  )
}

const namesOf = (chance: Chance, size: Size): string[] =>
  ['a', 'b', 'c'].slice(0, chance.pick(size === 'large' ? [1, 1, 1, 2] : [1, 1, 2, 2, 3]))

function flowOf(
  chance: Chance,
  size: Size,
  names: readonly string[],
  given: Readonly<Record<string, Json>> = {},
): Json {
  const rarely = (probability: number, keys: () => Json): Json => (chance.happens(probability) ? keys() : {})
  const unattended = chance.happens(0.08)
  const limits = rarely(0.18, () => ({ limits: chance.pick<Json>([{ tokens: 10 }, { cost: 1 }]) }))
  const { steps: written, calm } = writeSteps(chance, size, names, Object.keys(given))
  const last = { chance, names, index: names.length - 1, earliest: 0, calm }
  const faults = rarely(0.3, () => ({
    on: faultRoutes(last, ['failed', 'stalled', 'expired', 'over_budget'], 0.4),
  }))
  const steps = names.map((name, index) => [name, given[name] ?? written[index]!] as const)
  const { granted, told } = lookingBack(chance, steps)
  return {
    runbook: 1,
    name: 'random',
    ...(unattended ? { unattended } : {}),
    ...limits,
    budgets: { rework: chance.pick([0, 1, 1]), interventions: size === 'large' ? 0 : chance.pick([0, 1]) },
    counters: { c: 1, d: { max: 1, per: chance.pick(names) } },
    agents: {
      x: { nudges: 0, questions: 0 },
      y: {
        nudges: 0,
        questions: 0,
        ...rarely(0.6, () => chance.pick<Json>([{ writes: [] }, { judge: 'true' }])),
      },
      z: { nudges: 0, questions: 0, ...granted },
    },
    templates: { mine: { prompt_hint: 'Go on?', options: { done: {}, abandoned: {} } } },
    handoffs: HANDOFFS,
    ends: { shelved: 'Put aside' },
    ...rarely(0.12, () => ({ deadline: chance.pick<Json>([{ remind: '1h' }, { expire: '2h' }]) })),
    ...rarely(0.08, () => ({ setup: setup(chance, names) })),
    ...faults,
    steps: Object.fromEntries(told),
  }
}

function setup(chance: Chance, names: readonly string[]): unknown {
  const spot = { chance, names, index: 0, earliest: 0, calm: [] }
  return chance.pick<() => unknown>([
    () => 'make',
    () => ({ run: ['make', 'make all'], on: { failed: route(spot) } }),
    () => ({ run: 'make', time: '5m', on: { else: route(spot) } }),
  ])()
}

/** What an agent may write is what the first step named; what advisers said is told to whoever works next. */
function lookingBack(
  chance: Chance,
  steps: readonly (readonly [string, Json])[],
): { granted: Json; told: (readonly [string, Json])[] } {
  const [first, ...others] = steps
  const [name, step] = first!
  const isFree = 'agent' in step && !('fields' in step) && !('when' in step)
  const names = isFree && chance.happens(0.3)
  const hasAdvisers =
    Array.isArray(step['panel']) && step['panel'].some((member) => typeof member === 'object')
  return {
    granted: names ? { writes: `\${steps.${name}.files ?? "src/**"}` } : {},
    told: [
      names ? [name, { ...step, fields: { files: { type: 'list' } } }] : [name, step],
      ...others.map(([other, work]) =>
        hasAdvisers && 'agent' in work
          ? ([other, { ...work, prompt: `Heed \${steps.${name}.advice ?? "nobody"}.` }] as const)
          : ([other, work] as const),
      ),
    ],
  }
}

const LINE = { line: { type: 'text', required: true } }
const LEVEL = { level: { type: 'choice', choices: ['hi', 'lo'], required: true } }
const NONE = 'There is none.'

const HANDOFFS: Json = {
  paper: { fields: LINE, partial: true },
  sketch: { fields: LINE, fallback: NONE },
  draft: { fields: LINE, partial: true, fallback: NONE },
  firm: { fields: LINE },
  graded: { fields: { ...LINE, ...LEVEL }, partial: true },
  rated: { fields: LEVEL, fallback: NONE },
  ranked: {
    fields: { ...LINE, level: { type: 'choice', choices: ['hi', 'lo'] } },
    partial: true,
    fallback: NONE,
  },
  exact: { fields: LEVEL },
}

/** A flow of one or two steps within another, and sometimes one more within it. */
function withFlow(chance: Chance): Written {
  const innermost = flowOf(chance, 'small', ['p', 'q'].slice(0, chance.pick([1, 1, 2])))
  const inner = chance.happens(0.2)
    ? flowOf(chance, 'small', ['m'], { m: flowStep(chance, 'innermost.yaml', innermost, {}, ['m'], 0) })
    : innermost
  const files = { 'innermost.yaml': innermost, 'inner.yaml': inner }
  const names = chance.happens(0.5) ? ['a'] : ['a', 'b']
  const index = chance.pick(names.map((_, at) => at))
  const step = flowStep(chance, 'inner.yaml', inner, files, names, index)
  return { value: flowOf(chance, 'small', names, { [names[index]!]: step }), files }
}

function flowStep(
  chance: Chance,
  path: string,
  child: Json,
  files: Written['files'],
  names: readonly string[],
  index: number,
): Json {
  const spot = { chance, names, index, earliest: index, calm: [] }
  const ends = endsOf({ value: child, files })
  const routes = ends.map((end, at) => {
    const to = at === 0 ? onwards(spot) : free(spot)
    return [end, at > 0 && chance.happens(0.4) ? { to: 'retry', max: 1, then: to } : to]
  })
  return { flow: path, options: Object.fromEntries(routes) }
}

/** The ends that some route of the runbook leads to; none where it is not right. */
function endsOf(written: Written): string[] {
  const { program } = compileWritten(written)
  if (program === null) return []
  const targets = Object.values(program.steps).flatMap(({ routes }) =>
    Object.entries(routes).flatMap(([outcome, { arms }]) =>
      outcome.startsWith('@') ? [] : arms.map(({ to }) => to),
    ),
  )
  return [...new Set(targets.flatMap((to) => (to.kind === 'end' ? [to.end] : [])))]
}
