import { describe, expect, it } from 'vitest'
import { NEW_RUN } from '../../engine/state.ts'
import type { ListedDecision } from '../../model/api/decision-record.ts'
import type { ShownOption } from '../../model/decision-record.ts'
import type { Program } from '../../model/program.ts'
import { sectionsOf } from './context-section.ts'
import { costOf, linesOf, neighbourOf, nextAfter, originOf } from './decision-list.view.ts'
import { sizeOf } from './evidence.view.ts'
import { leadText } from './option.view.ts'

const MINUTE = 60_000

const row = (id: string, over: Partial<ListedDecision> = {}): ListedDecision =>
  ({
    ...{
      id,
      alike: id,
      headline: `Ship ${id}?`,
      ask: '',
      run: `run-${id}`,
      step: 'sign_off',
      cause: 'step',
      kind: '',
    },
    ...{
      asker: null,
      assignee: null,
      runbook: '',
      repo: '',
      snoozedUntil: null,
      status: 'open',
      openedAt: 0,
    },
    ...{ options: [{ reversible: true }], group: 1 },
    ...over,
  }) as unknown as ListedDecision

const order = { filter: '', now: 100 * MINUTE, isSpread: false }

describe('the list', () => {
  it('[Q17] shows those that ask the same as one, in the place of the most costly', () => {
    const lines = linesOf([row('a', { alike: 'x' }), row('b'), row('c', { alike: 'x' })], order)
    expect(lines.map(({ row: { id }, ids }) => [id, ids])).toEqual([
      ['a', ['a', 'c']],
      ['b', ['b']],
    ])
    expect(originOf(lines[0]!)).toBe('2 runs ask the same')
    expect(
      linesOf([row('a', { alike: 'x' }), row('c', { alike: 'x' })], { ...order, isSpread: true }),
    ).toHaveLength(2)
  })

  it('shows what sleeps last, and only what has the words', () => {
    const asleep = row('a', { snoozedUntil: 101 * MINUTE })
    expect(linesOf([asleep, row('b')], order).map(({ row: { id } }) => id)).toEqual(['b', 'a'])
    expect(
      linesOf([row('a'), row('b')], { ...order, filter: 'SHIP run-b' }).map(({ row: { id } }) => id),
    ).toEqual(['b'])
    expect(linesOf([row('a')], { ...order, filter: 'ship nothing' })).toEqual([])
  })

  it('says first what waiting costs', () => {
    const now = 42 * MINUTE
    const all = [row('a'), row('b', { openedAt: 30 * MINUTE, cause: 'agent' }), row('c', { openedAt: now })]
    expect(costOf(all, { now, isWhole: true })).toEqual({
      title: '3 wait for you',
      under: 'Oldest 42 min · two runs stand still',
    })
    expect(costOf([], { now, isWhole: true }).title).toBe('Nothing waits for you')
    expect(costOf([row('a')], { now, isWhole: false }).title).toBe('1+ waits for you')
  })

  it('goes on to the next when one is done, to the one before after the last, and never to what sleeps', () => {
    const lines = linesOf([row('a'), row('b'), row('c'), row('d', { snoozedUntil: 101 * MINUTE })], order)
    expect(nextAfter(lines, ['a'])).toBe('b')
    expect(nextAfter(lines, ['c'])).toBe('b')
    expect(nextAfter(lines, ['a', 'b', 'c'])).toBeNull()
    expect([neighbourOf(lines, 'a', 1), neighbourOf(lines, 'a', -1), neighbourOf(lines, 'gone', 1)]).toEqual([
      'b',
      'a',
      'a',
    ])
  })
})

describe('an option', () => {
  const arms = [
    { to: { kind: 'step', step: 'develop' }, bound: { kind: 'max', counter: 'fix', times: 2 } },
    { to: { kind: 'step', step: 'retro' }, bound: { kind: 'spend', budget: 'rework', pass: null } },
    { to: { kind: 'end', end: 'abandoned' }, bound: null },
  ]
  const program = { steps: { sign_off: { routes: { fix: { arms, origin: 'step' } } } } } as unknown as Program
  const option = { key: 'fix', leadsTo: 'develop (max 2), then …' } as ShownOption
  const lead = (counters: Record<string, number>, budgets: Record<string, number>) =>
    leadText(option, { program, step: 'sign_off', state: { ...NEW_RUN, counters, budgets } })

  it('says where it leads from here, and what is left of its bounds', () => {
    expect(lead({}, { rework: 3 })).toBe(
      '→ develop · 2 of 2 left, then retro · 3 rework left, then abandoned',
    )
    expect(lead({ fix: 1 }, { rework: 0 })).toBe('→ develop · 1 of 2 left, then abandoned')
    expect(lead({ fix: 2 }, {})).toBe('→ abandoned')
    expect(leadText(option, null)).toBe('→ develop (max 2), then …')
  })
})

describe('the texts of a card', () => {
  it('are cut at the second headings of an agent’s Markdown, and not within its blocks', () => {
    const context =
      'Two ways.\n\n## Why now\nThe old one is gone.\n\n```md\n## no heading\n```\n## Risk ##\nNone.'
    expect(sectionsOf({ context, log: 'a\nb' }, 'agents')).toEqual({
      lead: 'Two ways.',
      sections: [
        { name: 'Why now', text: 'The old one is gone.\n\n```md\n## no heading\n```', form: 'markdown' },
        { name: 'Risk', text: 'None.', form: 'markdown' },
        { name: 'log', text: 'a\nb', form: 'markdown' },
      ],
    })
  })

  it('are what commands printed, and a diff where it is one', () => {
    const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n'
    const { sections } = sectionsOf({ stat: '# 1 file', diff, empty: ' ' }, 'commands')
    expect(sections.map(({ name, form }) => [name, form])).toEqual([
      ['stat', 'output'],
      ['diff', 'diff'],
    ])
  })
})

it('a change has a size', () => {
  const stat = ' a.ts | 2 +-\n 2 files changed, 8 insertions(+), 1 deletion(-)\n'
  expect(sizeOf(stat, 'c')).toMatchObject({ files: 2, added: 8, removed: 1 })
  expect(sizeOf(' 1 file changed, 1 insertion(+)\n', 'c')).toMatchObject({ files: 1, added: 1, removed: 0 })
})
