/**
 * A whole Signalbox in one process: a real repository, journal, host and doors, and agents that are real processes
 * playing from scripts. Houses are independent, so tests may run beside each other; when all tests of a file are
 * over every house is closed, and then nothing may be left running.
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { listenAtSocket } from '../../src/cli/hosting/owner-socket.ts'
import { bundledAgent, bundledBridge } from '../../src/drivers/bundle.fixture.ts'
import type { SandboxEngine } from '../../src/drivers/index.ts'
import type { ScriptAction, ScriptSession } from '../../src/drivers/scripted/script.ts'
import { NO_KEEPS } from '../../src/host/confinement/keeps/keeps.ts'
import { createProcessEnvironment } from '../../src/host/confinement/process-environment.ts'
import { DEFAULT_RULES, type SandboxRules } from '../../src/host/confinement/rules.ts'
import { type Host, type HostOptions, openHost } from '../../src/host/host.ts'
import { type Home, homeAt } from '../../src/host/machine/home.ts'
import { createOperations } from '../../src/host/operations.ts'
import { fitsModel } from '../../src/host/runs/row-shapes.ts'
import type { StartRequest } from '../../src/host/runs/start.ts'
import type { AgentProgram } from '../../src/host/session/agent-program.ts'
import { createRepositoryAt, type Place } from '../../src/host/workspace/repository.fixture.ts'
import { keysAt } from '../../src/http/keys.fixture.ts'
import { startServer } from '../../src/http/server.ts'
import { type Journal, openSqliteJournal } from '../../src/journal/index.ts'
import { createMcpDoor } from '../../src/mcp/door.ts'
import type { Program } from '../../src/model/program.ts'
import type { DayLimits } from '../../src/model/spending.ts'
import { compileSource } from '../../src/runbook/compile.ts'
import { createMovingClock, type MovingClock } from './moving-clock.fixture.ts'
import { processesOf } from './processes.fixture.ts'
import { PERSON, type RunInHouse, runIn } from './run.fixture.ts'

export type Turns = readonly (readonly ScriptAction[])[]
/** What agents do, by `step`, `step#visit` or `step@agent`; the first that fits is played. */
export type Plays = Readonly<Record<string, Turns>>

export interface HouseOptions {
  readonly runbook: string
  readonly plays?: Plays
  readonly files?: Readonly<Record<string, string>>
  /** Whether HTTP and MCP are served. */
  readonly doors?: boolean
  readonly engine?: SandboxEngine | null
  /** What the user's config says of the sandbox. */
  readonly rules?: Partial<SandboxRules>
  readonly permissions?: AgentProgram['permissions']
  readonly programFor?: (use: string, scripted: AgentProgram, agentFile: string) => AgentProgram | null
  readonly commandsFor?: HostOptions['commandsFor']
  readonly agents?: number
  readonly dayLimits?: DayLimits
  /** The folder that the house is built in; temporary files are out of sight in a sandbox, whatever else is not. */
  readonly under?: string
  /** More of the user's environment, by where the house stands. */
  readonly environment?: (ground: string) => Readonly<Record<string, string>>
  /** What the user's config lets agents write to, by where the house stands. */
  readonly writable?: (ground: string) => readonly string[]
  /** What commands of runbooks find as `signalbox`; nothing by default. */
  readonly ownCommand?: string
  /** For a journal that fails now and then. */
  readonly journalOver?: (journal: Journal) => Journal
}

export interface House {
  readonly repo: Place
  /** All of it lies in here. */
  readonly ground: string
  readonly home: Home
  readonly userHome: string
  readonly clock: MovingClock
  /** The host there is now. */
  readonly host: () => Host
  readonly url: () => string
  start(request?: Partial<StartRequest>): Promise<RunInHouse>
  problems(request?: Partial<StartRequest>): Promise<readonly string[]>
  /** What went wrong inside; a test that made it so takes it out again. */
  readonly bugs: unknown[]
  /** What the host said of its disk. */
  readonly saidOfDisk: string[]
  /** All that was said to agents and by them, as it was on the wire. */
  readonly wire: WireLine[]
  /** From their next start on, agents play this. */
  rehearse(plays: Plays): void
  rehearseSessions(sessions: readonly ScriptSession[]): void
  /** The tokens of the sessions so far, in the order they were opened. */
  tokens(): string[]
  close(): Promise<void>
  /** The host ends as it does on a signal, and another begins on the same data. */
  restart(between?: () => void | Promise<void>): Promise<void>
  running(): string[]
}

