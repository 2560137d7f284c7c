/**
 * A runbook written into the place where it stands: its steps, agents, budgets and counters get the name of that place
 * before their own, and its variables become the caller's text. What names nothing is shared, not copied.
 */
import { INTERVENTIONS, type Program, type Step } from '../../model/program.ts'
import type { Bound, Route, Target } from '../../model/route.ts'
import type { Template } from '../../model/template.ts'
import type { Inlined, Scope } from './scope.ts'

export function inline(
  { unattended }: Scope,
  child: Program,
  name: string,
  bindings: Readonly<Record<string, Template>>,
): Inlined {
  const prefix = `${name}/`
  // One text for each name: deep inside flows they are long, and each new one would be hashed anew.
  const names = new Map<string, string>()
  const inside = (own: string): string => {
    const known = names.get(own) ?? prefix + own
    names.set(own, known)
    return known
  }
  const template = (parts: Template): Template => {
    if (parts.every((part) => typeof part === 'string')) return parts
    return parts.map((part) => {
      if (typeof part === 'string') return part
      const { ref } = part
      if (ref.kind === 'var') return { ...part, ref: { kind: 'text', text: bindings[ref.name] ?? [] } }
      if (ref.kind === 'step') return { ...part, ref: { ...ref, step: inside(ref.step) } }
      if (ref.kind === 'text') return { ...part, ref: { kind: 'text', text: template(ref.text) } }
      return part
    })
  }
  const maybe = (parts: Template | null): Template | null => (parts === null ? null : template(parts))

  const target = (to: Target, outcome: string): Target => {
    switch (to.kind) {
      case 'step':
        return { kind: 'step', step: inside(to.step) }
      case 'leave':
        return { kind: 'leave', flow: inside(to.flow), end: to.end }
      case 'end':
        return outcome.startsWith('@') ? to : { kind: 'leave', flow: name, end: to.end }
      case 'ask':
        return to
    }
  }
  const bounded = (bound: Bound): Bound =>
    bound.kind === 'max'
      ? { kind: 'max', counter: inside(bound.counter), times: bound.times }
      : {
          ...bound,
          budget: bound.budget === INTERVENTIONS ? bound.budget : inside(bound.budget),
          pass: bound.pass === null ? null : inside(bound.pass),
        }

  /** Most faults lead to a person, wherever they stand: what names nothing is not copied. */
  const route = (source: Route, outcome: string): Route => {
    let isSame = true
    const arms = source.arms.map((arm) => {
      const to = target(arm.to, outcome)
      if (to === arm.to && arm.bound === null) return arm
      isSame = false
      return { to, bound: arm.bound === null ? null : bounded(arm.bound) }
    })
    return isSame ? source : { ...source, arms }
  }

  const step = (source: Step): Step => {
    const routes: Record<string, Route> = {}
    for (const outcome of Object.keys(source.routes))
      routes[outcome] = route(source.routes[outcome]!, outcome)
    const own = inside(source.name)
    switch (source.kind) {
      case 'agent':
      case 'panel':
        return {
          ...source,
          name: own,
          routes,
          members: source.members.map((member) => ({
            ...member,
            agent: inside(member.agent),
            prompt: maybe(member.prompt),
            gate: member.gate === null ? null : { ...member.gate, run: template(member.gate.run) },
            // Nobody watches a part of a flow that nobody watches.
            checkIn:
              member.checkIn === null || unattended
                ? null
                : { ...member.checkIn, template: inside(member.checkIn.template) },
          })),
        }
      case 'check':
        return { ...source, name: own, routes, run: template(source.run) }
      case 'decide':
        return {
          ...source,
          name: own,
          routes,
          prompt: template(source.prompt),
          context: source.context.map((item) => ({ ...item, source: template(item.source) })),
          template: source.template === null ? null : inside(source.template),
        }
      case 'flow':
        return { ...source, name: own, routes, entry: inside(source.entry) }
    }
  }

  const renamed = <T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> => {
    const all: Record<string, U> = {}
    for (const key of Object.keys(record)) all[inside(key)] = change(record[key]!)
    return all
  }
  const { [INTERVENTIONS]: _shared, ...budgets } = child.budgets
  return {
    steps: Object.values(child.steps).map(step),
    restarts: renamed(child.restarts ?? {}, (counters) => counters.map((counter) => inside(counter))),
    budgets: renamed(budgets, (value) => value),
    handoffs: renamed(child.handoffs, (value) => value),
    agents: renamed(child.agents, (agent) => ({
      ...agent,
      prompt: maybe(agent.prompt),
      writes: agent.writes?.map((grant) => (typeof grant === 'string' ? grant : template(grant))) ?? null,
      ...(agent.judge === undefined ? {} : { judge: template(agent.judge) }),
      prime: Object.fromEntries(Object.entries(agent.prime).map(([source, run]) => [source, template(run)])),
    })),
  }
}
