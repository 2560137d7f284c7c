import { expect, it } from 'vitest'
import { awakeTimer } from './awake-timer.ts'

it('rings once its time is over, and not when it was called off', async () => {
  const began = performance.now()
  let calledOff = 0
  const callOff = awakeTimer(20, () => calledOff++)
  callOff()
  await new Promise<void>((resolve) => awakeTimer(1_200, resolve))
  expect(performance.now() - began).toBeGreaterThanOrEqual(1_190)
  expect(calledOff).toBe(0)
})

it('[A22] does not count the time in which its process did not run', async () => {
  let rung = false
  const callOff = awakeTimer(300, () => {
    rung = true
  })
  // Nothing else of this process runs meanwhile, as when it is stopped.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_200)
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(rung).toBe(false)
  callOff()
})