interface WireLine {
  readonly run: string
  readonly who: string
  readonly direction: 'in' | 'out'
  readonly message: {
    readonly method?: string
    readonly params?: { readonly prompt?: readonly { readonly text: string }[] }
  }
}

/** Call it where tests are declared, and what it gives within them. */
export function houses(): (options: HouseOptions) => Promise<House> {
  const agentFile = bundledAgent()
  const bridgeFile = bundledBridge()
  const closings: (() => Promise<void>)[] = []
  afterAll(async () => {
    await Promise.all(closings.map((closing) => closing()))
  })
  return (options) => openHouse({ ...options, agentFile, bridgeFile }, closings)
}

interface Equipped extends HouseOptions {
  readonly agentFile: string
  readonly bridgeFile: string
}

async function openHouse(options: Equipped, closings: (() => Promise<void>)[]): Promise<House> {
  const ground = realpathSync(mkdtempSync(join(options.under ?? tmpdir(), 'signalbox-')))
  const repo = createRepositoryAt(
    join(ground, 'repo'),
    options.files ?? { 'a.txt': 'a\n', 'src/code.ts': 'code\n' },
  )
  const home = homeAt(join(ground, 'home'))
  mkdirSync(home.dir)
  const userHome = join(ground, 'user')
  mkdirSync(userHome)
  const script = join(ground, 'script.json')
  const rehearseSessions = (sessions: readonly ScriptSession[]): void =>
    writeFileSync(script, JSON.stringify({ sessions }))
  const rehearse = (plays: Plays): void => rehearseSessions(sessionsOf(plays))
  rehearse(options.plays ?? {})
  const clock = createMovingClock()
  const wire: WireLine[] = []
  const bugs: unknown[] = []
  const saidOfDisk: string[] = []
  const open = (): Promise<Opened> =>
    openAll({ ...options, ground, home, userHome, script, clock, wire, bugs, saidOfDisk })
  let opened: Opened | null = await open()

  const close = async (): Promise<void> => {
    await opened?.close()
    opened = null
  }
  const running = (): string[] => processesOf(ground)
  closings.push(async () => {
    await close()
    expect(running()).toEqual([])
    expect(bugs).toEqual([])
    rmSync(ground, { recursive: true, force: true })
  })
  const host = (): Host => {
    if (opened === null) throw new Error('the house is closed')
    return opened.host
  }
  const request = (over: Partial<StartRequest>): StartRequest => ({
    program: compiled(options.runbook),
    runbook: '.signalbox/test.yaml',
    dir: repo.dir,
    base: null,
    issue: null,
    vars: {},
    by: PERSON,
    ...over,
  })
  const house: House = {
    repo,
    ground,
    home,
    userHome,
    clock,
    host,
    url: () => opened?.url ?? '',
    bugs,
    saidOfDisk,
    wire,
    rehearse,
    rehearseSessions,
    tokens: () => wire.flatMap(({ message }) => tokenIn(message)),
    running,
    close,
    restart: async (between = () => {}) => {
      await close()
      await between()
      opened = await open()
    },
    start: async (over = {}) => {
      const started = await host().start(request(over))
      if ('problems' in started) throw new Error(started.problems.join('\n'))
      return runIn(house, started.loaded.run, started.loaded.placed.placement.worktree)
    },
    problems: async (over = {}) => {
      const started = await host().start(request(over))
      return 'problems' in started ? started.problems : []
    },
  }
  return house
}

const tokenIn = (message: object): string[] => {
  const found = /"Bearer ([^"]+)"/.exec(JSON.stringify(message))?.[1]
  return found === undefined ? [] : [found]
}

interface Opened {
  readonly host: Host
  readonly url: string
  close(): Promise<void>
}

