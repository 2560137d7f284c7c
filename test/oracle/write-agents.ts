import {
  AGENT_FAULTS,
  agent,
  byValue,
  type Flow,
  gate,
  membersOf,
  on,
  options,
  settling,
  work,
} from './write-parts.ts'
import { bounded, type Json, onwards, route } from './write-routes.ts'

export function plainAgent(flow: Flow): Json {
  const next = flow.chance.happens(0.2) ? bounded(flow) : onwards(flow)
  // Only a target stands after `next`; a bound needs an option.
  return typeof next === 'string'
    ? { agent: agent(flow), next, ...work(flow, ['done']) }
    : { agent: agent(flow), options: { yes: { to: onwards(flow) }, no: next }, ...work(flow, ['yes', 'no']) }
}

export function askedAgent(flow: Flow): Json {
  const { chance } = flow
  const answers = options(flow, true)
  const fields = chance.happens(0.25)
    ? {
        fields: {
          why: { type: chance.pick(['text', 'number', 'boolean', 'list', 'file']), required_for: ['no'] },
        },
      }
    : {}
  return { agent: agent(flow), options: answers, ...fields, ...work(flow, Object.keys(answers)) }
}

export function settlingAgent(flow: Flow): Json {
  const { chance } = flow
  return {
    agent: agent(flow),
    ...settling(flow),
    ...(chance.happens(0.4) ? { gate: gate(chance) } : {}),
    ...(chance.happens(0.15) ? { on_signal: 'escalate' } : {}),
    ...(chance.happens(0.2) ? { nudges: 1 } : {}),
    ...on(flow, ['invalid', 'failed']),
  }
}

export function tableAgent(flow: Flow): Json {
  const { chance } = flow
  const confirmed = chance.pick(['m', 'n', 's', 't', ''])
  const values = (names: readonly string[]): Json =>
    Object.fromEntries(names.map((name) => [name, name === confirmed ? { confirm: true } : {}]))
  const row = (): Json => (chance.happens(0.25) ? { to: 'ask' } : route(flow))
  const isOptional = chance.happens(0.35)
  const named = (name: string): Json => (chance.happens(0.4) ? { name } : {})
  const some = isOptional ? 'absent' : 's'
  const rows: Json[] = [
    { if: chance.pick<Json>([{ p: 'm', q: some }, { p: 'n' }, { q: some }]), to: onwards(flow) },
    {
      ...named('second'),
      if: chance.pick<Json>([{ p: 'm' }, { q: ['t'] }, { p: ['m', 'n'], q: 't' }]),
      ...row(),
    },
    { ...named('rest'), ...row() },
  ]
  return {
    ...(chance.happens(0.8) ? { agent: agent(flow) } : { panel: membersOf(chance, 2) }),
    asks: { p: values(['m', 'n']), q: chance.happens(0.2) ? ['s', 't'] : values(['s', 't']) },
    ...(isOptional ? { optional: ['q'] } : {}),
    when: rows.slice(chance.pick([0, 0, 1])),
    ...(chance.happens(0.3) ? { nudges: 1 } : {}),
    ...on(flow, ['invalid', 'failed']),
  }
}

/** Led on by a field of its answer, which may be missing. */
export function fieldAgent(flow: Flow): Json {
  const { chance } = flow
  const isRequired = chance.happens(0.3)
  const isBoolean = chance.happens(0.5)
  const field = {
    ...(isBoolean ? { type: 'boolean' } : { type: 'choice', choices: ['hi', 'lo'] }),
    ...(isRequired ? { required: true } : {}),
  }
  const values = [...(isBoolean ? ['true', 'false'] : ['hi', 'lo']), ...(isRequired ? [] : ['absent'])]
  const next = { sure: byValue(flow, values) }
  return chance.pick<() => Json>([
    () => ({ agent: agent(flow), fields: { sure: field }, next, ...on(flow, AGENT_FAULTS) }),
    () => ({ agent: agent(flow), fields: { sure: field }, next, nudges: 1, ...on(flow, AGENT_FAULTS) }),
    () => ({ panel: membersOf(chance, 2), fields: { sure: field }, next, ...on(flow, ['invalid']) }),
    () => ({ check: 'make', answers: 'json', fields: { sure: field }, next, ...on(flow, ['invalid']) }),
    () => ({
      agent: agent(flow),
      asks: { p: ['m', 'n'] },
      fields: { sure: field },
      when: [
        { name: 'quick', if: { p: 'm', sure: values.slice(1).map(asWritten) }, to: onwards(flow) },
        { ...route(flow) },
      ],
    }),
  ])()
}

const asWritten = (value: string): unknown =>
  value === 'true' || value === 'false' ? value === 'true' : value

/** Led on by a field of its handoff, which may come as words, as its fallback, or not at all. */
export function gradedAgent(flow: Flow): Json {
  const { chance } = flow
  const gives = chance.pick(['graded', 'rated', 'ranked', 'exact'])
  const values = ['hi', 'lo', ...(gives === 'exact' ? [] : ['absent'])]
  return {
    agent: agent(flow),
    gives,
    next: { level: byValue(flow, values) },
    ...(chance.happens(0.4) ? { nudges: 1 } : {}),
    ...on(flow, ['invalid', 'stalled']),
  }
}

export function handingAgent(flow: Flow): Json {
  const { chance } = flow
  const gives = { gives: chance.pick(['paper', 'sketch', 'draft', 'firm']) }
  const answers = options(flow, true)
  const nudges = chance.happens(0.4) ? { nudges: 1 } : {}
  return chance.happens(0.5)
    ? { agent: agent(flow), next: onwards(flow), ...gives, ...nudges, ...on(flow, ['invalid']) }
    : { agent: agent(flow), options: answers, ...gives, ...nudges, ...on(flow, ['invalid', 'stalled']) }
}
