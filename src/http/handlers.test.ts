/** A route is declared once: what is done about it, told of it and sent to it follows, or does not compile. */
import { describe, expect, expectTypeOf, it } from 'vitest'
import { ROUTES } from '../model/api/routes.ts'
import type { RUN_ROUTES } from '../model/api/runs.ts'
import { askerOf, openOperations } from './doors.fixture.ts'
import type { Handlers } from './handler.ts'
import { HANDLERS } from './handlers.ts'

type ForRuns = Handlers<typeof RUN_ROUTES>

describe('every declared route', () => {
  it('has a handler, and every handler has a route', () => {
    expect(Object.keys(HANDLERS).toSorted()).toEqual(Object.keys(ROUTES).toSorted())
  })

  it('does not compile without one, nor with one that answers something else', () => {
    expectTypeOf<Omit<ForRuns, 'GET /api/v1/find'>>().not.toExtend<ForRuns>()
    expectTypeOf<
      Omit<ForRuns, 'GET /api/v1/find'> & { 'GET /api/v1/find': () => { run: 1 } }
    >().not.toExtend<ForRuns>()
    expectTypeOf<
      Omit<ForRuns, 'GET /api/v1/find'> & { 'GET /api/v1/find': () => { code: 'no-such-code'; problem: '' } }
    >().not.toExtend<ForRuns>()
    expectTypeOf<
      Omit<ForRuns, 'GET /api/v1/find'> & { 'GET /api/v1/find': () => { run: 'a' } }
    >().toExtend<ForRuns>()
  })

  it('has a name of its own', () => {
    const names = Object.values(ROUTES).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

it('[V3] takes nothing out of the record for a body that does not say so, or says more than is known', async () => {
  const ask = askerOf(openOperations().options)
  for (const way of ['prune', 'erase'])
    for (const body of [{}, { text: 'a text', runs: null }, { dry: false, odd: 1 }, { dry: 'no' }])
      expect((await ask(`/api/v1/record/${way}`, { body })).status, JSON.stringify(body)).toBe(400)
  // All runs that have ended is what nobody may come to mean by leaving something out.
  expect((await ask('/api/v1/record/prune', { body: { dry: false } })).status).toBe(400)
})

it('[W35] compiles no runbook that is not named by an absolute path', async () => {
  const { options, repo, runbook } = openOperations()
  const ask = askerOf(options)
  const order = (named: string) => ({ body: { runbook: named, dir: repo, vars: { what: 'x' } } })
  for (const way of ['/api/v1/preflight', '/api/v1/runs'])
    for (const named of ['sign-off.yaml', './sign-off.yaml', ''])
      expect([way, named, (await ask(way, order(named))).status]).toEqual([way, named, 400])
  expect((await ask('/api/v1/preflight', order(runbook))).status).toBe(200)
})
