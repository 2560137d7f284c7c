import { describe, expect, it } from 'vitest'
import { createSystemClock, systemClock } from './clock.ts'

describe('the system clock', () => {
  it('rings once, no earlier than asked, and for what is past at once', async () => {
    const at = systemClock.now() + 30
    const rung = await new Promise<number>((resolve) => systemClock.alarm(at, () => resolve(Date.now())))
    expect(rung).toBeGreaterThanOrEqual(at)
    await new Promise<void>((resolve) => systemClock.alarm(0, resolve))
  })

  it('does not ring when it was called off', async () => {
    let rung = false
    const callOff = systemClock.alarm(systemClock.now() + 5, () => (rung = true))
    callOff()
    await new Promise<void>((resolve) => systemClock.alarm(systemClock.now() + 30, resolve))
    expect(rung).toBe(false)
  })

  it('waits for what is further away than a timer can count', async () => {
    let rung = false
    // One that took the number as it is would ring after a millisecond, and warn of it.
    const warnings: string[] = []
    const warn = (warning: Error): void => void warnings.push(warning.name)
    process.on('warning', warn)
    const far = [2 ** 31, 2 ** 32 + 5, 100 * 365 * 86_400_000, Number.POSITIVE_INFINITY]
    const callOffs = far.map((ms) => systemClock.alarm(systemClock.now() + ms, () => (rung = true)))
    await new Promise<void>((resolve) => systemClock.alarm(systemClock.now() + 30, resolve))
    for (const callOff of callOffs) callOff()
    process.off('warning', warn)
    expect(rung).toBe(false)
    expect(warnings).toEqual([])
  })
})

it('a pause is as long as it is, whatever the clock is set to meanwhile', async () => {
  let wallAt = 1_000_000
  const clock = createSystemClock({ wall: () => wallAt, steady: () => performance.now(), worked: () => 0 })
  const rung: string[] = []
  const over = new Promise<void>((resolve) => {
    clock.pause(20, resolve)
  })
  clock.pause(1, () => rung.push('called off'))()
  wallAt -= 3_600_000
  await over
  expect(rung).toEqual([])
})
