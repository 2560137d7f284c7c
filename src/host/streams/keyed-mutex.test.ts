import { describe, expect, it } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

describe('the keyed mutex', () => {
  it('lets one in at a time for each key, in the order they came', async () => {
    const inTurn = createKeyedMutex()
    const seen: string[] = []
    let inside = 0
    const act = (name: string) => async () => {
      expect(++inside).toBe(1)
      seen.push(`${name} in`)
      await new Promise(setImmediate)
      seen.push(`${name} out`)
      inside--
      return name
    }
    const came = ['a', 'b', 'c'].map((name) => inTurn('k', act(name)))
    expect(await Promise.all(came)).toEqual(['a', 'b', 'c'])
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
  })

  it('does not let one key wait for another', async () => {
    const inTurn = createKeyedMutex()
    let open = (): void => {}
    const slow = inTurn('slow', () => new Promise<void>((resolve) => (open = resolve)))
    expect(await inTurn('quick', async () => 'quick')).toBe('quick')
    open()
    await slow
  })

  it('goes on after a failure, which only its own caller is told', async () => {
    const inTurn = createKeyedMutex()
    const failing = inTurn('k', async () => {
      throw new Error('this one')
    })
    const next = inTurn('k', async () => 'next')
    await expect(failing).rejects.toThrow('this one')
    expect(await next).toBe('next')
    expect(await inTurn('k', async () => 'later')).toBe('later')
  })
})
