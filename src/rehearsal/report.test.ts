import { describe, expect, it } from 'vitest'
import { given } from '../engine/given.fixture.ts'
import type { Certificate, Worst } from '../model/certificate.ts'
import { certify } from '../runbook/proof/certificate.ts'
import { rehearse } from './rehearse.ts'
import { reportOf } from './report.ts'
import { armsOf } from './routes-taken.ts'

const { program } = given(`
name: loop
agents: { dev: {} }
budgets: { rework: 1 }
steps:
  work: { agent: dev, nudges: 1, questions: 1, gate: { run: make, max: 1 }, next: review }
  review:
    agent: dev
    questions: 0
    options: { good: done, bad: { to: work, max: 1, then: { to: work, spend: rework, then: given_up } } }
ends: { given_up: It never got good }
`)
const certificate = certify(program)
const rehearsal = rehearse(program, { mostStates: 100_000 })
const honest = reportOf(rehearsal, certificate)

describe('the report of a rehearsal', () => {
  it('[T2] tells states, moves, ends with their shortest ways, and routes', () => {
    expect(honest).toMatchObject({ runbook: 'loop', complete: true, problems: [], disagreements: [] })
    expect(honest.states).toBe(rehearsal.states.length)
    expect(honest.moves).toBe(rehearsal.moves.length)
    expect(honest.ends).toEqual(
      expect.arrayContaining([
        { end: 'done', moves: 4 },
        { end: 'abandoned', moves: 2 },
        { end: 'given_up', moves: expect.any(Number) },
      ]),
    )
    expect(honest.routes).toEqual({ taken: armsOf(program).length, all: armsOf(program).length, missed: [] })
  })

  it('[T3] has the certificate’s worst cases', () => {
    expect(honest.worst).toEqual(certificate.worst)
    expect(honest.visits).toEqual(
      Object.fromEntries(certificate.steps.map(({ step, visits }) => [step, visits])),
    )
  })

  it.each(Object.keys(certificate.worst) as (keyof Worst)[])(
    '[T3] notices a certificate with wrong %s',
    (measure) => {
      for (const off of [-1, 1]) {
        const certified = certificate.worst[measure] + off
        const falsified: Certificate = {
          ...certificate,
          worst: { ...certificate.worst, [measure]: certified },
        }
        expect(reportOf(rehearsal, falsified).disagreements).toEqual([
          `${measure}: rehearsed ${certificate.worst[measure]}, certified ${certified}`,
        ])
      }
    },
  )

  it('[T3] notices a certificate with wrong visits of a step', () => {
    const steps = certificate.steps.map((bound) =>
      bound.step === 'review' ? { ...bound, visits: 99 } : bound,
    )
    expect(reportOf(rehearsal, { ...certificate, steps }).disagreements).toEqual([
      `visits of review: rehearsed ${honest.visits['review']}, certified 99`,
    ])
  })

  it('[C6] is content with an "at most" that is not reached', () => {
    const worst = Object.fromEntries(
      Object.entries(certificate.worst).map(([key, value]) => [key, value + 5]),
    ) as unknown as Worst
    const bounds: Certificate = { ...certificate, exact: false, worst }
    expect(reportOf(rehearsal, bounds).disagreements).toEqual([])
  })

  it('[C6] notices an "at most" that is exceeded', () => {
    const bounds: Certificate = { ...certificate, exact: false, worst: { ...certificate.worst, visits: 1 } }
    expect(reportOf(rehearsal, bounds).disagreements).toEqual([
      expect.stringContaining(`visits: rehearsed ${certificate.worst.visits}`),
    ])
  })

  it('[T2] claims nothing about numbers where it stopped', () => {
    const cut = reportOf(rehearse(program, { mostStates: 10 }), certificate)
    expect(cut).toMatchObject({ complete: false, disagreements: [], problems: [], visits: {} })
    expect(cut.routes.missed.length).toBeGreaterThan(0)
  })

  it('[T2] names the routes that no run takes', () => {
    const { program: poor } = given(`
budgets: { interventions: 0 }
steps:
  a: { check: make, options: { pass: done, fail: abandoned } }
`)
    const report = reportOf(rehearse(poor, { mostStates: 1000 }), certify(poor))
    expect(report.routes.missed).toEqual(['a: @retry'])
    expect(report.problems).toEqual([])
  })
})
