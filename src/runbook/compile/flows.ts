/**
 * A flow step: another runbook, compiled and proved on its own, then inlined. Its steps become `name/…`, its
 * ends become this step's outcomes, its variables become the caller's text. The engine therefore runs one flat
 * program, and the certificate speaks of the whole.
 */
import type { Contract } from '../../model/contract.ts'
import { list } from '../../model/nearest.ts'
import { type FlowStep, INTERVENTIONS, type Program } from '../../model/program.ts'
import { asks, type Route } from '../../model/route.ts'
import type { Template } from '../../model/template.ts'
import { childOf, type Entry, entriesOf, textOf, writtenOf } from '../tree.ts'
import { loadChild } from './child-runbook.ts'
import { INTERVENTIONS_DEFAULT } from './declarations.ts'
import { inline } from './inlining.ts'
import { remainingSteps } from './remaining-steps.ts'
import { HOLE, routeOf } from './routes.ts'
import { type Scope, spotOf, textAt, unknown } from './scope.ts'

export function flowStep(scope: Scope, entry: Entry): FlowStep | null {
  const flow = childOf(entry.value, 'flow')!
  const path = textOf(flow) ?? ''
  const loaded = loadChild(scope, flow, path)
  if (loaded === null) return null
  const { program: child, templates } = loaded
  scope.templatesInside.set(entry.key, templates)
  const kept = remainingSteps(child, scope.limited)
  if (kept === child.steps || Object.values(kept).every((step) => child.steps[step.name] === step))
    scope.unchanged.set(entry.key, child)
  const reached = new Set(
    Object.values(kept).flatMap((step) => {
      // What is inlined in it leads out of its own flow only.
      if (step.name.includes('/')) return []
      // A person who stops, stops the whole run: that is no end of this part of it.
      return Object.entries(step.routes).flatMap(([outcome, { arms }]) =>
        outcome.startsWith('@') ? [] : arms.flatMap(({ to }) => (to.kind === 'end' ? [to.end] : [])),
      )
    }),
  )
  const ends = Object.keys(child.ends).filter((end) => reached.has(end))
  const options = childOf(entry.value, 'options')
  const written = entriesOf(options)
  const routes: Record<string, Route> = {}
  for (const { key, at, value } of written) {
    if (!ends.includes(key))
      scope.report.add({
        code: 'unknown-option',
        at,
        path: value.path,
        message: `${path} has no end "${key}".`,
        help: `It can end as ${list(ends)}.`,
      })
    const route = routeOf(scope, value, { step: entry.key, outcome: key, origin: 'step' })
    if (asks(route))
      scope.report.add({
        code: 'wrong-kind',
        ...spotOf(value),
        message: '`ask` means nothing here: a flow has no question of its own that a person could answer.',
        help: 'Lead to a decision of its own instead.',
      })
    routes[key] = route
  }
  const missing = ends.filter((end) => !written.some(({ key }) => key === end))
  for (const end of missing) routes[end] = { arms: [{ to: HOLE, bound: null }], origin: 'step' }
  if (missing.length > 0)
    scope.report.add({
      code: 'missing-option',
      at: entry.at,
      path: entry.value.path,
      message: `${path} can end as ${missing.map((end) => `"${end}"`).join(' and ')}, and "${entry.key}" does not say where that leads.`,
      help: `Write \`${scope.report.spell({ options: Object.fromEntries(missing.map((end) => [end, 'STEP'])) })}\`.`,
    })
  if (child.limits.costUsd !== null || child.limits.tokens !== null)
    scope.report.add({
      code: 'ignored-limits',
      severity: 'warning',
      ...spotOf(flow),
      message: `The limits of ${path} count only when it runs by itself.`,
      help: `Write \`${scope.report.spell({ limits: limitsOf(child) })}\` in this runbook: they are limits of the whole run.`,
    })
  const interventions = child.budgets[INTERVENTIONS]
  if (interventions !== undefined && interventions !== INTERVENTIONS_DEFAULT)
    scope.report.add({
      code: 'ignored-limits',
      severity: 'warning',
      ...spotOf(flow),
      message: `The ${interventions} interventions of ${path} count only when it runs by itself.`,
      help: `Retries by a person are paid by the whole run: write \`${scope.report.spell({ budgets: { [INTERVENTIONS]: interventions } })}\` in this runbook.`,
    })
  if (child.setup !== undefined)
    scope.report.add({
      code: 'ignored-setup',
      severity: 'warning',
      ...spotOf(flow),
      message: `The setup of ${path} is done only when it runs by itself.`,
      help: 'Write `setup` in this runbook: a run has one worktree, and one setup for it.',
    })
  const contract: Contract = {
    variables: [
      {
        name: 'end',
        options: ends.map((end) => ({
          value: end,
          label: end,
          say: child.ends[end]!.say,
          recommended: false,
          confirm: false,
          reversible: true,
        })),
      },
    ],
    rows: [],
    fields: [],
    handoff: null,
  }
  const step: FlowStep = {
    kind: 'flow',
    name: entry.key,
    say: textOf(childOf(entry.value, 'say')) ?? child.say,
    contract,
    routes,
    faults: [],
    settleOn: null,
    runbook: path,
    entry: `${entry.key}/${child.entry ?? child.start}`,
  }
  scope.inlined.set(
    entry.key,
    inline(scope, { ...child, steps: kept }, entry.key, bindingsOf(scope, entry, child)),
  )
  return step
}

const limitsOf = ({ limits: { costUsd, tokens } }: Program): Record<string, number> => ({
  ...(costUsd === null ? {} : { cost: costUsd }),
  ...(tokens === null ? {} : { tokens }),
})

function bindingsOf(scope: Scope, entry: Entry, child: Program): Record<string, Template> {
  const given = childOf(entry.value, 'with')
  const bindings: Record<string, Template> = {}
  for (const { key, value } of entriesOf(given)) {
    if (!Object.hasOwn(child.vars, key))
      unknown(scope, 'unknown-variable', value, 'variable', key, Object.keys(child.vars))
    const text = writtenOf(value) ?? ''
    bindings[key] = textAt(scope, value, text, { kind: 'step', step: entry.key, hasAgent: false })
  }
  for (const [name, variable] of Object.entries(child.vars)) {
    if (variable.required && variable.default === null && bindings[name] === undefined)
      scope.report.add({
        code: 'missing-variable',
        at: entry.at,
        path: entry.value.path,
        message: `${child.name} needs the variable "${name}".`,
        help: `Write \`${scope.report.spell({ with: { [name]: '…' } })}\`.`,
      })
    bindings[name] ??= variable.default === null ? [] : [variable.default]
  }
  return bindings
}
