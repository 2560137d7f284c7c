/**
 * A flow step: another runbook, compiled and proved on its own, then inlined. Its steps become `name/…`, its
 * ends become this step's outcomes, its variables become the caller's text. The engine therefore runs one flat
 * program, and the certificate speaks of the whole.
 */
import type { Contract } from '../../model/contract.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { list } from '../../model/nearest.ts'
import { type FlowStep, INTERVENTIONS, type Program, type Step } from '../../model/program.ts'
import { type Arm, asks, type Route } from '../../model/route.ts'
import type { Template } from '../../model/template.ts'
import { childOf, type Entry, entriesOf, type Tree, textOf } from '../tree.ts'
import { HOLE, routeOf } from './routes.ts'
import { type Inlined, type Scope, spotOf, textAt, unknown } from './scope.ts'

export function flowStep(scope: Scope, entry: Entry): FlowStep | null {
  const flow = childOf(entry.value, 'flow')!
  const path = textOf(flow) ?? ''
  const child = loadChild(scope, flow, path)
  if (child === null) return null
  const reached = new Set(
    Object.values(child.steps).flatMap((step) =>
      // A person who stops, stops the whole run: that is no end of this part of it.
      Object.entries(step.routes).flatMap(([outcome, { arms }]) =>
        outcome.startsWith('@') ? [] : arms.flatMap(({ to }) => (to.kind === 'end' ? [to.end] : [])),
      ),
    ),
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
        help: 'Lead to a `decide` step instead.',
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
      help: `Write \`options: { ${missing.map((end) => `${end}: STEP`).join(', ')} }\`.`,
    })
  if (child.limits.costUsd !== null || child.limits.tokens !== null)
    scope.report.add({
      code: 'ignored-limits',
      severity: 'warning',
      ...spotOf(flow),
      message: `The limits of ${path} count only when it runs by itself.`,
      help: 'Write `limits:` in this runbook: they are limits of the whole run.',
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
    entry: `${entry.key}/${child.start}`,
  }
  scope.inlined.set(entry.key, inline(scope, child, entry.key, bindingsOf(scope, entry, child)))
  return step
}

function loadChild(scope: Scope, flow: Tree, path: string): Program | null {
  if (!/\.(?:ya?ml|hcl)$/.test(path)) {
    scope.report.add({
      code: 'missing-file',
      ...spotOf(flow),
      message: `"${path}" is not a .yaml or .hcl file.`,
      help: 'A flow step takes a runbook that is written down in YAML or HCL.',
    })
    return null
  }
  const file = scope.readFile(path, scope.report.file)
  if (file.kind === 'unreadable') {
    scope.report.add({
      code: 'missing-file',
      ...spotOf(flow),
      message: `The runbook ${path} ${file.why}.`,
      help: 'Paths are relative to this runbook. A flow step takes a .yaml or .hcl file.',
    })
    return null
  }
  if (scope.within.includes(file.file)) {
    scope.report.add({
      code: 'flow-cycle',
      ...spotOf(flow),
      message: `${path} contains itself.`,
      help: 'A flow is written into the place where it stands, so it cannot stand in itself. Use a bounded loop.',
      trail: [...scope.within.slice(scope.within.indexOf(file.file)), file.file],
    })
    return null
  }
  const { program, diagnostics } = scope.compileChild({ file: file.file, text: file.text })
  for (const diagnostic of diagnostics)
    if (diagnostic.severity === 'error' && !scope.report.diagnostics.includes(diagnostic))
      scope.report.diagnostics.push(diagnostic)
  if (program === null && !hasErrors(diagnostics))
    scope.report.add({
      code: 'no-flow',
      ...spotOf(flow),
      message: `There is no step in ${path}, so it cannot stand here.`,
      help: 'Name a runbook with steps.',
    })
  return hasErrors(diagnostics) ? null : program
}

