/** Conversations whose program dies, asks or is left at an awkward moment: the real loop, a journal in memory, a program that is told what to do. */
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { OpenRequest } from '../../drivers/driver.ts'
import { type AgentSession, openProcessRegistry, type TurnEnd } from '../../drivers/index.ts'
import { createMemoryJournal, type Journal } from '../../journal/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import type { AnswerDecision } from '../../model/decision-command.ts'
import type { RunEvent } from '../../model/event.ts'
import { EVENT_TRAITS } from '../../model/event-traits.ts'
import { until } from '../../until.fixture.ts'
import { createProcessEnvironment } from '../confinement/process-environment.ts'
import { startLoop } from '../duty/loop.ts'
import { createStandalones } from '../inbox/standalones.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { homeAt } from '../machine/home.ts'
import { createLog } from '../machine/log.ts'
import { quietStorage } from '../machine/storage.fixture.ts'
import { ALICE, loadedOf, placedFact, programOf, startOf } from '../runs/runs.fixture.ts'
import { createRuns } from '../runs/runs.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { placesWithoutGit } from '../workspace/workplaces.fixture.ts'
import { createAgentDoor } from './agent-door.ts'
import type { Edges } from './edges.ts'
import { createSessions } from './sessions.ts'

const RUN = 'r'
const BUILD =
  'steps: { build: { agent: dev, options: { ready: done, broken: abandoned } } }\non: { failed: abandoned }'
const SPEC = 'handoffs: { spec: { fields: { goal: { type: text, required: true } } } }'
const ENDED: TurnEnd = { kind: 'ended', reason: 'end_turn', text: 'So far.', toolCalls: 1 }
const CRASHED: TurnEnd = { kind: 'crashed', detail: 'It is gone.' }

type Open = (request: OpenRequest, nth: number) => Promise<AgentSession>

async function hosting(runbook: string, open: Open, journal: Journal = createMemoryJournal()) {
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
    workplaces: placesWithoutGit(),
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
      keeps: [],
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
    types: async () => (await events()).map(({ type }) => type),
    load: async () => (await runs.load(RUN))!,
    end: () => until(async () => (await runs.load(RUN))?.state.end ?? null, 'the end of the run'),
    answer: (question: string, pick: string) => runs.execute(RUN, [answering(question, pick)]),
    undo: (question: string) => runs.execute(RUN, [{ type: 'decision.undo', at: 1, question, by: ALICE }]),
  }
}

interface Turn {
  readonly nth: number
  readonly end: (end: TurnEnd) => void
}

/** Programs that stay until they are closed; their turns end when a test says so. */
function staying() {
  const turns: Turn[] = []
  const closed: number[] = []
  const open: Open = async (_request, nth) => {
    let isOpen = true
    let end = (_end: TurnEnd): void => {}
    return {
      id: `session-${nth}`,
      agent: { name: 'told', version: '1' },
      resumed: false,
      isOpen: () => isOpen,
      prompt: () =>
        new Promise((resolve) => {
          end = (how) => {
            if (how.kind === 'crashed') isOpen = false
            resolve(how)
          }
          turns.push({ nth, end })
        }),
      cancel: async () => {},
      close: async () => {
        if (isOpen) closed.push(nth)
        isOpen = false
        end({ kind: 'ended', reason: 'cancelled', text: '', toolCalls: 0 })
      },
    }
  }
  const nth = (count: number): Promise<Turn> => until(() => turns[count - 1] ?? null, `turn ${count}`)
  return { open, turns, closed, turn: nth }
}

const raise = async ({ door, token }: Awaited<ReturnType<typeof hosting>>): Promise<string> => {
  const raised = await door.raise(token(), { payload: EXAMPLE_DECISION, door: 'mcp', call: '{}' })
  if (!('raised' in raised)) throw new Error(raised.rejected)
  return raised.raised
}
const [PICK, OTHER] = EXAMPLE_DECISION.options.map(({ key }) => key) as [string, string]

it('[D4] a program that is gone before its first prompt is a fault, and not opened again and again', async () => {
  const host = await hosting(BUILD, async () => ({
    id: 'short',
    agent: { name: 'told', version: '1' },
    resumed: false,
    isOpen: () => false,
    prompt: async () => CRASHED,
    cancel: async () => {},
    close: async () => {},
  }))
  expect(await host.end()).toBe('abandoned')
  expect(host.requests).toHaveLength(1)
})

