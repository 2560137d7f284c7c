import { describe, expect, it } from 'vitest'
import { fencedBlock, type Words } from '../model/fence.ts'
import { given, type Scene } from './given.fixture.ts'
import { briefOf } from './views/brief.ts'

const brief = (run: Scene, member = 0) => briefOf(run.program, run.state, member, () => undefined)
const shown = (given: Words | null | undefined): string => (given ? fencedBlock(given) : '')

const LOOP = `
  vars: { issue: "7" }
  agents: { dev: { prompt: You write code., writes: [src] }, check: {} }
  handoffs: { plan: { version: 2, fields: { summary: { type: text, required: true } }, partial: true, fallback: Nothing is known } }
  steps:
    design: { agent: dev, gives: plan, nudges: 0, next: develop }
    develop: { agent: dev, prompt: 'Solve \${var.issue} by \${steps.design.summary ?? "your own plan"}', next: review }
    review:
      agent: check
      asks: verdict
      options: { good: { to: done, say: Ship it }, poor: { to: develop, say: Mend it first, max: 9, then: abandoned } }
      fields: { feedback: text, found: findings }
      settle_on: found
`
const designed = () =>
  given(LOOP)
    .started()
    .answer('design', { handoff: { summary: 'two files' } })
const poor = { verdict: 'poor', feedback: 'No tests', notes: 'See a.ts', found: [{ title: 'Leaks' }] }

describe('a brief', () => {
  it('says who the agent is, what to do, what is asked and what would be right', () => {
    expect(brief(designed())).toMatchObject({
      agent: 'dev',
      role: 'You write code.',
      task: 'Solve 7 by `two files`',
      message: '',
      writes: ['src'],
      unusable: null,
    })
    const { options, demands, example } = brief(designed().answer('develop', {}))
    expect(options).toMatchObject([
      { value: 'good', leadsTo: 'done' },
      { value: 'poor', leadsTo: 'develop (max 9), then abandoned' },
    ])
    expect(demands[0]).toBe('`verdict` must be one of: good, poor.')
    expect(example).toEqual({ verdict: 'good' })
  })

  it('[R9] holds what the step before said: its choice, fields and notes', () => {
    const run = designed().answer('develop', {}).answer('review', poor)
    const { prior } = brief(run)
    expect(prior).toMatchObject({ step: 'review', outcome: 'poor', said: 'Poor: Mend it first' })
    expect(shown(prior?.left)).toBe(
      '```answer by agent "check" at "review"\nfeedback:\nNo tests\n\nfound:\n- [major, open] Leaks\n\nNotes:\nSee a.ts\n```',
    )
  })

  it('[R9] holds it still after a nudge, with the reason it was sent back', () => {
    const run = given(
      LOOP.replace('next: review }', 'options: { ready: review, stuck: abandoned } }'),
    ).started()
    run
      .answer('design', { handoff: { summary: 'two files' } })
      .answer('develop', { decision: 'ready' })
      .answer('review', poor)
    run.answer('develop', { decision: 'redy' })
    expect(brief(run).message).toContain('did you mean "ready"?')
    expect(shown(brief(run).prior?.left)).toContain('feedback:\nNo tests')
  })

  it('[R9] holds it still when the step begins again, by a person or by its own route', () => {
    const rejected = (flow = LOOP) =>
      given(flow)
        .started()
        .answer('design', { handoff: { summary: 'two files' } })
        .answer('develop', {})
        .answer('review', poor)
    expect(shown(brief(rejected().fault('develop', 'failed').person('@retry')).prior?.left)).toContain(
      'feedback:\nNo tests',
    )
    expect(shown(brief(rejected().retry()).prior?.left)).toContain('feedback:\nNo tests')
    const routed = LOOP.replace(
      'next: review }',
      'next: review, on: { failed: { to: retry, max: 1, then: ask } } }',
    )
    expect(shown(brief(rejected(routed).fault('develop', 'failed')).prior?.left)).toContain(
      'feedback:\nNo tests',
    )
  })

  it('[R9] says also why the step begins again, and what the person said to that', () => {
    const run = designed().fault('develop', 'failed', 'crashed').person('@retry', { note: 'Mind the cache' })
    const again = (scene: Scene) => shown(brief(scene).again?.detail)
    expect(brief(run).again?.outcome).toBe('@retry')
    expect(again(run)).toBe(
      '```reason by person "alice"\nalice says: Mind the cache\n\nIt ended as failed: crashed\n```',
    )
    expect(again(designed().fault('develop', 'failed', 'crashed').retry())).toContain(
      '\nalice says: once more\n\nIt ended as failed: crashed\n',
    )
    expect(brief(designed()).again).toBeNull()
  })

  it('[R9] tells a step what it said itself, when its own answer leads back to it', () => {
    const run = given(`
      steps:
        draft: { agent: dev, options: { ready: done, more: { to: retry, max: 3, then: done } }, fields: { left: text } }
    `).started()
    run.answer('draft', { decision: 'more', left: 'Chapter 2' })
    expect(brief(run).prior).toMatchObject({ step: 'draft', outcome: 'more' })
    expect(shown(brief(run).prior?.left)).toContain('left:\nChapter 2')
  })

  it('[R9] holds what was said last inside a flow, by the step after the flow', () => {
    const run = given(
      'steps: { draft: { flow: child.yaml, options: { done: polish } }, polish: { agent: dev, next: done } }',
      {
        'child.yaml': 'steps: { write: { agent: author, next: done, fields: { title: text } } }',
      },
    ).started()
    run.answer('draft/write', { title: 'Signals', notes: 'Chapter 2 is thin' })
    expect(brief(run).prior?.outcome).toBe('done')
    expect(shown(brief(run).prior?.left)).toContain('Chapter 2 is thin')
  })

  it('[H1] holds every handoff there is, with name, version and a hash', () => {
    const run = designed().answer('develop', {})
    const [handoff] = brief(run).handoffs
    expect(handoff).toMatchObject({
      step: 'design',
      visit: 1,
      name: 'plan',
      version: 2,
      quality: 'full',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(shown(handoff?.text)).toBe('```plan by agent "dev" at "design"\nsummary: two files\n```')
    expect(shown(handoff?.json)).toContain('"summary": "two files"')
  })

  it('[H3] tells a partial handoff by its notes and a missing one by its fallback', () => {
    const partial = given(LOOP).started().answer('design', { notes: 'In words' })
    expect(brief(partial)).toMatchObject({
      task: 'Solve 7 by your own plan',
      handoffs: [{ quality: 'partial', json: null }],
    })
    expect(shown(brief(partial).handoffs[0]?.text)).toContain('\nIn words\n')
    const fallback = given(LOOP).started().answer('design', {})
    expect(brief(fallback).handoffs).toMatchObject([{ quality: 'fallback' }])
    expect(shown(brief(fallback).handoffs[0]?.text)).toBe('```plan by the runbook\nNothing is known\n```')
  })

  it('[S2] holds the open findings that the reviewer must mark', () => {
    const run = designed().answer('develop', {}).answer('review', poor).answer('develop', {})
    expect(shown(brief(run).findings)).toContain('\n- F1 [major] Leaks\n')
  })
})
