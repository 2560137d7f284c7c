/** `decision create` and `decision wait`: a question put to a person from a script, a terminal or an agent's session. */

import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type AwaitedDecision, awaitDecision } from '../../host/inbox/awaited.ts'
import { homeAt } from '../../host/machine/home.ts'
import type { Operations } from '../../host/operations.ts'
import { LONGEST_WAIT_S } from '../../model/decision-record.ts'
import type { Environment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { readBytes } from '../files.ts'
import { HostLostError } from '../hosting/remote.ts'
import { findRepository } from '../project/repository.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Payload, type PayloadFlags, payloadIn, payloadOf, resumeOf } from './payload.ts'
import { type AskingDoor, openSessionDoor } from './session-door.ts'

export interface CreateOptions extends PayloadFlags {
  readonly file?: string
  readonly resume?: string
  readonly from?: string
  readonly model?: string
  /** True where no number was given. */
  readonly wait?: string | true
  readonly json?: boolean
}

export interface AskSetting {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly version: string
  readonly withOperations: (act: (operations: Operations) => Promise<number>) => Promise<number>
  readonly whileWaiting: AskSetting['withOperations']
  readonly stdin: () => Promise<string>
  readonly signal: AbortSignal
}

export async function createDecision(options: CreateOptions, setting: AskSetting): Promise<number> {
  const { terminal, environment } = setting
  const wrong = (problem: string): number => complain(terminal, problem, EXIT.usage)
  const waitMs = options.wait === undefined ? null : secondsOf(options.wait)
  if (Number.isNaN(waitMs)) return wrong(`--wait takes seconds, not "${options.wait}".`)
  const file = options.file === undefined ? { payload: {} } : await readFile(options.file, setting)
  if ('problem' in file) return wrong(file.problem)
  if ('resume' in file.payload)
    return wrong(`${options.file} says \`resume\`, which is given on the command line: --resume "COMMAND".`)
  const given = payloadOf(options, file.payload)
  if ('problem' in given) return wrong(given.problem)
  const resume = options.resume === undefined ? null : resumeOf(options.resume)
  if (resume !== null && 'problem' in resume) return wrong(resume.problem)
  if (environment.session !== null) {
    if (resume !== null)
      return wrong('--resume is for clients outside: this session gets its answer by itself.')
    return ask(openSessionDoor(environment.session), given.payload, { waitMs, options, setting })
  }
  const here = await findRepository(process.cwd())
  const asker = {
    agent: options.from ?? 'cli',
    program: 'signalbox',
    version: setting.version,
    model: options.model ?? '',
  }
  const order = {
    asker,
    door: 'cli',
    resume: resume === null ? null : { argv: resume.argv, cwd: process.cwd() },
    repo: 'repo' in here ? here.repo : '',
  } as const
  const doorOf = (decisions: Operations['decisions']): Omit<AskingDoor, 'create'> => ({
    wait: (id, ms) => decisions.wait(id, ms, setting.signal),
    ...(resume === null ? { withdraw: (id: string) => decisions.withdraw(id, WITHDRAWN) } : {}),
  })
  let raised: string | null = null
  let awaited: AwaitedDecision | null = null
  const code = await throughHosts(
    setting,
    { waitMs, mayGoOn: () => raised !== null },
    async ({ decisions }, leftMs) => {
      if (raised !== null)
        return waitOrWithdraw(doorOf(decisions), raised, { waitMs: leftMs, options, setting })
      const { supersedes } = given.payload
      const old = typeof supersedes === 'string' ? await decisions.find(supersedes) : null
      if (old !== null && 'problem' in old) return wrong(old.problem)
      const payload = old === null ? given.payload : { ...given.payload, supersedes: old.id }
      const create = async (each: Payload): ReturnType<AskingDoor['create']> => {
        const created = await decisions.create({ ...order, payload: each })
        if (!('id' in created)) return created
        raised = created.id
        if (waitMs !== null && resume === null) awaited = awaitDecision(homeAt(environment.home), raised)
        return created
      }
      return ask({ ...doorOf(decisions), create }, payload, { waitMs, options, setting })
    },
  )
  // One that could not be withdrawn is left to the next host, which finds the lock of a process that is gone.
  if (code !== EXIT.interrupted) (awaited as AwaitedDecision | null)?.keep()
  return code
}

const WITHDRAWN = 'Its asker was stopped while it waited.'

interface Asked {
  readonly waitMs: number | null
  readonly options: { readonly json?: boolean }
  readonly setting: AskSetting
}

async function ask(asking: AskingDoor, payload: Payload, asked: Asked): Promise<number> {
  const { terminal } = asked.setting
  const created = await asking.create(payload)
  if ('problem' in created) return complain(terminal, created.problem, EXIT.failed)
  if (asked.waitMs === null) {
    terminal.write(asked.options.json === true ? JSON.stringify(created) : created.id)
    return EXIT.ok
  }
  // The id must be known to whoever gives up waiting; standard output is for the answer.
  process.stderr.write(`${created.id}\n`)
  return waitOrWithdraw(asking, created.id, { ...asked, waitMs: asked.waitMs })
}

/** Nobody answers for an asker that is stopped. */
async function waitOrWithdraw(
  asking: Pick<AskingDoor, 'wait' | 'withdraw'>,
  id: string,
  asked: Asked & { readonly waitMs: number },
): Promise<number> {
  const code = await untilAnswered(asking, id, asked)
  if (code !== EXIT.interrupted || asking.withdraw === undefined) return code
  const gone = await asking.withdraw(id)
  if (!('problem' in gone)) process.stderr.write(`${id} was withdrawn.\n`)
  return code
}

export async function waitDecision(
  prefix: string,
  options: { readonly seconds?: string; readonly json?: boolean },
  setting: AskSetting,
): Promise<number> {
  const { terminal, environment } = setting
  const waitMs = secondsOf(options.seconds ?? true)
  if (Number.isNaN(waitMs))
    return complain(terminal, `--seconds takes a number, not "${options.seconds}".`, EXIT.usage)
  if (environment.session !== null)
    return untilAnswered(openSessionDoor(environment.session), prefix, { waitMs, options, setting })
  return throughHosts(setting, { waitMs, mayGoOn: () => true }, async ({ decisions }, leftMs) => {
    const found = await decisions.find(prefix)
    if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
    return untilAnswered(decisions, found.id, { waitMs: leftMs, options, setting })
  })
}

/** Whoever waits outlives the host that was asked: the next one is, or this process becomes it. */
async function throughHosts(
  setting: AskSetting,
  { waitMs, mayGoOn }: { readonly waitMs: number | null; readonly mayGoOn: () => boolean },
  act: (operations: Operations, leftMs: number) => Promise<number>,
): Promise<number> {
  if (waitMs === null || waitMs === 0) return setting.withOperations((operations) => act(operations, 0))
  const { environment, signal, terminal } = setting
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      return await setting.whileWaiting((operations) => act(operations, deadline - Date.now()))
    } catch (error) {
      if (!(error instanceof HostLostError) || !mayGoOn() || Date.now() >= deadline) throw error
    }
    if (signal.aborted) return EXIT.interrupted
    // Stopped on purpose: nobody takes its place by waiting.
    if (existsSync(homeAt(environment.home).stopped)) {
      const again = 'The decision is kept as it is; signalbox up goes on with it.'
      return complain(terminal, `Signalbox was stopped. ${again}`, EXIT.waiting)
    }
    await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined)
  }
}

