/**
 * Random runbooks for property tests: every kind of step and every feature that touches routing, wired forwards so
 * that each step is reached, with bounded ways back. Most of them compile; the few that do not are left out.
 */
import fc from 'fast-check'
import type { Program } from '../src/model/program.ts'
import { compileSource } from '../src/runbook/compile.ts'

type Json = Record<string, unknown>

const NAMES = ['a', 'b', 'c', 'd']

/** Rounds of a loop, counted for themselves, together with others, or anew for each entry. */
const counted = (to: string, then: string | Json, names: readonly string[]): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.integer({ min: 1, max: 2 }).map((max) => ({ to, max, then }) as Json),
    fc.constantFrom('laps', 'rounds').map((count) => ({ to, count, then }) as Json),
    fc.constantFrom(...names).map((per) => ({ to, max: 1, per, then }) as Json),
  )

const spent = (to: string, then: string): fc.Arbitrary<Json> =>
  fc.boolean().map((forget) => ({ to, spend: 'rework', ...(forget ? { forget } : {}), then }) as Json)

const bounded = (to: string, then: string, names: readonly string[]): fc.Arbitrary<Json> =>
  fc.oneof(
    counted(to, then, names),
    spent(to, then),
    spent(to, then).chain((after) => counted(to, after, names)),
  )

/** Somewhere later for free, or somewhere earlier at a price. */
const target = (index: number, names: readonly string[]): fc.Arbitrary<string | Json> => {
  const later = [...names.slice(index + 1), 'done', 'abandoned']
  const free = fc.constantFrom(...later)
  const back = fc.constantFrom(...names.slice(0, index + 1), 'retry')
  return fc.oneof(
    { weight: 3, arbitrary: free },
    { weight: 3, arbitrary: fc.tuple(back, free).chain(([to, then]) => bounded(to, then, names)) },
  )
}

const faults = (index: number, names: readonly string[], of: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...of), fc.oneof(target(index, names), fc.constant('ask')), { maxKeys: 2 })

/** Beyond a limit no agent begins, so nothing leads to one from there but a person or a check. */
const workFaults = (index: number, names: readonly string[]): fc.Arbitrary<Json> =>
  fc
    .tuple(faults(index, names, [...AGENT_FAULTS, 'else']), fc.constantFrom('ask', 'done', 'abandoned'))
    .map(([on, beyond]) => ({ ...on, over_budget: beyond }))

const options = (index: number, names: readonly string[], confirm: boolean) =>
  fc
    .tuple(target(index, names), target(index, names), fc.boolean(), fc.boolean())
    .map(([second, third, hasThird, confirmed]) => {
      const asMap = (to: string | Json): Json => (typeof to === 'string' ? { to } : to)
      return {
        yes: names[index + 1] ?? 'done',
        no: { ...asMap(second), ...(confirm && confirmed ? { confirm: true } : {}) },
        ...(hasThird ? { other: third } : {}),
      } as Json
    })

const work = fc.record(
  {
    nudges: fc.integer({ min: 0, max: 1 }),
    questions: fc.integer({ min: 0, max: 1 }),
    gate: fc.constantFrom(
      'make',
      { run: 'make', max: 0, expect: 'none' },
      { run: 'make', max: 1, expect: 'pass' },
      { run: 'make check', max: 1, expect: 'fail' },
    ),
    on_signal: fc.constantFrom('done', 'escalate', 'fail'),
    check_in: fc.constantFrom(true, { blocks: 2, cool_down: '5m' }),
    time: fc.constantFrom('10m'),
  },
  { requiredKeys: ['nudges', 'questions'] },
)
const plainWork = work.map(({ gate, on_signal, ...rest }) => ({
  ...rest,
  ...(gate === undefined ? { on_signal } : { gate }),
}))
const defined = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))

const AGENT_FAULTS = ['failed', 'stalled', 'timed_out']

function step(index: number, names: readonly string[]): fc.Arbitrary<Json> {
  const next = names[index + 1] ?? 'done'
  const on = workFaults(index, names)
  const plain = fc
    .record({ work: plainWork, on })
    .map((one) => ({ agent: 'x', next, ...one.work, on: one.on }))
  const asking = fc
    .record({
      work: plainWork,
      on,
      options: options(index, names, true),
      settles: fc.boolean(),
      gives: fc.boolean(),
    })
    .map(({ work: keys, settles, gives, ...rest }) => ({
      agent: 'x',
      ...keys,
      ...rest,
      ...(gives ? { gives: 'paper' } : {}),
      ...(settles && canSettle(rest.options) ? SETTLING : {}),
    }))
  const panel = fc
    .record({ options: options(index, names, true), on, advisory: fc.boolean(), settles: fc.boolean() })
    .map(({ advisory, settles, ...rest }) => ({
      panel: ['x', { agent: 'y', advisory }],
      nudges: 0,
      questions: 0,
      ...rest,
      ...(settles && canSettle(rest.options) ? SETTLING : {}),
    }))
  const table = fc
    .tuple(target(index, names), target(index, names), fc.boolean())
    .map(([first, second, isPanel]) => {
      const row = (to: string | Json) => (typeof to === 'string' ? { to } : to)
      return {
        ...(isPanel ? { panel: ['x', 'y'] } : { agent: 'x' }),
        nudges: 1,
        questions: 0,
        asks: { p: ['m', 'n'], q: { s: {}, t: { confirm: true } } },
        when: [{ if: { p: 'm', q: 's' }, to: next }, { if: { p: 'm' }, ...row(first) }, row(second)],
      }
    })
  const routed = fc
    .record({
      by: fc.constantFrom('sure', 'risk', 'size'),
      first: target(index, names),
      second: target(index, names),
      isPanel: fc.boolean(),
    })
    .map(({ by, first, second, isPanel }) => ({
      ...(isPanel ? { panel: ['x', 'y'] } : { agent: 'x' }),
      nudges: 1,
      questions: 0,
      ...ROUTED[by],
      next: { [by]: { [by === 'sure' ? 'true' : 'high']: next, absent: first, else: second } },
    }))
  const check = fc
    .tuple(target(index, names), faults(index, names, ['failed', 'timed_out']))
    .map(([fail, routes]) => ({ check: 'make', options: { pass: next, fail }, on: routes }))
  const decide = fc
    .record({
      options: options(index, names, false),
      deadline: fc.constantFrom(
        { remind: '1h' },
        { remind: ['1h', '2h'], expire: '1d' },
        { expire: '1d' },
        { remind: '2h', reroute: { after: '8h', to: '@leads' }, expire: '16h', hours: OFFICE },
      ),
      context: fc.constantFrom('git diff', { plan: 'text' }),
      on: faults(index, names, ['expired']),
    })
    .map(({ on: routes, ...rest }) =>
      'expire' in rest.deadline ? { decide: 'Go on?', ...rest, on: routes } : { decide: 'Go on?', ...rest },
    )
  return fc.oneof(plain, asking, panel, table, routed, check, decide).map(defined)
}

