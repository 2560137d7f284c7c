import { describe, expect, it } from 'vitest'
import { compileSource } from '../compile.ts'

const compile = (text: string, files: Readonly<Record<string, string>> = {}) =>
  compileSource({ file: 'test.yaml', text: `runbook: 1\n${text}` }, (path) => {
    const found = files[path]
    return found === undefined
      ? { kind: 'unreadable', why: 'is not there' }
      : { kind: 'text', text: found, file: path }
  })

const STEP = (deadline: string) =>
  `steps: { a: { decide: Go?, options: { y: done, n: abandoned }, ${deadline} on: {} } }`

const deadlineAt = (text: string, step = 'a', files = {}) => {
  const found = compile(text, files).program?.steps[step]
  return found?.kind === 'decide' ? found.deadline : undefined
}

const HOUR_MS = 3_600_000

describe('a deadline', () => {
  it('without anything new is the data it always was, so that a program keeps its digest', () => {
    expect(deadlineAt(STEP('deadline: { remind: [2h, 1h], expire: 3h },'))).toStrictEqual({
      remindMs: [HOUR_MS, 2 * HOUR_MS],
      expireMs: 3 * HOUR_MS,
    })
    expect(deadlineAt(STEP(''))).toStrictEqual({ remindMs: [], expireMs: null })
  })

  it('[Q19] has all its rungs in the order they are due, a reminder before a re-route', () => {
    const deadline = '{ reroute: [{ after: 3h, to: "@leads" }, { after: 1h, to: anna }], remind: [1h, 2h] }'
    expect(deadlineAt(STEP(`deadline: ${deadline},`))).toStrictEqual({
      remindMs: [1, 1, 2, 3].map((hours) => hours * HOUR_MS),
      expireMs: null,
      reroutes: { 1: 'anna', 3: '@leads' },
    })
  })

  it('[Q20] counts Monday to Friday unless it says other days, in the order of the week', () => {
    const days = (more: string) =>
      deadlineAt(STEP(`deadline: { expire: 1h, hours: { zone: UTC, from: "9:00", to: "24:00"${more} } },`))
    expect(days('')?.hours).toStrictEqual({
      zone: 'UTC',
      fromMinute: 540,
      toMinute: 1440,
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    })
    expect(days(', days: [sun, mon, sun]')?.hours?.days).toEqual(['mon', 'sun'])
  })

  it('[Q21] of a flow is not that of a flow in it, which has its own', () => {
    const part = `runbook: 1\n${STEP('')}`
    const text =
      'deadline: { expire: 1h }\nsteps: { p: { flow: part.yaml, options: { done: done, abandoned: abandoned } } }'
    expect(deadlineAt(text, 'p/a', { 'part.yaml': part })).toEqual({ remindMs: [], expireMs: null })
    const own = part.replace('steps:', 'deadline: { expire: 2h }\nsteps:')
    expect(deadlineAt(text, 'p/a', { 'part.yaml': own })).toEqual({ remindMs: [], expireMs: 2 * HOUR_MS })
  })

  it('[Q21] of a flow makes its questions expire, so it is a fault that can be routed', () => {
    const { program, diagnostics } = compile(
      'unattended: true\ndeadline: { expire: 1h }\non: { expired: late }\nends: { late: Too late }\nsteps: { a: { decide: Go?, options: { y: done, n: abandoned } } }',
    )
    expect(diagnostics).toEqual([])
    expect(program?.steps['a']?.routes['expired']).toMatchObject({ origin: 'flow' })
  })

  it('[L2] of a flow is looked at once, also where no step takes it', () => {
    const text = (steps: string) =>
      `deadline: { remind: 2h, expire: 1h, hours: { zone: Nowhere, from: "9", to: "8:00" } }\n${steps}`
    const codes = ['bad-time', 'late-reminder', 'unknown-zone']
    for (const steps of [
      'steps: { a: { check: make, next: done } }',
      'steps: { a: { decide: Go?, options: { y: b, n: abandoned } }, b: { decide: Go?, options: { y: done, n: abandoned } } }',
    ])
      expect(
        compile(text(steps))
          .diagnostics.map(({ code }) => code)
          .toSorted(),
      ).toEqual(codes)
  })
})
