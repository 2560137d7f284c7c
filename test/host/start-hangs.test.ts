/** An agent whose program never answers the first word: nobody else waits for it, and leaving it is nobody's fault. */
import { expect, it } from 'vitest'
import type { AgentProgram } from '../../src/host/session/agent-program.ts'
import { houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()

const RUNBOOK = `
  steps:
    build: { agent: dev, next: done, on: { failed: stopped } }
  ends: { stopped: { success: false } }
`

const mute = () => {
  let isMute = true
  return {
    speaks: () => {
      isMute = false
    },
    programFor: (_use: string, scripted: AgentProgram): AgentProgram =>
      isMute ? { ...scripted, argv: [process.execPath, '-e', 'process.stdin.resume()'] } : scripted,
  }
}

it.concurrent('[K1] [D9] a host that is told to stop does not wait for it, and the next one begins it anew', async () => {
  const { speaks, programFor } = mute()
  const house = await openHouse({ runbook: RUNBOOK, plays: { build: [[{ say: 'FINISHED' }]] }, programFor })
  const run = await house.start()
  await eventually(() => house.running().length > 0).toBe(true)
  await house.restart(speaks)
  expect(await run.end()).toBe('done')
  expect(await run.all('member.faulted')).toEqual([])
})

it.concurrent('[D9] a run that is cancelled meanwhile ends at once, and its program with it', async () => {
  const { programFor } = mute()
  const house = await openHouse({ runbook: RUNBOOK, programFor })
  const run = await house.start()
  await eventually(() => house.running().length > 0).toBe(true)
  await run.tell({ type: 'run.cancel', reason: 'enough' })
  expect(await run.end()).toBe('cancelled')
  await eventually(() => house.running()).toEqual([])
  expect(await run.all('member.faulted')).toEqual([])
})