const AGAIN_MS = 200

/** One call waits no longer than this. */
const ONE_CALL_MS = LONGEST_WAIT_S * 1000

async function untilAnswered(
  asking: Pick<AskingDoor, 'wait'>,
  id: string,
  { waitMs, options, setting }: Asked & { readonly waitMs: number },
): Promise<number> {
  const { terminal, signal } = setting
  const deadline = Date.now() + waitMs
  const interrupted = new Promise<'interrupted'>((resolve) => {
    if (signal.aborted) resolve('interrupted')
    signal.addEventListener('abort', () => resolve('interrupted'), { once: true })
  })
  for (;;) {
    const left = Math.max(0, deadline - Date.now())
    const told = await Promise.race([asking.wait(id, Math.min(left, ONE_CALL_MS), signal), interrupted])
    if (told === 'interrupted') return EXIT.interrupted
    if (told !== null && 'problem' in told) return complain(terminal, told.problem, EXIT.failed)
    if (told !== null) {
      terminal.write(options.json === true ? JSON.stringify({ id, ...told }) : told.answered)
      return EXIT.ok
    }
    if (Date.now() < deadline) continue
    if (options.json === true) terminal.write(JSON.stringify({ id, answered: null }))
    else process.stderr.write(`${id} is still open. To go on waiting: signalbox decision wait ${id}\n`)
    return EXIT.waiting
  }
}

/** As milliseconds; one bounded call where nothing is said. */
function secondsOf(given: string | true): number {
  if (given === true) return ONE_CALL_MS
  return /^\d{1,7}$/.test(given) ? Number(given) * 1000 : Number.NaN
}

async function readFile(
  name: string,
  { stdin }: AskSetting,
): Promise<{ readonly payload: Payload } | { readonly problem: string }> {
  if (name === '-') return payloadIn(await stdin())
  const read = readBytes(name)
  if (read.kind === 'unreadable') return { problem: `${name} ${read.why}.` }
  return payloadIn(new TextDecoder().decode(read.bytes))
}
