/**
 * What comes before the first written step: the flow's setup, then a trial of each gate, so that no agent is paid to
 * work towards a gate that cannot even run. Both are checks like any other: their faults are routed, and whatever
 * looks at a program sees them. A flow that stands in another one leaves them to it.
 */
import { DONE } from '../../model/contract.ts'
import { formatDuration } from '../../model/duration.ts'
import type { CheckStep, Gate, GateExpectation, Program } from '../../model/program.ts'
import type { Route } from '../../model/route.ts'
import { childOf, type Entry, entryOf, itemsOf, type Tree, textOf } from '../tree.ts'
import { checkStep } from './check-step.ts'
import { canBeTried, untried } from './expectation.ts'
import { gateSpot } from './members.ts'
import { withPersonRoutes } from './person-routes.ts'
import { routeOf } from './routes.ts'
import { globAt, refuseEmpty, type Scope, type Spot, spotOf } from './scope.ts'
import { stepSpot } from './steps.ts'

export const SETUP = 'setup'

export function prepared(scope: Scope, program: Program): Program {
  const setup = entryOf(scope.root, SETUP)
  const making = [...(setup === undefined ? [] : [setupStep(scope, setup)]), ...trialsOf(scope, program)]
  const [first] = making
  if (first === undefined) return program
  const steps = making.map((step, index) => goingOn(step, making[index + 1]?.name ?? program.start))
  return {
    ...program,
    start: first.name,
    entry: program.start,
    ...(setup === undefined ? {} : { setup: { needs: needsOf(scope, setup.value) } }),
    steps: {
      ...Object.fromEntries(steps.map((step) => [step.name, withPersonRoutes(step)])),
      ...program.steps,
    },
  }
}

/** Where the first outcome leads, until it is known what comes next. */
const SOMEWHERE = 'abandoned'

/** Its first outcome is that all is well. */
function goingOn(step: CheckStep, next: string): CheckStep {
  const [well = DONE] = Object.keys(step.exits)
  const origin: Route['origin'] = step.name === SETUP ? 'step' : 'built-in'
  return {
    ...step,
    prepares: true,
    routes: { ...step.routes, [well]: { arms: [{ to: { kind: 'step', step: next }, bound: null }], origin } },
  }
}

function setupStep(scope: Scope, { key, at, value }: Entry): CheckStep {
  const spot = spotOf(value)
  scope.spots.set(stepSpot(SETUP), { at, path: spot.path })
  const run = value.kind === 'map' ? childOf(value, 'run') : value
  return checkStep(scope, {
    key,
    at,
    value: mapAt(spot, {
      say: scalarAt(spot, 'Makes a fresh worktree usable.'),
      check: scalarAt(run === undefined ? spot : spotOf(run), commandOf(scope, run)),
      next: scalarAt(spot, SOMEWHERE),
      time: childOf(value, 'time'),
      on: childOf(value, 'on'),
    }),
  })
}

/** Joined before they are read, so that quotes that one of them leaves open are seen by the next. */
function commandOf(scope: Scope, run: Tree | undefined): string {
  if (run?.kind !== 'list') return textOf(run) ?? ''
  for (const item of run.items) {
    const command = textOf(item)
    if (command !== undefined) refuseEmpty(scope, item, command)
  }
  return run.items.map((item) => `{ ${textOf(item) ?? ''}\n} || exit $?`).join('\n')
}

const needsOf = (scope: Scope, setup: Tree): string[] =>
  itemsOf(childOf(setup, 'needs')).map((item) =>
    globAt(scope, item, '`package-lock.json`, `packages/*/package.json`'),
  )