function bindingsOf(scope: Scope, entry: Entry, child: Program): Record<string, Template> {
  const given = childOf(entry.value, 'with')
  const bindings: Record<string, Template> = {}
  for (const { key, value } of entriesOf(given)) {
    if (!Object.hasOwn(child.vars, key))
      unknown(scope, 'unknown-variable', value, 'variable', key, Object.keys(child.vars))
    const text = value.kind === 'scalar' ? String(value.value) : ''
    bindings[key] = textAt(scope, value, text, { kind: 'step', step: entry.key, hasAgent: false })
  }
  for (const [name, variable] of Object.entries(child.vars)) {
    if (variable.required && variable.default === null && bindings[name] === undefined)
      scope.report.add({
        code: 'missing-variable',
        at: entry.at,
        path: entry.value.path,
        message: `${child.name} needs the variable "${name}".`,
        help: `Write \`with: { ${name}: … }\`.`,
      })
    bindings[name] ??= variable.default === null ? [] : [variable.default]
  }
  return bindings
}

function inline(
  { unattended }: Scope,
  child: Program,
  name: string,
  bindings: Readonly<Record<string, Template>>,
): Inlined {
  const prefix = `${name}/`
  const template = (parts: Template): Template =>
    parts.map((part) => {
      if (typeof part === 'string') return part
      const { ref } = part
      if (ref.kind === 'var') return { ...part, ref: { kind: 'text', text: bindings[ref.name] ?? [] } }
      if (ref.kind === 'step') return { ...part, ref: { ...ref, step: prefix + ref.step } }
      if (ref.kind === 'text') return { ...part, ref: { kind: 'text', text: template(ref.text) } }
      return part
    })
  const maybe = (parts: Template | null): Template | null => (parts === null ? null : template(parts))

  const arm = ({ to, bound }: Arm, ofPerson: boolean): Arm => ({
    to:
      to.kind === 'step'
        ? { kind: 'step', step: prefix + to.step }
        : to.kind === 'leave'
          ? { ...to, flow: prefix + to.flow }
          : to.kind === 'end' && !ofPerson
            ? { kind: 'leave', flow: name, end: to.end }
            : to,
    bound:
      bound === null
        ? null
        : bound.kind === 'max'
          ? { ...bound, counter: prefix + bound.counter }
          : {
              ...bound,
              budget: bound.budget === INTERVENTIONS ? bound.budget : prefix + bound.budget,
              pass: bound.pass === null ? null : prefix + bound.pass,
            },
  })

  const step = (source: Step): Step => {
    const routes = Object.fromEntries(
      Object.entries(source.routes).map(([outcome, route]) => [
        outcome,
        { ...route, arms: route.arms.map((one) => arm(one, outcome.startsWith('@'))) },
      ]),
    )
    const base = { ...source, name: prefix + source.name, routes }
    switch (base.kind) {
      case 'agent':
      case 'panel':
        return {
          ...base,
          members: base.members.map((member) => ({
            ...member,
            agent: prefix + member.agent,
            prompt: maybe(member.prompt),
            gate: member.gate === null ? null : { ...member.gate, run: template(member.gate.run) },
            // Nobody watches a part of a flow that nobody watches.
            checkIn:
              member.checkIn === null || unattended
                ? null
                : { ...member.checkIn, template: prefix + member.checkIn.template },
          })),
        }
      case 'check':
        return { ...base, run: template(base.run) }
      case 'decide':
        return {
          ...base,
          prompt: template(base.prompt),
          context: base.context.map((item) => ({ ...item, source: template(item.source) })),
          template: base.template === null ? null : prefix + base.template,
        }
      case 'flow':
        return { ...base, entry: prefix + base.entry }
    }
  }

  const renamed = <T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [prefix + key, change(value)]))
  const { [INTERVENTIONS]: _shared, ...budgets } = child.budgets
  return {
    steps: renamed(child.steps, step),
    budgets: renamed(budgets, (value) => value),
    templates: renamed(child.templates, (value) => value),
    handoffs: renamed(child.handoffs, (value) => value),
    agents: renamed(child.agents, (agent) => ({
      ...agent,
      prompt: maybe(agent.prompt),
      prime: Object.fromEntries(Object.entries(agent.prime).map(([source, run]) => [source, template(run)])),
    })),
  }
}
