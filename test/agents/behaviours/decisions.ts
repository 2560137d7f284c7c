/** An agent that asks a person, sleeps, and wakes with the answer, whatever happened meanwhile. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ScriptedStep, ScriptedTurn } from '../../../src/drivers/scripted-model/script.ts'
import type { ListedDecision } from '../../../src/host/inbox/decisions.ts'
import type { Operations } from '../../../src/host/operations.ts'
import { EXAMPLE_DECISION } from '../../../src/model/decision.ts'
import type { RunEvent } from '../../../src/model/event.ts'
import type { House } from '../../host/host.fixture.ts'
import { processesOf } from '../../host/processes.fixture.ts'
import type { RunInHouse } from '../../host/run.fixture.ts'
import { eventually } from '../../host/run.fixture.ts'
import { premisesFor } from '../real-host.fixture.ts'
import { judging, report, type Stage } from '../stage.fixture.ts'
import { expectDecisionIn, record, traceOf } from '../trace.fixture.ts'
import type { Behaviour } from './behaviour.ts'

const NOTE = 'One machine is enough.'
const RAISE: ScriptedStep = { call: 'create_decision', with: EXAMPLE_DECISION }
/** Asks, ends its turn, and does what was picked when the answer comes. */
const ASKS: readonly ScriptedTurn[] = [
  { do: [RAISE, { say: 'I wait.' }] },
  { when: NOTE, do: [{ shell: 'echo sqlite > picked.txt' }, report('good'), { say: 'It is done.' }] },
]

/** Raised, and the turn that raised it is over. */
export async function asleep(
  stage: Stage,
  before: readonly ScriptedStep[] = [],
): Promise<{ readonly house: Awaited<ReturnType<Stage['open']>>; readonly run: RunInHouse }> {
  const [first, ...then] = ASKS
  const turns = [{ do: [...before, ...first!.do] }, ...then]
  const house = await stage.open({ runbook: judging(turns) })
  const run = await house.start()
  expect(await run.question()).toMatchObject({
    cause: 'agent',
    headline: `dev: ${EXAMPLE_DECISION.headline}`,
  })
  await eventually(() => house.wire.some(isEndOfTurn)).toBe(true)
  return { house, run }
}

const isEndOfTurn = ({ direction, message }: { direction: string; message: object }): boolean =>
  direction === 'in' && 'stopReason' in ((message as { result?: object }).result ?? {})

export async function awake(run: RunInHouse): Promise<void> {
  await run.answer('sqlite', { note: NOTE })
  expect(await run.end()).toBe('done')
  expect(run.work.read('picked.txt')).toBe('sqlite\n')
  const envelope = run.prompts().at(-1)
  for (const part of [EXAMPLE_DECISION.question, 'Picked: sqlite', NOTE]) expect(envelope).toContain(part)
  expect(await run.all('question.opened')).toHaveLength(1)
  expect(await run.all('decision.acted')).toHaveLength(1)
}

export async function sessionsOf(
  run: RunInHouse,
): Promise<{ readonly ids: number; readonly resumed: boolean[] }> {
  const opened = await run.all('session.opened')
  return {
    ids: new Set(opened.map(({ session }) => session)).size,
    resumed: opened.map(({ resumed }) => resumed),
  }
}

export const RESUMES = 'wakes in the same session after its process was killed'

export const DECISIONS: readonly Behaviour[] = [
  {
    name: 'raises a decision, ends its turn, and wakes with the answer in the same session',
    play: async (stage) => {
      const { run } = await asleep(stage)
      await awake(run)
      expect(await sessionsOf(run)).toEqual({ ids: 1, resumed: [false] })
    },
  },
  {
    name: RESUMES,
    play: async (stage) => {
      const { house, run } = await asleep(stage)
      await killAgents(house)
      await awake(run)
      expect(await sessionsOf(run)).toEqual({ ids: 1, resumed: [false, true] })
    },
  },
  {
    name: 'wakes in the same session after the host was killed',
    play: async (stage) => {
      const premises = premisesFor(stage, judging(ASKS))
      const first = await premises.up()
      const { dir, repo, runbook } = premises
      const started = await first.operations.start({ runbook, dir: repo, base: null, issue: null, vars: {} })
      if (!('run' in started)) throw new Error(started.problems.join('\n'))
      const { run } = started
      await eventually(() => openQuestions(first.operations, run)).toMatchObject([{ question: 'work#1.0?1' }])
      await eventually(() => stage.model.asked.some(({ step }) => step !== null && 'say' in step)).toBe(true)
      await first.kill()
      const second = await premises.up()
      const [asked] = await openQuestions(second.operations, run)
      const { id, digest } = asked!
      const answer = { pick: 'sqlite', note: NOTE, fields: {}, edited: null, digest, together: false }
      expect(await second.operations.decisions.answer(id, answer)).toMatchObject({ answered: [id] })
      await eventually(async () => (await eventsOf(second.operations, run)).at(-1)?.type).toBe('run.ended')
      const events = await eventsOf(second.operations, run)
      await second.stop()
      expect(events.at(-1)).toMatchObject({ end: 'done' })
      const opened = events.filter((event) => event.type === 'session.opened')
      expect(opened.map(({ resumed }) => resumed)).toEqual([false, true])
      expect(opened[1]?.session).toBe(opened[0]?.session)
      const trace = traceOf(premises, run)
      expectDecisionIn(trace, { picked: 'Picked: sqlite' })
      record(trace, stage)
      await eventually(() => processesOf(dir)).toEqual([])
    },
  },
  {
    name: 'wakes in a fresh session where the old one is gone',
    play: async (stage) => {
      const { house, run } = await asleep(stage)
      await house.restart(() => forget(house))
      await awake(run)
      // Its id may be that of the lost one: some begin to count anew.
      expect((await sessionsOf(run)).resumed).toEqual([false, false])
      expect(run.prompts().at(-1)).toContain('Do the work.')
    },
  },
  {
    name: 'an answer waits until the open turn has ended',
    play: async ({ open }) => {
      const talkative: readonly ScriptedTurn[] = [
        { do: [RAISE, { shell: 'echo more > more.txt', afterMs: 1_500 }, { say: 'I wait.', afterMs: 500 }] },
        ...ASKS.slice(1),
      ]
      const house = await open({ runbook: judging(talkative) })
      const run = await house.start()
      await run.question()
      expect(house.wire.some(isEndOfTurn)).toBe(false)
      await awake(run)
      expect(await sessionsOf(run)).toEqual({ ids: 1, resumed: [false] })
      const order = house.wire.flatMap((line) =>
        isEndOfTurn(line) ? ['ended'] : line.message.method === 'session/prompt' ? ['prompted'] : [],
      )
      expect(order).toEqual(['prompted', 'ended', 'prompted', 'ended'])
    },
  },
]

const eventsOf = async (operations: Operations, run: string): Promise<RunEvent[]> =>
  (await operations.events(run, 0)).map(({ data }) => data as RunEvent)

async function openQuestions({ decisions }: Operations, run: string): Promise<readonly ListedDecision[]> {
  const page = await decisions.list({ status: 'open', run, cursor: null, limit: 10 })
  return 'rows' in page ? page.rows : []
}

export async function killAgents(house: House): Promise<void> {
  for (const line of house.running()) kill(Number.parseInt(line, 10))
  await eventually(() => house.running()).toEqual([])
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It went with its parent.
  }
}

/** All that the agent knew lies in the homes of its run. */
function forget({ home }: House): void {
  for (const run of readdirSync(home.grounds))
    rmSync(join(home.grounds, run, 'homes'), { recursive: true, force: true })
}
