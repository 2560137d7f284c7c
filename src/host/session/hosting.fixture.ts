/** The real loop, sessions and door, on a journal in memory, with programs that do what a test tells them. */

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { OpenRequest } from '../../drivers/driver.ts'
import { type AgentSession, openProcessRegistry, type TurnEnd } from '../../drivers/index.ts'
import { createMemoryJournal, type Journal } from '../../journal/index.ts'
import type { AnswerDecision } from '../../model/decision-command.ts'
import type { RunEvent } from '../../model/event.ts'
import { EVENT_TRAITS } from '../../model/event-traits.ts'
import { until } from '../../until.fixture.ts'
import { NO_KEEPS } from '../confinement/keeps/keeps.ts'
import { createProcessEnvironment } from '../confinement/process-environment.ts'
import { startLoop } from '../duty/loop.ts'
import { createStandalones } from '../inbox/standalones.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { homeAt } from '../machine/home.ts'
import { createLog, logFile } from '../machine/log.ts'
import { quietStorage } from '../machine/storage.fixture.ts'
import { ALICE, loadedOf, placedFact, programOf, startOf } from '../runs/runs.fixture.ts'
import { createRuns } from '../runs/runs.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { placesWithoutGit } from '../workspace/workplaces.fixture.ts'
import type { Workplaces } from '../workspace/workplaces.ts'
import { createAgentDoor } from './agent-door.ts'
import type { Edges } from './edges.ts'
import { createSessions } from './sessions.ts'

export const RUN = 'r'
export const BUILD =
  'steps: { build: { agent: dev, options: { ready: done, broken: abandoned } } }\non: { failed: abandoned, stalled: abandoned }'
export const ENDED: TurnEnd = { kind: 'ended', reason: 'end_turn', text: 'So far.', toolCalls: 1 }

export type OpenTold = (request: OpenRequest, nth: number) => Promise<AgentSession>

interface Ground {
  readonly journal: Journal
  readonly workplaces: Workplaces
}

export async function hosting(
  runbook: string,
  open: OpenTold,
  { journal = createMemoryJournal(), workplaces = placesWithoutGit() }: Partial<Ground> = {},
) {
  const dir = temporaryFolder()
  const home = homeAt(join(dir, 'home'))
  const clock = createManualClock(1000)
  const runs = createRuns(journal)
  const bugs: string[] = []
  const requests: OpenRequest[] = []
  const edges: Edges = {
    clock,
    closedUntil: async () => null,
    upSince: clock.now(),
    storage: quietStorage(clock),
    journal,
    closing: new AbortController().signal,
    runs,
    workplaces,
    log: createLog({ dir: home.logs, clock }),
    registry: openProcessRegistry({ dir: home.processes }),
    processEnvironment: createProcessEnvironment({
      home,
      environment: { PATH: process.env['PATH'] ?? '' },
      engine: null,
    }),
    programFor: () => ({
      name: 'told',
      driver: 'acp',
      argv: ['told'],
      prompt: 'stdin',
      env: {},
      keeps: NO_KEEPS,
      permissions: 'ask',
      install: '',
    }),
    driverFor: () => ({
      open: async (request) => ({ session: await open(request, requests.push(request)) }),
    }),
    mcpUrl: () => null,
    mcpBridge: [],
    trace: null,
  }
  const sessions = createSessions(edges)
  const heed = async (event: RunEvent): Promise<void> => {
    if (event.type === 'question.answered' || event.type === 'question.closed') sessions.hear(RUN, event)
    const loaded = EVENT_TRAITS[event.type].ends === null ? null : await runs.load(RUN)
    if (loaded !== null) await sessions.leaveUnwanted(loaded)
  }
  const unfollow = journal.follow((stored) => {
    for (const { data } of stored) heed(data as RunEvent).catch((error) => bugs.push(String(error)))
  })
  const standalones = createStandalones(journal)
  const loop = startLoop(
    { ...edges, journal, standalones, sessions, others: sessions },
    { limits: { agents: 4, commands: 2 }, onBug: (error) => bugs.push(String(error)) },
  )
  onTestFinished(async () => {
    await loop.close()
    unfollow()
    await edges.log.flush()
  })
  const program = programOf(runbook)
  await journal.keep(new TextEncoder().encode(JSON.stringify(program)))
  const fact = placedFact()
  const place = { ...fact, placement: { ...fact.placement, worktree: dir } }
  loadedOf(await runs.begin({ program, start: startOf(RUN, [place]) }))
  const events = async (): Promise<RunEvent[]> => (await runs.events(RUN)).map(({ data }) => data as RunEvent)
  const answering = (question: string, pick: string): AnswerDecision => ({
    ...{ type: 'decision.answer', at: 1, question, by: ALICE, note: '', pick },
    ...{ fields: {}, edited: null, batch: null, digest: null },
  })
  return {
    clock,
    runs,
    bugs,
    requests,
    door: createAgentDoor(edges, sessions),
    token: (nth = 0) => requests[nth]!.launch.env['SIGNALBOX_SESSION_TOKEN']!,
    events,
    log: edges.log,
    logFile: logFile(home.logs, RUN),
    types: async () => (await events()).map(({ type }) => type),
    load: async () => (await runs.load(RUN))!,
    end: () => until(async () => (await runs.load(RUN))?.state.end ?? null, 'the end of the run'),
    answer: (question: string, pick: string) => runs.execute(RUN, [answering(question, pick)]),
    undo: (question: string) => runs.execute(RUN, [{ type: 'decision.undo', at: 1, question, by: ALICE }]),
  }
}

export interface ToldTurn {
  readonly nth: number
  /** What it was told. */
  readonly text: string
  readonly end: (end: TurnEnd) => void
}

/** Programs that stay until they are closed; their turns end when a test says so. */
export function staying() {
  const turns: ToldTurn[] = []
  const closed: number[] = []
  const open: OpenTold = async (_request, nth) => {
    let isOpen = true
    let end = (_end: TurnEnd): void => {}
    return {
      id: `session-${nth}`,
      agent: { name: 'told', version: '1' },
      resumed: false,
      isOpen: () => isOpen,
      prompt: (text) =>
        new Promise((resolve) => {
          end = (how) => {
            if (how.kind === 'crashed') isOpen = false
            resolve(how)
          }
          turns.push({ nth, text, end })
        }),
      cancel: async () => end({ kind: 'ended', reason: 'cancelled', text: '', toolCalls: 0 }),
      close: async () => {
        if (isOpen) closed.push(nth)
        isOpen = false
        end({ kind: 'ended', reason: 'cancelled', text: '', toolCalls: 0 })
      },
    }
  }
  const nth = (count: number): Promise<ToldTurn> => until(() => turns[count - 1] ?? null, `turn ${count}`)
  return { open, turns, closed, turn: nth }
}