const SETTLING = { fields: { found: { type: 'findings' } }, settle_on: 'found' }

/** Whether some option counts its rounds. */
const canSettle = (of: Json): boolean =>
  Object.values(of).some((one) => typeof one === 'object' && one !== null && ('max' in one || 'count' in one))

/** A field of the answer, a field of a handoff that may come as notes or not at all, and an optional variable. */
const ROUTED: Readonly<Record<string, Json>> = {
  sure: { fields: { sure: 'boolean' } },
  risk: { gives: 'sheet' },
  size: { asks: { size: ['high', 'low'] }, optional: ['size'] },
}

const OFFICE = { zone: 'Europe/Vienna', from: '09:00', to: '17:00' }

const setup = (names: readonly string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant('make ready') },
    {
      weight: 1,
      arbitrary: faults(-1, names, ['failed', 'timed_out']).map((on) => ({
        run: ['make', 'make ready'],
        needs: ['Makefile'],
        time: '5m',
        on,
      })),
    },
  )

const flow = (names: readonly string[]): fc.Arbitrary<Json> =>
  fc
    .record({
      steps: fc.tuple(...names.map((_, index) => step(index, names))),
      setup: setup(names),
      agents: fc.constantFrom({ x: { writes: [] }, y: {} }, { x: {}, y: { judge: 'make judge' } }),
      limits: fc.constantFrom({}, {}, { limits: { tokens: 100 } }, { limits: { cost: 1 } }),
      per: fc.constantFrom(...names),
      budgets: fc.record({
        rework: fc.integer({ min: 0, max: 2 }),
        interventions: fc.integer({ min: 0, max: 2 }),
      }),
    })
    .map(({ steps, budgets, setup: made, agents, limits, per }) => ({
      runbook: 1,
      ...limits,
      budgets,
      counters: { laps: 2, rounds: { max: 1, per } },
      agents,
      ...(made === null ? {} : { setup: made }),
      handoffs: {
        paper: { fields: { line: { type: 'text', required: true } }, partial: true },
        sheet: {
          fields: { risk: { type: 'choice', choices: ['high', 'low'], required: true } },
          partial: true,
          fallback: 'None.',
        },
      },
      steps: Object.fromEntries(steps.map((one, index) => [names[index]!, one])),
    }))

const withChild = fc
  .tuple(flow(NAMES.slice(0, 2)), flow(['p']), fc.integer({ min: 1, max: 2 }))
  .map(([parent, child, max]) => ({
    child,
    value: {
      ...parent,
      steps: {
        ...(parent['steps'] as Json),
        a: { flow: 'child.yaml', options: { done: 'b', abandoned: { to: 'a', max, then: 'abandoned' } } },
      },
    } as Json,
  }))

export const compiledRunbook: fc.Arbitrary<Program> = fc
  .oneof(
    {
      weight: 4,
      arbitrary: fc
        .integer({ min: 1, max: 4 })
        .chain((count) => flow(NAMES.slice(0, count)))
        .map((value) => ({ value, child: {} as Json })),
    },
    { weight: 1, arbitrary: withChild },
  )
  .map(({ value, child }) => compile(value, child))
  .filter((program) => program !== null)

function compile(value: Json, child: Json): Program | null {
  const attempt = (flowValue: Json) =>
    compileSource({ file: 'random.ts', value: { ...flowValue, name: 'random' } }, () => ({
      kind: 'text',
      file: 'child.yaml',
      text: JSON.stringify({ ...child, name: 'child' }),
    }))
  const { program, diagnostics } = attempt(value)
  if (program !== null) return program
  // An inlined flow that cannot end as abandoned needs no route for it.
  const steps = value['steps'] as Record<string, Json>
  const a = steps['a']
  if (a?.['flow'] === undefined || !diagnostics.some(({ code }) => code === 'unknown-option')) return null
  return attempt({ ...value, steps: { ...steps, a: { flow: 'child.yaml', options: { done: 'b' } } } }).program
}
