import { expect, it } from 'vitest'
import type { Update } from '../../drivers/index.ts'
import { type AskedInTurn, outrun } from './outrun.ts'

const ASKING: AskedInTurn = { question: 'build#1.0?1', then: 'go_on', known: ['begun'], told: 0 }
const call = (id: string, title: string, status: 'pending' | 'completed' = 'completed'): Update => ({
  kind: 'tool',
  id,
  title,
  status,
  input: null,
})
const did = (asking: AskedInTurn, update: Update) =>
  outrun(asking, update, 5).facts.map((fact) => ('did' in fact ? fact.did : ''))

it('[M9] is every call that is begun after the question, told once', () => {
  const { asking, facts, isStopped } = outrun(ASKING, call('a', 'Edit src/code.ts'), 5)
  expect(facts).toEqual([
    { type: 'decision.outrun', at: 5, question: 'build#1.0?1', did: 'Edit src/code.ts' },
  ])
  expect(isStopped).toBe(false)
  expect(did(asking, call('a', 'Edit src/code.ts'))).toEqual([])
  expect(did(asking, call('b', ''))).toEqual(['a tool call'])
})

it('[M9] is not waiting, nor what it had begun before, nor what is only announced, nor words', () => {
  for (const update of [
    call('begun', 'npm test'),
    call('a', 'mcp__signalbox__wait_decision'),
    call('a', 'signalbox: create_decision'),
    call('a', 'Edit', 'pending'),
    { kind: 'other', about: 'plan' } as const,
  ])
    expect(did(ASKING, update)).toEqual([])
})

it('[M9] stops it where the runbook says so', () => {
  const { facts, isStopped } = outrun({ ...ASKING, then: 'stop' }, call('a', 'Edit'), 5)
  expect(isStopped).toBe(true)
  expect(facts).toMatchObject([{ did: 'Edit', stopped: true }])
})

it('tells no more than anybody would read', () => {
  let asking = ASKING
  for (let n = 0; n < 100; n++) asking = outrun(asking, call(`c${n}`, 'Edit'), 5).asking
  expect(asking.told).toBe(20)
  expect(asking.known.length).toBeLessThan(30)
})