async function openAll(
  options: Equipped & {
    readonly ground: string
    readonly home: Home
    readonly userHome: string
    readonly script: string
    readonly clock: MovingClock
    readonly wire: WireLine[]
    readonly bugs: unknown[]
    readonly saidOfDisk: string[]
  },
): Promise<Opened> {
  const { home, clock, wire, bugs } = options
  const journal = await openSqliteJournal({ file: home.database, fits: fitsModel })
  const scripted: AgentProgram = {
    name: 'scripted',
    driver: 'scripted',
    argv: ['--script', options.script],
    prompt: 'stdin',
    env: {},
    keeps: NO_KEEPS,
    permissions: options.permissions ?? 'ask',
    install: '',
  }
  const host = openHost({
    journal: options.journalOver?.(journal) ?? journal,
    clock,
    processEnvironment: createProcessEnvironment({
      home,
      environment: {
        PATH: process.env['PATH'] ?? '',
        HOME: options.userHome,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_SYSTEM: '/dev/null',
        ...options.environment?.(options.ground),
      },
      engine: options.engine ?? null,
      rulesFor: () => ({ ...DEFAULT_RULES, ...options.rules }),
      writable: options.writable?.(options.ground) ?? [],
      programs: [
        options.agentFile,
        options.bridgeFile,
        // The package it is in, which holds all that it is made of.
        ...(options.ownCommand === undefined ? [] : [dirname(options.ownCommand)]),
      ],
      ...(options.ownCommand === undefined ? {} : { ownCommand: options.ownCommand }),
    }),
    programFor: (use) =>
      options.programFor === undefined ? scripted : options.programFor(use, scripted, options.agentFile),
    ...(options.commandsFor === undefined ? {} : { commandsFor: options.commandsFor }),
    scriptedAgent: options.agentFile,
    mcpBridge: options.bridgeFile,
    version: '0',
    policies: async () => ({ policies: [], problem: null }),
    limits: { agents: options.agents ?? 4, commands: 4 },
    ...(options.dayLimits === undefined ? {} : { dayLimits: options.dayLimits }),
    trace: (run, who, direction, message) =>
      wire.push({ run, who, direction, message: message as WireLine['message'] }),
    onBug: (error) => bugs.push(error),
    onStorage: (sentence) => options.saidOfDisk.push(sentence),
  })
  const doors = options.doors === true ? await openDoors(options.home, host, clock) : null
  await host.work()
  return {
    host,
    url: doors?.url ?? '',
    close: async () => {
      await host.close()
      await doors?.close()
      await journal.close()
    },
  }
}

async function openDoors(
  home: Home,
  host: Host,
  clock: MovingClock,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const mcp = createMcpDoor({ agents: host.agents, version: '0' })
  const compile = () => Promise.resolve({ problems: ['not here'] })
  const server = await startServer({
    operationsFor: (by) => createOperations({ host, now: () => clock.now(), by, compile }),
    keys: keysAt(home, { owner: PERSON.name, agents: host.agents }),
    version: '0',
    port: 0,
    mcp,
    whyGone: () => host.storage.whyGone(),
  })
  if ('problem' in server) throw new Error(server.problem)
  host.serveMcpAt(`${server.url}/mcp`)
  const socket = await listenAtSocket(server.ownerServer, home.socket)
  if ('problem' in socket) throw new Error(socket.problem)
  socket.publish()
  return {
    url: server.url,
    close: async () => {
      await mcp.close()
      await server.close()
    },
  }
}

function compiled(runbook: string): Program {
  const text = /^runbook:/m.test(runbook)
    ? runbook
    : runbook.replace(/^\n*( *)/, '$1runbook: 1\n$1name: test\n$1')
  const { program, diagnostics } = compileSource({ file: 'test.yaml', text }, () => ({
    kind: 'unreadable',
    why: 'is not there',
  }))
  if (program === null)
    throw new Error(diagnostics.map(({ at, message }) => `${at.line}: ${message}`).join('\n'))
  return program
}

function sessionsOf(plays: Plays): ScriptSession[] {
  return Object.entries(plays).map(([place, turns]) => {
    const {
      step = '',
      visit,
      agent,
    } = /^(?<step>[^#@]*)(?:#(?<visit>\d+))?(?:@(?<agent>.+))?$/.exec(place)?.groups ?? {}
    return {
      when: {
        ...(step === '' ? {} : { step }),
        ...(visit === undefined ? {} : { visit: Number(visit) }),
        ...(agent === undefined ? {} : { agent }),
      },
      turns,
    }
  })
}
