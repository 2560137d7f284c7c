import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { TEMPLATE_LIBRARY } from '../runbook/compile/template-library.ts'
import { readDecision } from './decision.ts'

const read = (payload: unknown, templates = TEMPLATE_LIBRARY) => readDecision({ templates }, payload)

function complaint(payload: unknown, templates = TEMPLATE_LIBRARY) {
  const raised = read(payload, templates)
  if (!('message' in raised)) throw new Error('it was taken')
  const [, wrong = ''] = /What is wrong:\n([\s\S]*?)\n\n/.exec(raised.message) ?? []
  const [, example = ''] = /```json\n(.*)\n```/.exec(raised.message) ?? []
  return { problems: wrong.split('\n'), example: JSON.parse(example) as Record<string, unknown> }
}

describe('a decision that does not fit its template', () => {
  it.each(Object.keys(TEMPLATE_LIBRARY))('[Q5] is told with an example of %s that would be taken', (kind) => {
    const { problems, example } = complaint({ ...EXAMPLE_DECISION, kind })
    expect(problems).toHaveLength(TEMPLATE_LIBRARY[kind]!.requiredContext.length)
    expect(read(example)).toMatchObject({ decision: { kind } })
  })

  it('is told of an example that a template of a runbook takes', () => {
    const templates = { odd: { hint: '', requiredContext: ['constructor', 'next steps'], options: [] } }
    const { problems, example } = complaint({ ...EXAMPLE_DECISION, kind: 'odd' }, templates)
    expect(problems[0]).toContain('`evidence.constructor` is missing')
    expect(read(example, templates)).toMatchObject({ decision: { kind: 'odd' } })
  })

  it('is told of what is missing together with everything else', () => {
    const { headline: _, ...rest } = EXAMPLE_DECISION
    const evidence = { alternatives: 7 }
    expect(complaint({ ...rest, kind: 'tradeoff', evidence }).problems).toEqual([
      '- `headline` is missing.',
      '- `evidence.alternatives` must be a text.',
      '- `evidence.recommendation` is missing: a decision of the kind "tradeoff" must say it.',
    ])
  })
})

describe('a decision of a kind that there is not', () => {
  it('is told of that together with everything else', () => {
    const { problems, example } = complaint({ headline: 'x', kind: 'Trade Off', urgency: 'soon' })
    expect(problems).toEqual([
      expect.stringContaining('- There is no kind "Trade Off"'),
      expect.stringContaining('- `options` must be'),
      '- `question` is missing.',
      expect.stringContaining('- `urgency` must be'),
    ])
    expect(example).toEqual(EXAMPLE_DECISION)
  })

  it('is told of that alone where nothing else is wrong', () => {
    expect(complaint({ ...EXAMPLE_DECISION, kind: 'tradeof' }).problems).toEqual([
      expect.stringContaining('did you mean "tradeoff"?'),
    ])
  })
})
