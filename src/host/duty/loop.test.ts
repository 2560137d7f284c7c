import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openProcessRegistry } from '../../drivers/index.ts'
import { createMemoryJournal, type Journal } from '../../journal/index.ts'
import { until } from '../../until.fixture.ts'
import { createProcessEnvironment } from '../confinement/process-environment.ts'
import { createStandalones } from '../inbox/standalones.ts'
import { createManualClock } from '../machine/clock.fixture.ts'
import { homeAt } from '../machine/home.ts'
import { createLog } from '../machine/log.ts'
import { quietStorage } from '../machine/storage.fixture.ts'
import { ALICE, loadedOf, placedFact, programOf, startOf } from '../runs/runs.fixture.ts'
import { createRuns } from '../runs/runs.ts'
import type { Edges } from '../session/edges.ts'
import { createSessions } from '../session/sessions.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { placesWithoutGit } from '../workspace/workplaces.fixture.ts'
import { MOST_FAILURES } from './give-up.ts'
import { startLoop } from './loop.ts'

const CHECK = programOf('steps: { test: { check: "true", options: { pass: done, fail: abandoned } } }')
const SLOW = programOf('steps: { test: { check: sleep 60, options: { pass: done, fail: abandoned } } }')
const DEADLINE = programOf(`
  steps:
    sign: { decide: Ship?, options: { ship: done, drop: abandoned }, deadline: { expire: 2h }, on: { expired: abandoned } }
`)
const PATIENT = programOf('steps: { sign: { decide: Ship?, options: { ship: done, drop: abandoned } } }')

const cancel = { type: 'run.cancel', at: 1, by: ALICE, reason: '' } as const

interface Setup {
  readonly journal?: Journal
  readonly commands?: number
  /** Stands where a worktree would be made. */
  readonly ensure?: () => Promise<void>
}

/** A loop on a journal in memory and a clock that stands still; commands are real, worktrees are empty folders. */
function openLoop({ journal = createMemoryJournal(), commands = 2, ensure }: Setup = {}) {
  const dir = temporaryFolder()
  const home = homeAt(join(dir, 'home'))
  const clock = createManualClock(1000)
  const runs = createRuns(journal)
  const bugs: string[] = []
  const workplaces = placesWithoutGit(ensure)
  const edges = {
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
    processEnvironment: createProcessEnvironment({ home, environment: {}, engine: null }),
    programFor: () => null,
    driverFor: () => {
      throw new Error('no agent is asked here')
    },
    mcpUrl: () => null,
    mcpBridge: [],
    trace: null,
  } satisfies Edges
  const sessions = createSessions(edges)
  const tools = { ...edges, standalones: createStandalones(journal), sessions, others: sessions }
  const loop = startLoop(tools, {
    limits: { agents: 1, commands },
    onBug: (error) => bugs.push(String(error)),
  })
  onTestFinished(async () => {
    await loop.close()
    await tools.log.flush()
  })
  return {
    journal,
    clock,
    runs,
    bugs,
    loop,
    begin: async (run: string, program = CHECK): Promise<void> => {
      await journal.keep(new TextEncoder().encode(JSON.stringify(program)))
      const fact = placedFact()
      const place = { ...fact, placement: { ...fact.placement, worktree: dir } }
      loadedOf(await runs.begin({ program, start: startOf(run, [place]) }))
    },
    ended: (run: string) => until(async () => (await runs.load(run))?.state.end ?? null, `the end of ${run}`),
  }
}

/** Everything that can happen without time or the world has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

/** A door that is shut until it is opened, and counts who came. */
function createDoor() {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  let came = 0
  return {
    open: () => open(),
    came: () => came,
    pass: () => {
      came++
      return opened
    },
  }
}

