/** What is wrong with a request is told in a sentence: where it stands, what would be right, what was given instead. */
import { describe, expect, it } from 'vitest'
import { NewDecision, PersonAnswer, Snooze } from './decision-bodies.ts'
import { parseBody, queryParser } from './parse.ts'
import { ROUTES } from './routes.ts'
import { Action, StartOrder } from './runs.ts'

const problem = (parsed: object): unknown => ('problem' in parsed ? parsed.problem : parsed)

describe('a body', () => {
  it.each([
    [StartOrder, undefined, 'The body must be a JSON object.'],
    [StartOrder, [], 'The body must be a JSON object.'],
    [StartOrder, { dir: '/' }, '`runbook` is missing: it must be an absolute path.'],
    [StartOrder, { runbook: 1, dir: '/' }, '`runbook` must be an absolute path, not 1.'],
    [StartOrder, { runbook: '/a', dir: '/', base: [] }, '`base` must be a text or null, not [].'],
    [StartOrder, { runbook: '/a', dir: '/', vars: { a: 1 } }, '`vars.a` must be a text, not 1.'],
    [Action, { kind: 'move' }, '`to` is missing: it must name a step.'],
    [Action, { kind: 'extend', budget: 'x', amount: '1' }, '`amount` must be a number, not "1".'],
    [
      NewDecision,
      { decision: {}, door: 'window' },
      '`door` must be one of http, mcp, cli, file, message, permission, elicitation, not "window".',
    ],
    [
      NewDecision,
      { decision: {}, resume: { argv: ['a', 1], cwd: '/' } },
      '`resume.argv[1]` must be a text, not 1.',
    ],
    [PersonAnswer, { notes: 'x' }, 'There is no `notes` here. Did you mean "note"?'],
    [
      PersonAnswer,
      { option: 'redis' },
      'There is no `option` here. Known here: pick, note, fields, edited, digest, together, holdMs.',
    ],
    [PersonAnswer, { note: ['x'.repeat(99)] }, `\`note\` must be a text, not ["${'x'.repeat(58)}….`],
    [
      Snooze,
      { until: 'tomorrow' },
      '`until` must be an instant, in milliseconds or as "2030-01-31T09:00:00Z", or null to wake it, not "tomorrow".',
    ],
  ])('%#', (schema, body, sentence) => {
    expect(problem(parseBody(schema, body))).toBe(sentence)
  })

  it('tells every kind of action where there is none of them', () => {
    expect(problem(parseBody(Action, { kind: 'explode' }))).toMatch(
      /^`kind` must be one of cancel, retry, move, .*, not "explode"\.$/,
    )
  })

  it('comes out with everything that was left out', () => {
    expect(parseBody(PersonAnswer, { pick: 'a', by: 'alice', person: 'alice' })).toEqual({
      value: { pick: 'a', note: '', fields: {}, edited: null, digest: null, together: false },
    })
    expect(parseBody(StartOrder, { runbook: '/a', dir: '/b', odd: 1 })).toEqual({
      value: { runbook: '/a', dir: '/b', base: null, issue: null, vars: {} },
    })
  })
})

describe('a query', () => {
  const parse = (address: keyof typeof ROUTES, text: string) =>
    queryParser(ROUTES[address].query)(new URLSearchParams(text))

  it.each([
    ['statsu=open', 'There is no parameter "statsu". Did you mean "status"?'],
    ['__proto__=1', /^There is no parameter "__proto__"\. Known here: status, /],
    ['status=opn', /^`status` must be one of pending, closed, all, open, .*, not "opn"\.$/],
    ['limit=1e2', '`limit` must be a whole number from 1 to 500, not "1e2".'],
    ['snoozed=1', '`snoozed` must be true or false, not "1".'],
    ['run=', '`run` must be some text, not "".'],
    ['run=a&run=b', '`run` is given twice.'],
  ])('%s', (text, sentence) => {
    expect(problem(parse('GET /api/v1/decisions', text))).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    )
  })

  it('is read as what its schema wants, with defaults', () => {
    expect(parse('GET /api/v1/decisions', 'snoozed=true&run=1&limit=7')).toEqual({
      value: { status: 'pending', snoozed: true, run: '1', limit: 7 },
    })
    expect(parse('GET /api/v1/runs', 'all=yes&limit=9999')).toEqual({
      value: { all: false, limit: 1000 },
    })
  })
})