/** One for each command and what is expected of it, named after the first step that has it. */
function trialsOf(scope: Scope, program: Program): CheckStep[] {
  const trials = new Map<string, CheckStep>()
  const tried = new Map<string, number>()
  for (const step of Object.values(program.steps)) {
    if (step.kind !== 'agent' && step.kind !== 'panel') continue
    for (const { gate, signal } of step.members) {
      // Whoever may never finish is never gated.
      if (gate === null || gate.expect === 'none' || signal === 'fail') continue
      if (!canBeTried(gate.run)) {
        if (gate.expect !== 'either')
          scope.report.add({ ...spotIn(scope, step.name), ...untried(step.name, gate.run) })
        continue
      }
      const key = JSON.stringify([gate.run, gate.expect])
      if (trials.has(key)) continue
      // The members of a panel may have gates of their own.
      const earlier = tried.get(step.name) ?? 0
      tried.set(step.name, earlier + 1)
      trials.set(key, trialOf(scope, { step: step.name, gate, name: trialName(step.name, earlier) }))
    }
  }
  return [...trials.values()]
}

/** No name in a runbook has a dot; with a slash it would belong to an inlined flow. */
const trialName = (step: string, earlier: number): string =>
  `${step.replaceAll('/', '.')}.trial${earlier === 0 ? '' : `-${earlier + 1}`}`

interface Tried {
  readonly step: string
  readonly gate: Gate
  readonly name: string
}

/** The gate's own command stands there in the end, as it was compiled. */
const PLACEHOLDER = 'true'

function trialOf(scope: Scope, { step, gate, name }: Tried): CheckStep {
  const spot = spotIn(scope, step)
  const { codes, otherwise } = EXPECTED[gate.expect as Exclude<GateExpectation, 'none'>]
  const value = mapAt(spot, {
    say: scalarAt(spot, `Tries the gate of "${step}" before anybody works.`),
    check: scalarAt(spot, PLACEHOLDER),
    asks: scalarAt(spot, 'trial'),
    options: mapAt(spot, {
      expected: mapAt(spot, {
        label: scalarAt(spot, 'Go on all the same'),
        say: scalarAt(spot, 'Begin the work with the gate as it is.'),
        to: scalarAt(spot, SOMEWHERE),
        exit: { kind: 'list', ...spot, items: codes.map((code) => scalarAt(spot, code)) },
      }),
      unexpected: mapAt(spot, {
        say: scalarAt(spot, `The gate of "${step}" ${otherwise}.`),
        to: scalarAt(spot, 'ask'),
        exit: scalarAt(spot, 'other'),
      }),
    }),
    time: gate.timeLimitMs === null ? undefined : scalarAt(spot, formatDuration(gate.timeLimitMs)),
  })
  const made = checkStep(scope, { key: name, at: spot.at, value })
  return { ...made, run: gate.run, routes: { ...made.routes, unexpected: surpriseRoute(scope, name) } }
}

/** Where the flow says what a failure means, it says so of this one, too; else a person is asked. */
function surpriseRoute(scope: Scope, step: string): Route {
  const on = childOf(scope.root, 'on')
  const written = childOf(on, 'failed') ?? childOf(on, 'else')
  if (written === undefined) return { arms: [{ to: { kind: 'ask' }, bound: null }], origin: 'built-in' }
  return routeOf(scope, written, { step, outcome: 'unexpected', origin: 'flow' })
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** From 126 on a shell says that a command is not there, cannot be executed, or was killed; npm, that it has no such script. */
const LAST_OWN = 125

const EXPECTED: Record<Exclude<GateExpectation, 'none'>, { codes: readonly number[]; otherwise: string }> = {
  pass: { codes: [0], otherwise: 'should pass before anybody works, and did not' },
  fail: { codes: range(1, LAST_OWN), otherwise: 'should run and fail before anybody works, and did not' },
  either: { codes: range(0, LAST_OWN), otherwise: 'cannot even run before anybody works' },
}

/** The gate, or the flow step that holds it: what is inlined stands in another file. */
function spotIn({ spots, root }: Scope, step: string): Spot {
  const [outermost = ''] = step.split('/')
  return spots.get(gateSpot(step)) ?? spots.get(stepSpot(outermost)) ?? spotOf(root)
}

const scalarAt = (spot: Spot, value: string | number): Tree => ({ kind: 'scalar', ...spot, value })

const mapAt = (spot: Spot, members: Readonly<Record<string, Tree | undefined>>): Tree => ({
  kind: 'map',
  ...spot,
  entries: Object.entries(members).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, at: spot.at, value }],
  ),
})
