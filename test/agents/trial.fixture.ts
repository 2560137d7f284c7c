/** An agent tried out by the driver alone: one session, one prompt, no host. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createAcpDriver } from '../../src/drivers/acp/driver.ts'
import type { OpenRequest } from '../../src/drivers/driver.ts'
import type { AgentSession, TurnEnd } from '../../src/drivers/index.ts'
import { scriptText } from '../../src/drivers/scripted-model/script.ts'
import type { Stage } from './stage.fixture.ts'

export async function tried(stage: Stage): Promise<TurnEnd> {
  const session = await openTrial(stage, null)
  const end = await session.prompt(scriptText([{ do: [{ say: 'Here I am.' }] }]))
  await session.close()
  return end
}

export async function openTrial({ program, ground }: Stage, mcp: OpenRequest['mcp']): Promise<AgentSession> {
  const cwd = join(ground, 'work')
  mkdirSync(cwd, { recursive: true })
  const { argv, env } = program('open')
  const opened = await createAcpDriver({ registry: null }).open({
    launch: { argv, cwd, env: { PATH: process.env['PATH'] ?? '', ...env }, sandbox: null },
    resume: null,
    mcp,
    counted: { costUsd: 0, tokens: 0 },
    onUpdate: () => {},
    onPermission: async () => null,
    onWire: null,
    startMs: 120_000,
  })
  if (!('session' in opened)) throw new Error(opened.detail)
  return opened.session
}
