import { expect, it } from 'vitest'
import { readDecision } from '../../engine/index.ts'
import { questionInWords } from './end-words.ts'

const read = (...messages: readonly string[]) =>
  readDecision({ templates: {} }, questionInWords('dev', messages))

it('[D30] a question in words is a decision with its whole text, fenced', () => {
  const plan = `The plan:\n\`\`\`sh\nrm -rf build\n\`\`\`\n${'One more line of it.\n'.repeat(300)}`
  const raised = read(plan, '**QUESTION**: Does this plan suit you?')
  if ('message' in raised) throw new Error(raised.message)
  const { headline, question, context, evidence, options } = raised.decision
  expect([headline, question]).toEqual(Array(2).fill('Does this plan suit you?'))
  const shown = [context, ...Object.values(evidence)]
  expect(shown.map((text) => text.split('\n').slice(1, -1).join('\n')).join('')).toBe(
    `${plan}**QUESTION**: Does this plan suit you?`,
  )
  for (const text of shown) expect(text).toMatch(/^(`{3,})message by the agent\n[\s\S]*\n\1$/)
  // Nobody but a person answers it: what a yes has done is known to the agent alone.
  expect(options.map(({ key, reversible }) => [key, reversible])).toEqual([
    ['go-on', false],
    ['leave-it', true],
  ])
})

it('[D30] one that could not be shown whole is not put to a person', () => {
  expect(read(`${'x'.repeat(50_000)}?`)).toHaveProperty('message')
})

it('[D30] its headline is the line that asks, else the last one', () => {
  const headline = (message: string): unknown => {
    const raised = read(message)
    return 'decision' in raised && raised.decision.headline
  }
  expect(headline('QUESTION\nWhich store?\nBoth would do.')).toBe('Which store?')
  expect(headline('QUESTION: tell me the port')).toBe('tell me the port')
  expect(headline('QUESTION')).toBe('What shall it do?')
})
