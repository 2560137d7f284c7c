/** What an agent may do, whom it may be, and that it can be ended. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { scriptText } from '../../../src/drivers/scripted-model/script.ts'
import { processesOf } from '../../host/processes.fixture.ts'
import { eventually } from '../../host/run.fixture.ts'
import { judging, report, type Stage, working } from '../stage.fixture.ts'
import type { Behaviour } from './behaviour.ts'

/** One thing is asked for permission; whether it was done. */
async function permitted(stage: Stage, pick: 'allow_once' | 'reject_once'): Promise<boolean> {
  const house = await stage.open({
    where: 'open',
    permissions: 'ask',
    runbook: judging([{ do: [{ shell: 'echo asked > asked.txt', escalated: true }, report('good')] }]),
  })
  const run = await house.start()
  const card = await run.question()
  expect(card.decision).toMatchObject({ kind: 'permission' })
  expect(card.decision?.headline).toContain('echo asked')
  await run.answer({ pick })
  // What follows a refusal is the agent's own: some go on, some end their turn.
  if (pick === 'allow_once') expect(await run.end()).toBe('done')
  else await eventually(() => JSON.stringify(house.wire).includes('"stopReason"')).toBe(true)
  expect(kindSent(house.wire.map(({ message }) => message as PermissionLine))).toBe(pick)
  await house.close()
  return run.work.has('asked.txt')
}

interface PermissionLine {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly options?: readonly { readonly optionId: string; readonly kind: string }[] }
  readonly result?: { readonly outcome?: { readonly optionId?: string } }
}

/** The kind of the option that the agent's first request for permission was answered with. */
function kindSent(lines: readonly PermissionLine[]): string | undefined {
  const asked = lines.find(({ method }) => method === 'session/request_permission')
  const answer = lines.find(({ id, result }) => id === asked?.id && result?.outcome !== undefined)
  const picked = answer?.result?.outcome?.optionId
  return asked?.params?.options?.find(({ optionId }) => optionId === picked)?.kind
}

export const HOLDING: readonly Behaviour[] = [
  {
    name: 'a request for permission becomes a decision; “allow” lets it act',
    play: async (stage) => expect(await permitted(stage, 'allow_once')).toBe(true),
  },
  {
    name: 'a request for permission becomes a decision; “reject” does not',
    play: async (stage) => expect(await permitted(stage, 'reject_once')).toBe(false),
  },
  {
    name: 'what it writes outside its boundary is undone and told to it',
    play: async ({ open }) => {
      const turns = [
        {
          do: [
            { write: 'outside.txt', text: 'out' },
            { write: 'src/inside.txt', text: 'in' },
            report('good'),
          ],
        },
        { when: 'outside.txt', do: [report('good')] },
      ]
      const house = await open({
        runbook: `agents: { dev: { writes: ["src/**"] } }\n${judging(turns).replace(/^ {2}/gm, '')}`,
      })
      const run = await house.start()
      expect(await run.end()).toBe('done')
      expect(await run.all('boundary.held')).toMatchObject([{ files: ['outside.txt'] }])
      expect(run.work.git('diff', '--name-only', 'main', 'HEAD')).toBe('src/inside.txt')
      expect(run.prompts()[1]).toContain('outside.txt')
    },
  },
  {
    name: 'cancelled, it ends with every process it started',
    play: async ({ open, ground }) => {
      const started = join(ground, 'home', 'started')
      const sleep = `setsid sleep 86399 & echo $! > ${started}; sleep 86399`
      const house = await open({
        where: 'open',
        permissions: 'allow',
        runbook: working([{ shell: sleep, escalated: true }]),
      })
      const run = await house.start()
      await eventually(() => existsSync(started)).toBe(true)
      expect(processesOf(run.work.dir).filter((line) => line.endsWith(' sleep 86399'))).not.toEqual([])
      await run.tell({ type: 'run.cancel', reason: 'no longer wanted' })
      await run.end()
      await eventually(() => [...house.running(), ...processesOf(ground)]).toEqual([])
    },
  },
  {
    name: 'two at once speak each for itself',
    play: async (stage) => {
      const house = await stage.open({
        runbook: `
  vars: { goal: { required: true } }
  steps: { work: { agent: dev, prompt: "\${var.goal}", time: 10m, options: { good: done, poor: abandoned } } }
`,
      })
      const goals = (['good', 'poor'] as const).map((decision) =>
        scriptText([{ do: [{ write: `${decision}.txt`, text: decision, afterMs: 300 }, report(decision)] }]),
      )
      const runs = await Promise.all(goals.map((goal) => house.start({ vars: { goal } })))
      expect(await Promise.all(runs.map((run) => run.end()))).toEqual(['done', 'abandoned'])
      const changed = runs.map((run) => run.work.git('diff', '--name-only', 'main', 'HEAD'))
      expect(changed).toEqual(['good.txt', 'poor.txt'])
      expect(new Set(house.tokens()).size).toBe(2)
    },
  },
  {
    name: 'tells how many tokens it used',
    play: async ({ open }) => {
      const usage = { input: 4_000, output: 300 }
      const house = await open({
        runbook: working([
          { shell: 'true', usage },
          { say: 'FINISHED', usage },
        ]),
      })
      const run = await house.start()
      expect(await run.end()).toBe('done')
      const { tokens } = (await house.host().runs.load(run.id))!.state.usage
      expect(tokens).toBeGreaterThanOrEqual(4_300)
      expect(tokens).toBeLessThanOrEqual(8_600)
    },
  },
  {
    name: 'tells what it cost',
    play: async ({ open }) => {
      const usage = { input: 4_000, output: 300 }
      const house = await open({ runbook: working([{ say: 'FINISHED', usage }]) })
      const run = await house.start()
      expect(await run.end()).toBe('done')
      expect((await house.host().runs.load(run.id))!.state.usage.costUsd).toBeGreaterThan(0)
    },
  },
]
