/**
 * One real agent on a stage of its own for each behaviour: a home, a house with host and doors, and a model that does
 * what the prompt of the runbook says.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { findSandbox } from '../../src/drivers/index.ts'
import type { ScriptedStep, ScriptedTurn } from '../../src/drivers/scripted-model/script.ts'
import { scriptText } from '../../src/drivers/scripted-model/script.ts'
import { openScriptedModel, type ScriptedModel } from '../../src/drivers/scripted-model/server.ts'
import type { ReadyAgent } from '../../src/host/ready-agents/ready-agent.ts'
import type { AgentProgram } from '../../src/host/session/agent-program.ts'
import { filesIn } from '../attacks/victim.fixture.ts'
import type { House, HouseOptions } from '../host/host.fixture.ts'
import { processesOf } from '../host/processes.fixture.ts'
import { prepareAgent, SMALL_MODELS } from './programs.ts'

export interface Stage {
  readonly agent: ReadyAgent
  readonly model: ScriptedModel
  /** The user's home, in which the agent has its settings. */
  readonly home: string
  /** A folder for whatever else. */
  readonly ground: string
  /** How it is started: in our sandbox, or without one. */
  readonly program: (where: Where) => AgentProgram
  readonly open: (options: StageHouse) => Promise<House>
  /** From here on the home is as it should be. */
  readonly settle: () => void
  /** Done when the play is over, however it ended. */
  readonly atEnd: (end: () => Promise<void>) => void
}

export type Where = 'boxed' | 'open'

export interface StageHouse {
  readonly runbook: string
  /** In our sandbox by default otherwise: that is how users have it. */
  readonly where?: Where
  readonly permissions?: AgentProgram['permissions']
  /** What else is different about it. */
  readonly more?: Partial<HouseOptions>
}

type OpenHouse = (options: HouseOptions) => Promise<House>

/** Plays one behaviour, and leaves nothing behind. */
export async function onStage(
  agent: ReadyAgent,
  openHouse: OpenHouse,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const model = await openScriptedModel({ smallModels: SMALL_MODELS })
  const ground = realpathSync(mkdtempSync(join(tmpdir(), `signalbox-${agent.name}-`)))
  const home = join(ground, 'home')
  const ends: (() => Promise<void>)[] = []
  const sandbox = await findSandbox()
  const isBoxed = (where: Where): boolean => where === 'boxed' && 'engine' in sandbox
  let isOpen = false
  const prepared = (boxed: boolean): AgentProgram => prepareAgent(agent, { home, model: model.url, boxed })
  // Once: the agent may be reading its settings while another program is asked for.
  const programs = { boxed: prepared(true), open: prepared(false) }
  const program = (where: Where): AgentProgram => {
    isOpen ||= !isBoxed(where)
    return isBoxed(where) ? programs.boxed : programs.open
  }
  let untouched = filesIn(home)
  const settle = (): void => {
    untouched = filesIn(home)
  }
  const open = async ({
    runbook,
    where = 'boxed',
    permissions = 'auto',
    more,
  }: StageHouse): Promise<House> => {
    const house = await openHouse({
      ...more,
      // The scripted model is a server of this machine, as a model of a user's own would be.
      rules: { network: ['*', new URL(model.url).host], ...more?.rules },
      runbook,
      doors: true,
      engine: isBoxed(where) && 'engine' in sandbox ? sandbox.engine : null,
      environment: (house) => ({ ...more?.environment?.(house), HOME: home }),
      programFor: () => ({ ...program(where), permissions }),
    })
    ends.push(() => house.close())
    return house
  }
  const leaveAll = async (): Promise<void> => {
    await Promise.all(ends.splice(0).map((leave) => leave()))
  }
  try {
    await play({ agent, model, home, ground, program, open, settle, atEnd: (end) => ends.push(end) })
    await leaveAll()
    // What an agent does outside of a sandbox is not held by anything.
    if (!isOpen) expect(filesIn(home), 'the home of the user').toEqual(untouched)
  } finally {
    await leaveAll()

    await model.close()
    // A host that was killed ends nothing of its own.
    for (const line of processesOf(ground)) end(Number.parseInt(line, 10))
    rmSync(ground, { recursive: true, force: true, maxRetries: 5 })
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It went with another.
  }
}

/** A prompt with its script, as YAML takes it. */
const prompt = (task: string, turns: readonly ScriptedTurn[]): string =>
  JSON.stringify(`${task}\n\n${scriptText(turns)}`)

/** A flow of one step whose answer is good or poor. */
export const judging = (turns: readonly ScriptedTurn[]): string => `
  steps:
    work:
      agent: dev
      prompt: ${prompt('Do the work.', turns)}
      time: 10m
      options: { good: done, poor: abandoned }
`

/** A flow of one step that asks for nothing but the work. */
export const working = (
  steps: readonly ScriptedStep[],
  more = '',
  then: readonly ScriptedTurn[] = [],
): string => `
  steps:
    work: { agent: dev, prompt: ${prompt('Do the work.', [{ do: steps }, ...then])}, time: 10m, next: done, on: { failed: abandoned }${more} }
`

export const report = (decision: 'good' | 'poor'): ScriptedStep => ({
  call: 'report_outcome',
  with: { decision },
})
