/** What goes wrong behind an agent is told as that, and never taken for work done. */
import { expect } from 'vitest'
import type { ScriptedStep } from '../../../src/drivers/scripted-model/script.ts'
import { type Stage, working } from '../stage.fixture.ts'
import type { Behaviour } from './behaviour.ts'

async function faultAfter(stage: Stage, steps: readonly ScriptedStep[]): Promise<string> {
  const house = await stage.open({ runbook: working(steps) })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  const { fault, detail } = await run.until('member.faulted')
  expect(fault).toBe('failed')
  return detail
}

const ERROR: ScriptedStep = { status: 500, message: 'The engine is cold' }

export const FAULTS: readonly Behaviour[] = [
  {
    name: 'a model that cannot be reached is a fault, not “done”',
    play: async (stage) => {
      expect(await faultAfter(stage, [ERROR])).not.toBe('')
    },
  },
  {
    name: 'so is one that is lost in the middle of the work',
    play: async (stage) => {
      expect(await faultAfter(stage, [{ shell: 'echo half > half.txt' }, ERROR])).not.toBe('')
    },
  },
  {
    name: 'an empty turn is a fault',
    play: async (stage) => {
      expect(await faultAfter(stage, [{ empty: true }])).not.toBe('')
    },
  },
  {
    name: 'a usage limit parks it and is no fault',
    play: async ({ open }) => {
      const house = await open({ runbook: working([{ status: 429, message: 'Rate limit reached' }]) })
      const run = await house.start()
      await run.until('attempt.parked')
      expect(await run.all('member.faulted')).toEqual([])
      await run.tell({ type: 'run.cancel', reason: 'seen enough' })
      await run.end()
    },
  },
]
