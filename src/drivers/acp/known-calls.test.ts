import { expect, it } from 'vitest'
import { createKnownCalls, type KnownCall, type ToolUpdate } from './known-calls.ts'
import { NOTHING_TOLD } from './told-of-tool.ts'

const call = (id: string, input: unknown = null, status: ToolUpdate['status'] = 'pending'): KnownCall => ({
  call: { kind: 'tool', id, title: 'Read', status, input },
  told: { ...NOTHING_TOLD, texts: ['what it is about'] },
})

it('[K6] the calls that were heard of last are known, and no more than can be held', () => {
  const calls = createKnownCalls()
  for (let nth = 0; nth < 10_000; nth++) calls.remember(call(`${nth}`))
  const known = (ids: readonly number[]): number[] => ids.filter((id) => calls.get(`${id}`) !== undefined)
  expect(known([0, 9_499, 9_500, 9_999])).toEqual([9_500, 9_999])
  for (let nth = 0; nth < 20; nth++) calls.remember(call(`large ${nth}`, 'x'.repeat(1024 * 1024)))
  expect([calls.get('large 4'), calls.get('large 19')?.call.id]).toEqual([undefined, 'large 19'])
})

it('what a call that is over was given is not held any longer', () => {
  const calls = createKnownCalls()
  calls.remember(call('a', { path: 'x' }))
  expect(calls.get('a')?.call.input).toEqual({ path: 'x' })
  calls.remember(call('a', { path: 'x' }, 'completed'))
  expect(calls.get('a')).toMatchObject({ call: { title: 'Read', input: null }, told: NOTHING_TOLD })
})
