import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSystemClock } from './clock.ts'
import { BEAT_MS, jumpBetween, LEAST_JUMP_MS } from './clock-jump.ts'

const START = { wallAt: 1_000_000, steadyMs: 5_000, workedMs: 700 }
const later = (wallMs: number, steadyMs: number, workedMs: number) => ({
  wallAt: START.wallAt + wallMs,
  steadyMs: START.steadyMs + steadyMs,
  workedMs: START.workedMs + workedMs,
})

describe('between two beats', () => {
  it.each([
    ['nothing but a beat', 1_000, 1_000, 10, null],
    ['a busy machine', 4_000, 4_000, 10, null],
    ['a host that worked all the while', 35_000, 35_000, 34_000, null],
    ['a host that worked on two processors', 35_000, 35_000, 60_000, null],
    ['one that worked, then was stopped', 60_000, 60_000, 20_000, { fromMs: 20_000, toMs: 60_000 }],
    ['one that worked, then slept', 3_620_000, 20_000, 20_000, { fromMs: 20_000, toMs: 3_620_000 }],
    ['a clock that is put right a little', 1_800, 1_000, 10, null],
    ['a process that was stopped for two minutes', 121_000, 121_000, 10, { fromMs: 1_000, toMs: 121_000 }],
    ['a machine that slept for an hour', 3_601_000, 1_000, 10, { fromMs: 1_000, toMs: 3_601_000 }],
    ['a clock that was set forward', 86_401_000, 1_000, 10, { fromMs: 1_000, toMs: 86_401_000 }],
    ['a clock that was set back', -3_599_000, 1_000, 10, { fromMs: 1_000, toMs: -3_599_000 }],
    ['a machine that counts its sleep', 3_601_000, 3_601_000, 10, { fromMs: 1_000, toMs: 3_601_000 }],
  ])('[A22] %s', (_what, wallMs, steadyMs, workedMs, expected) => {
    const jump = jumpBetween(START, later(wallMs, steadyMs, workedMs))
    expect(jump === null ? null : { fromMs: jump.from - START.wallAt, toMs: jump.to - START.wallAt }).toEqual(
      expected,
    )
  })

  it('[A22] a jump is never small, and never takes more working time than there was', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 0, max: 1e9 }),
        (wallMs, steadyMs, workedMs) => {
          const jump = jumpBetween(START, later(wallMs, steadyMs, workedMs))
          if (jump === null) {
            const awakeMs = Math.min(steadyMs, Math.max(BEAT_MS, workedMs))
            expect(Math.abs(wallMs - awakeMs)).toBeLessThan(2 * LEAST_JUMP_MS + BEAT_MS)
            return
          }
          expect(Math.abs(jump.to - jump.from)).toBeGreaterThanOrEqual(LEAST_JUMP_MS)
          expect(jump.from - START.wallAt).toBeLessThanOrEqual(Math.max(steadyMs, 0))
          expect(jump.to).toBe(START.wallAt + wallMs)
        },
      ),
    )
  })
})

describe('the clock of a host', () => {
  const clocks = { wall: 1_000_000, steady: 0 }
  const clock = createSystemClock({ wall: () => clocks.wall, steady: () => clocks.steady, worked: () => 0 })

  it('[A22] tells of a jump to whoever listens, once, and to nobody else', () => {
    const heard: number[] = []
    clocks.wall += 3_600_000
    clock.noticeJumps()
    const stop = clock.onJump(({ from, to }) => heard.push(to - from))
    clock.noticeJumps()
    expect(heard).toEqual([])
    clocks.wall += 3_600_000
    clocks.steady += 1_000
    clock.noticeJumps()
    clock.noticeJumps()
    expect(heard).toEqual([3_599_000])
    stop()
    clocks.wall += 3_600_000
    clock.noticeJumps()
    expect(heard).toHaveLength(1)
  })

  it('does not ring before its time where the clock was set back', async () => {
    let rung = false
    const callOff = clock.alarm(clocks.wall + 20, () => {
      rung = true
    })
    clocks.wall -= 3_600_000
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(rung).toBe(false)
    callOff()
  })
})
