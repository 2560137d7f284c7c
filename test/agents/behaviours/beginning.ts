/** From a program that is installed to one that has answered. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { judging, report } from '../stage.fixture.ts'
import { openToolServer } from '../tool-server.fixture.ts'
import { openTrial, tried } from '../trial.fixture.ts'
import type { Behaviour } from './behaviour.ts'

/** As long as the host waits. */
const LIST_MS = 5_000

export const BEGINNING: readonly Behaviour[] = [
  {
    name: 'starts without a login',
    play: async (stage) => {
      expect(await tried(stage)).toMatchObject({ kind: 'ended', reason: 'end_turn', text: 'Here I am.' })
    },
  },
  {
    name: 'lists the tools before its first prompt',
    play: async (stage) => {
      const server = await openToolServer()
      const offered = { name: 'signalbox', url: server.url, token: 'token', bridge: [] }
      const session = await openTrial(stage, offered)
      const listed = async (): Promise<boolean> => {
        const deadline = performance.now() + LIST_MS
        while (!server.asked.includes('tools/list') && performance.now() < deadline) await pause(20)
        return server.asked.includes('tools/list')
      }
      const inTime = await listed()
      await session.close()
      await server.close()
      expect(server.asked).toContain('initialize')
      expect(inTime, 'tools/list was asked for').toBe(true)
    },
  },
  {
    name: 'is told of the tools in its first prompt, and has them then',
    play: async ({ open }) => {
      const house = await open({ runbook: judging([{ do: [report('good')] }]) })
      const run = await house.start()
      expect(await run.end()).toBe('done')
      // Only a session that has reached the server is told of its tools.
      expect(run.prompts()).toHaveLength(1)
      for (const tool of ['report_outcome', 'create_decision'])
        expect(run.prompts()[0]).toContain(`tool \`${tool}\` of the MCP server \`signalbox\``)
    },
  },
  {
    name: 'answers through report_outcome',
    play: async ({ open }) => {
      const house = await open({
        runbook: judging([{ do: [{ shell: 'echo work > work.txt' }, report('poor'), { say: 'Reported.' }] }]),
      })
      const run = await house.start()
      expect(await run.end()).toBe('abandoned')
      expect(await run.all('answer.received')).toMatchObject([{ via: 'mcp' }])
      expect(run.work.read('work.txt')).toBe('work\n')
      expect(run.prompts()).toHaveLength(1)
    },
  },
  {
    name: 'is told of a wrong answer and mends it',
    play: async ({ open }) => {
      const wrong = { call: 'report_outcome', with: { decision: 'splendid' } }
      const house = await open({ runbook: judging([{ do: [wrong, report('good')] }]) })
      const run = await house.start()
      expect(await run.end()).toBe('done')
      expect(run.prompts()).toHaveLength(1)
    },
  },
]