describe('the loop', () => {
  it('does what is to be done, before it began and after', async () => {
    const journal = createMemoryJournal()
    const runs = createRuns(journal)
    await journal.keep(new TextEncoder().encode(JSON.stringify(CHECK)))
    const fact = placedFact()
    const place = { ...fact, placement: { ...fact.placement, worktree: temporaryFolder() } }
    loadedOf(await runs.begin({ program: CHECK, start: startOf('early', [place]) }))
    const { begin, ended, bugs } = openLoop({ journal })
    expect(await ended('early')).toBe('done')
    await begin('late')
    expect(await ended('late')).toBe('done')
    expect(bugs).toEqual([])
  })

  it('takes no more at a time than it may', async () => {
    const door = createDoor()
    const { begin, ended } = openLoop({ commands: 2, ensure: door.pass })
    for (const run of ['a', 'b', 'c']) await begin(run)
    await until(() => door.came() === 2, 'two at work')
    await settled()
    expect(door.came()).toBe(2)
    door.open()
    for (const run of ['a', 'b', 'c']) expect(await ended(run)).toBe('done')
  })

  it('ends a worker whose ticket was retired', async () => {
    const { runs, begin, journal, bugs } = openLoop({ commands: 1 })
    await begin('slow', SLOW)
    await until(async () => (await journal.nextDueAt()) === null, 'the claim')
    loadedOf(await runs.execute('slow', [cancel]))
    // Its slot is free again, long before the command would have ended.
    await begin('next')
    const events = await until(async () => {
      const found = await journal.read('run/next', 0)
      return found.some(({ type }) => type === 'run.ended') ? found : null
    }, 'the next run')
    expect(events.map(({ type }) => type)).toContain('check.reported')
    expect(await journal.read('run/slow', 0)).not.toContainEqual(
      expect.objectContaining({ type: 'check.reported' }),
    )
    expect(bugs).toEqual([])
  })

  it('tells of a bug and tries the duty again later: not at once, and not never', async () => {
    let tries = 0
    const { begin, ended, bugs, clock } = openLoop({
      ensure: async () => {
        if (++tries < 3) throw new Error(`bug ${tries}`)
      },
    })
    await begin('r')
    await until(() => bugs.length === 1, 'the first bug')
    await settled()
    expect(tries).toBe(1)
    clock.advance(9_000)
    await settled()
    expect(tries).toBe(1)
    clock.advance(1_000)
    await until(() => bugs.length === 2, 'the second bug')
    await settled()
    clock.advance(10_000)
    expect(await ended('r')).toBe('done')
    expect(bugs).toEqual(['Error: bug 1', 'Error: bug 2'])
  })

  it('goes on after a journal that failed for a moment', async () => {
    const journal = createMemoryJournal()
    let failing = true
    const { begin, ended, bugs, clock } = openLoop({
      journal: {
        ...journal,
        claim: (request) =>
          failing ? Promise.reject(new Error('the disk is full')) : journal.claim(request),
      },
    })
    await begin('r')
    await until(() => bugs.length > 0, 'the failure')
    await settled()
    const told = bugs.length
    failing = false
    clock.advance(10_000)
    expect(await ended('r')).toBe('done')
    expect(bugs.length).toBe(told)
  })

  it('[R8] wakes for a timer, no earlier than it is due', async () => {
    const { begin, ended, runs, clock } = openLoop()
    await begin('r', DEADLINE)
    await settled()
    clock.advance(2 * 3_600_000 - 1001)
    await settled()
    expect((await runs.load('r'))!.state.end).toBeNull()
    clock.advance(1001)
    expect(await ended('r')).toBe('abandoned')
  })

  it('wakes for a timer while others wait for a free worker', async () => {
    const door = createDoor()
    const { begin, ended, clock } = openLoop({ commands: 1, ensure: door.pass })
    await begin('timed', DEADLINE)
    await begin('at-work')
    await begin('waits-its-turn')
    await until(() => door.came() === 1, 'one at work')
    await settled()
    clock.advance(3 * 3_600_000)
    expect(await ended('timed')).toBe('abandoned')
    expect(door.came()).toBe(1)
    door.open()
    expect(await ended('waits-its-turn')).toBe('done')
  })

  it('does not tick while nothing is to do', async () => {
    const { begin, ended, clock } = openLoop()
    await begin('over')
    await ended('over')
    await begin('waiting', PATIENT)
    await begin('timed', DEADLINE)
    await settled()
    // The last look at claims that are gone.
    clock.advance(20_000)
    await settled()
    const set = clock.everSet()
    expect(clock.alarms()).toBe(1)
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(60_000)
      await settled()
    }
    expect(clock.everSet()).toBe(set)
    expect(clock.alarms()).toBe(1)
  })

  it('holds on to what it works at for as long as that takes', async () => {
    const door = createDoor()
    const { begin, ended, clock, journal } = openLoop({ ensure: door.pass })
    await begin('long')
    await until(() => door.came() === 1, 'the worker')
    for (let step = 0; step < 30; step++) {
      clock.advance(20_000)
      await settled()
    }
    expect(await journal.claim({ limit: 9, now: clock.now(), leaseMs: 1, kinds: null })).toEqual([])
    door.open()
    expect(await ended('long')).toBe('done')
    expect(door.came()).toBe(1)
  })

  it('[A22] does nothing twice that it was doing when it fell asleep', async () => {
    const door = createDoor()
    const { begin, ended, clock } = openLoop({ ensure: door.pass })
    await begin('long')
    await until(() => door.came() === 1, 'the worker')
    clock.jump(3 * 60_000)
    // Told of something new before its own timers ring.
    await begin('new')
    await until(() => door.came() === 2, 'the other worker')
    clock.advance(60_000)
    await settled()
    expect(door.came()).toBe(2)
    door.open()
    expect(await ended('long')).toBe('done')
    expect(await ended('new')).toBe('done')
    expect(door.came()).toBe(2)
  })

  it('waits at its close for what it began, and leaves it to the next one', async () => {
    const door = createDoor()
    const { begin, clock, journal, loop } = openLoop({ ensure: door.pass })
    await begin('r')
    await until(() => door.came() === 1, 'the worker')
    let closed = false
    const closing = loop.close().then(() => {
      closed = true
    })
    await settled()
    expect(closed).toBe(false)
    door.open()
    await closing
    expect(clock.alarms()).toBe(0)
    const again = await journal.claim({ limit: 9, now: clock.now(), leaseMs: 1, kinds: null })
    expect(again).toHaveLength(1)
    await begin('after')
    await settled()
    expect(door.came()).toBe(1)
  })

  it('begins nothing that it claimed while it was closed', async () => {
    const journal = createMemoryJournal()
    const [door, work] = [createDoor(), createDoor()]
    const { begin, loop } = openLoop({
      journal: {
        ...journal,
        claim: async (request) => {
          const claims = await journal.claim(request)
          if (claims.length > 0) await door.pass()
          return claims
        },
      },
      ensure: work.pass,
    })
    await begin('r')
    await until(() => door.came() === 1, 'the claim')
    const closing = loop.close()
    door.open()
    await closing
    await settled()
    expect(work.came()).toBe(0)
    expect(await journal.nextDueAt()).toBe(0)
  })

  it('[K6] gives up what fails with a bug again and again: a fault of its step, which has a route', async () => {
    const flaky = programOf(
      'steps: { test: { check: "true", options: { pass: done, fail: done }, on: { failed: abandoned } } }',
    )
    const ensure = () => Promise.reject(new Error('nobody thought of this'))
    const { begin, bugs, clock, runs } = openLoop({ ensure })
    await begin('r1', flaky)
    for (let failure = 1; failure <= MOST_FAILURES; failure++) {
      await until(() => bugs.length === failure, `failure ${failure}`)
      await settled()
      if (failure < MOST_FAILURES) clock.advance(10_000)
    }
    const ended = await until(async () => (await runs.load('r1'))?.state.end ?? null, 'the end')
    expect(ended).toBe('abandoned')
    expect(bugs).toHaveLength(MOST_FAILURES)
    const reported = (await runs.events('r1')).map(({ data }) => JSON.stringify(data)).join()
    expect(reported).toContain('nobody thought of this')
  })

  it('[K9] does again what a full disk was in the way of, however often, and blames nobody for it', async () => {
    let failures = 4 * MOST_FAILURES
    const ensure = async () => {
      if (failures-- > 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    const { begin, bugs, clock, ended, runs } = openLoop({ ensure })
    await begin('r1')
    for (let left = failures; left > 0; left--) {
      await until(() => failures < left, 'the next try')
      await settled()
      clock.advance(1_000)
    }
    expect(await ended('r1')).toBe('done')
    expect(bugs).toEqual([])
    const types = (await runs.events('r1')).map(({ type }) => type)
    expect(types.filter((type) => type.includes('fault'))).toEqual([])
  })

  it('forgets failures once it went well', async () => {
    let failures = MOST_FAILURES - 1
    const ensure = async () => {
      if (failures-- > 0) throw new Error('not yet')
    }
    const { begin, bugs, clock, ended } = openLoop({ ensure })
    await begin('r1')
    for (let failure = 1; failure < MOST_FAILURES; failure++) {
      await until(() => bugs.length === failure, `failure ${failure}`)
      await settled()
      clock.advance(10_000)
    }
    expect(await ended('r1')).toBe('done')
  })
})
