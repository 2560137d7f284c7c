/** Random checks, and decisions of people. */
import { type Flow, on, options } from './write-parts.ts'
import { type Json, onwards, route } from './write-routes.ts'

export function exitCheck(flow: Flow): Json {
  const { chance } = flow
  const time = chance.happens(0.4) ? { time: '5m' } : {}
  const faults = on(flow, ['failed', 'timed_out'])
  return chance.pick<() => Json>([
    () => ({ check: 'make', next: onwards(flow), ...time, ...faults }),
    () => ({ check: 'make', options: { pass: onwards(flow), fail: route(flow) }, ...time, ...faults }),
    () => ({
      check: 'make',
      options: {
        good: { to: onwards(flow), exit: [0, 2] },
        bad: { ...route(flow), exit: chance.pick<unknown>([1, 'other']) },
      },
      ...time,
      ...faults,
    }),
  ])()
}

export function jsonCheck(flow: Flow): Json {
  const { chance } = flow
  const time = chance.happens(0.3) ? { time: '5m' } : {}
  const faults = on(flow, ['failed', 'timed_out', 'invalid'])
  const asked = chance.happens(0.5)
    ? { options: options(flow, false), fields: { why: { type: 'text', required_for: ['no'] } } }
    : {
        asks: { p: ['m', 'n'], q: ['s', 't'] },
        when: [{ if: { p: 'm' }, to: onwards(flow) }, { if: { q: 's' }, ...route(flow) }, route(flow)],
      }
  return { check: 'make', answers: 'json', ...asked, ...time, ...faults }
}

const DEADLINES: readonly Json[] = [
  { remind: '1h' },
  { expire: '1d' },
  { remind: ['1h', '2h'], expire: '1d' },
  { remind: '2h', reroute: { after: '8h', to: '@leads' }, expire: '16h' },
  { expire: '16h', hours: { zone: 'Europe/Vienna', from: '09:00', to: '17:00' } },
]

export function decision(flow: Flow): Json {
  const { chance } = flow
  // With working hours it matters when it is, so nothing else should depend on that.
  const deadlines = flow.names.length < 3 ? DEADLINES : DEADLINES.filter((one) => !('hours' in one))
  const deadline = chance.happens(0.6) ? chance.pick(deadlines) : null
  const waits = deadline === null ? {} : { deadline }
  const faults = deadline !== null && 'expire' in deadline ? on(flow, ['expired', 'expired']) : {}
  const context = chance.happens(0.5) ? { context: chance.pick<unknown>(['git diff', { plan: 'text' }]) } : {}
  const asked = chance.pick<() => Json>([
    () => ({ decide: 'Go on?', options: options(flow, false) }),
    () => ({
      decide: 'Go on?',
      options: options(flow, false),
      fields: { why: { type: 'text', required: true } },
    }),
    () => ({
      decide: 'Which?',
      asks: { p: ['m', 'n'], q: ['s', 't'] },
      when: [{ if: { p: 'm' }, to: onwards(flow) }, route(flow)],
    }),
    () => ({
      decide: true,
      template: 'mine',
      ...(flow.index === flow.names.length - 1 ? {} : { options: options(flow, false) }),
    }),
  ])()
  return { ...asked, ...waits, ...context, ...faults }
}
