import { expect, it } from 'vitest'
import { createAskedOnce } from './asked.ts'

const REFUSED = { code: 'not-found', problem: 'There is none.' } as const
const settled = () => new Promise((resolve) => setTimeout(resolve))

it('what was refused is not asked for again by whoever is drawn anew, but a while later', async () => {
  let [at, asked] = [0, 0]
  const once = createAskedOnce(() => at)
  const ask = async () => (++asked < 2 ? REFUSED : 'there')
  once.get('a', ask)
  await settled()
  expect(once.get('a', ask).get()).toEqual({ kind: 'problem', problem: REFUSED })
  expect(asked).toBe(1)
  at = 6_000
  const store = once.get('a', ask)
  await settled()
  expect(store.get()).toEqual({ kind: 'there', value: 'there' })
  expect(once.get('a', ask)).toBe(store)
  expect(asked).toBe(2)
})

it('what is asked anew stays as it was until the answer is there', async () => {
  const once = createAskedOnce()
  const store = once.get('a', async () => 1)
  await settled()
  const again = once.again('a', async () => 2)
  expect(store.get()).toEqual({ kind: 'there', value: 1 })
  await again
  expect(store.get()).toEqual({ kind: 'there', value: 2 })
})