it('one that answers while its own question is open, and is sent back by its gate, goes on in the same session', async () => {
  const programs = staying()
  const gated = BUILD.replace('agent: dev,', 'agent: dev, gate: { run: "exit 1", expect: none },')
  const host = await hosting(gated, programs.open)
  const first = await programs.turn(1)
  await raise(host)
  expect(await host.door.report(host.token(), { decision: 'ready' })).toHaveProperty('accepted')
  first.end(ENDED)
  await until(async () => (await host.types()).includes('gate.failed'), 'the gate')
  expect((await programs.turn(2)).nth).toBe(1)
  expect([host.requests.length, host.bugs]).toEqual([1, []])
})

it('[Q11] an undo takes back an answer, and nothing that agents reported', async () => {
  const programs = staying()
  const host = await hosting(
    `${SPEC}\n${BUILD.replace('agent: dev,', 'agent: dev, gives: spec,')}`,
    programs.open,
  )
  await programs.turn(1)
  expect(await host.door.handOff(host.token(), { goal: 'G' })).toHaveProperty('accepted')
  const question = await raise(host)
  const before = (await host.load()).reported
  const both = [host.answer(question, PICK), host.undo(question)]
  expect((await Promise.all(both)).map((done) => 'loaded' in done)).toEqual([true, true])
  expect((await host.load()).reported).toEqual(before)
  expect(Object.values(before)).toEqual([{ handoff: expect.any(String) as unknown as string }])
})

it('a duty that waited while its session was left is done by another, at once', async () => {
  const programs = staying()
  const doors: (() => void)[] = []
  const host = await hosting(BUILD, async (request, nth) => {
    if (nth > 1) await new Promise<void>((resolve) => doors.push(resolve))
    return programs.open(request, nth)
  })
  const first = await programs.turn(1)
  const question = await raise(host)
  first.end(CRASHED)
  await host.answer(question, PICK)
  await until(() => doors.length === 1, 'the second opening')
  await host.undo(question)
  await host.answer(question, OTHER)
  doors[0]!()
  await until(() => doors.length === 2, 'the third opening')
  doors[1]!()
  expect((await programs.turn(2)).nth).toBe(3)
  expect(host.door.knows(host.token(2))).toBe(true)
  expect((await host.types()).filter((type) => type === 'decision.delivered')).toHaveLength(1)
})

it('[H4] FIELD 6: a handoff that comes late is not the next visit’s', async () => {
  const programs = staying()
  const host = await hosting(
    `
${SPEC}
steps:
  one: { agent: dev, gives: spec, options: { ready: two, broken: abandoned } }
  two: { agent: dev, gives: spec, options: { ready: done, broken: abandoned } }
on: { failed: abandoned }`,
    programs.open,
  )
  const first = await programs.turn(1)
  await host.door.handOff(host.token(), { goal: 'first' })
  await host.door.report(host.token(), { decision: 'ready' })
  first.end(ENDED)
  await programs.turn(2)
  const late = { type: 'handoff.reported', at: 2, step: 'one', visit: 1, member: 0, digest: 'late' } as const
  loadedOf(await host.runs.execute(RUN, [{ type: 'run.record', at: 2, facts: [late] }]))
  expect(await host.door.report(host.token(1), { decision: 'ready' })).toMatchObject({
    code: 'invalid-answer',
  })
})

it('a form that comes before there is a session is declined at once, and asks nobody', async () => {
  const programs = staying()
  const host = await hosting(BUILD, async (request, nth) => {
    const form = {
      message: 'Trust this folder?',
      title: '',
      description: '',
      options: [{ key: 'y', label: 'Yes', body: 'y' }],
      recommended: null,
      received: {},
    }
    expect(await request.onElicitation?.(form)).toMatchObject({ kind: 'declined' })
    return programs.open(request, nth)
  })
  await programs.turn(1)
  expect(await host.types()).not.toContain('question.opened')
})

it('a program is ended where the journal cannot take that it was opened', async () => {
  const programs = staying()
  const memory = createMemoryJournal()
  let failures = 1
  const journal: Journal = {
    ...memory,
    append: async (append) => {
      if (failures > 0 && append.events.some(({ type }) => type === 'session.opened')) {
        failures--
        throw new Error('the disk is full')
      }
      return memory.append(append)
    },
  }
  const host = await hosting(BUILD, programs.open, journal)
  await until(() => host.bugs.length === 1, 'the failure')
  await until(() => programs.closed.length === 1, 'the end of the first program')
  host.clock.advance(10_000)
  expect((await programs.turn(1)).nth).toBe(2)
})

it('[D4] [K6] words that nobody can deal with are the fault of who said them, and of nobody else', async () => {
  const programs = staying()
  const host = await hosting(BUILD, programs.open)
  await programs.turn(1)
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown
  host.requests[0]!.onUpdate({ kind: 'tool', id: '1', title: 'Read', status: 'completed', input: deep })
  host.clock.advance(5_000)
  expect(await host.end()).toBe('abandoned')
  expect(host.bugs).toEqual([])
})
