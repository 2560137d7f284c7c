import { describe, expect, it } from 'vitest'
import { lineOf } from './text-line.view.ts'

const YAML = `runbook: 1
name: build
steps:
  develop: { agent: dev, prompt: Do it., next: review }
  review:
    agent: reviewer
    options:
      approve: done

      reject: { to: develop, max: 1, then: abandoned }
  sign_off: { decide: "Ship?", options: { ship: done } }
`

describe('the line of a route', () => {
  it('[U11] is that of its outcome, or of its step', () => {
    expect(lineOf(YAML, 'review', 'reject')).toBe(10)
    expect(lineOf(YAML, 'review', 'timed_out')).toBe(5)
    expect(lineOf(YAML, 'develop', 'done')).toBe(4)
    expect(lineOf(YAML, 'sign_off', 'ship')).toBe(11)
    expect(lineOf('runbook: 1\nsteps: { test: { check: x, options: { pass: done } } }', 'test', 'pass')).toBe(
      2,
    )
    expect(lineOf(YAML, 'nowhere', 'ship')).toBeNull()
    expect(lineOf(YAML, 'a.*(b', 'x')).toBeNull()
  })

  it('[U11] is found in the other syntaxes, too', () => {
    const hcl = 'name = "build"\n\nagent "review" {\n  on = {\n    reject = "develop"\n  }\n}\n'
    expect(lineOf(hcl, 'review', 'reject')).toBe(5)
    const typescript =
      'export default runbook({\n  steps: {\n    review: agent({\n      options: { reject: to("develop") },\n    }),\n  },\n})\n'
    expect(lineOf(typescript, 'review', 'reject')).toBe(4)
  })
})
