/** What is true of every driver, whatever kind of program it drives: run on each with real processes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../until.fixture.ts'
import type {
  AgentSession,
  Driver,
  Launch,
  Opened,
  OpenRequest,
  Permission,
  PermissionKind,
  Update,
} from './driver.ts'
import { sleeper, temporaryFolder } from './process/process.fixture.ts'
import type { ScriptAction } from './scripted/script.ts'

export interface Capabilities {
  readonly resumes: boolean
  readonly reportsUsage: boolean
  readonly asksPermission: boolean
  /** It has tool calls, and a protocol that noise could disturb. */
  readonly speaksProtocol: boolean
}

export interface Setup {
  readonly driver: Driver
  /** How to start a program that does this, turn by turn, in a folder. */
  readonly launch: (turns: readonly (readonly ScriptAction[])[], cwd: string) => Launch
}

export interface Seen {
  readonly session: AgentSession
  readonly updates: Update[]
  readonly permissions: Permission[]
}

type More = Partial<OpenRequest> & { readonly pick?: PermissionKind | null }

export const NOTHING_COUNTED = { costUsd: 0, tokens: 0 }

/** Opens a session that is closed when the test ends. */
export async function openSession(driver: Driver, launch: Launch, more: More = {}): Promise<Seen> {
  const updates: Update[] = []
  const permissions: Permission[] = []
  const { pick = 'allow_once', ...rest } = more
  const opened = await driver.open({
    launch,
    resume: null,
    mcp: null,
    counted: NOTHING_COUNTED,
    onUpdate: (update) => updates.push(update),
    onPermission: async (permission) => {
      permissions.push(permission)
      return pick
    },
    onWire: null,
    startMs: 20_000,
    ...rest,
  })
  const session = sessionOf(opened)
  onTestFinished(() => session.close())
  return { session, updates, permissions }
}

function sessionOf(opened: Opened): AgentSession {
  if ('session' in opened) return opened.session
  throw new Error(`${opened.trouble}: ${opened.detail}`)
}

export function openQuietly(driver: Driver, launch: Launch, resume: string | null = null): Promise<Opened> {
  const unheard = { onUpdate: () => {}, onPermission: async () => null, onWire: null }
  return driver.open({ launch, resume, mcp: null, counted: NOTHING_COUNTED, startMs: 20_000, ...unheard })
}

export const saidIn = (updates: readonly Update[]): string =>
  updates.map((update) => (update.kind === 'text' ? update.text : '')).join('')

export function driverContract(name: string, can: Capabilities, setup: () => Setup): void {
  const open = (turns: readonly (readonly ScriptAction[])[], more: More & { readonly cwd?: string } = {}) => {
    const { driver, launch } = setup()
    const { cwd = temporaryFolder(), ...rest } = more
    return openSession(driver, launch(turns, cwd), rest)
  }

  describe(`${name}: every driver`, () => {
    it('ends a turn with what the agent said', async () => {
      const { session, updates } = await open([[{ say: 'Hello, ' }, { say: 'wörld – ✓.' }]])
      const end = await session.prompt('Greet me.')
      expect(end).toEqual({ kind: 'ended', reason: 'end_turn', text: 'Hello, wörld – ✓.', toolCalls: 0 })
      expect(saidIn(updates)).toBe('Hello, wörld – ✓.')
    })

    it('takes one prompt after the other', async () => {
      const { session } = await open([[{ say: 'Yes.' }]])
      for (const text of ['One?', 'Two?'])
        expect(await session.prompt(text)).toMatchObject({ kind: 'ended', text: 'Yes.' })
    })

    it('calls a missing program failed', async () => {
      const { driver, launch } = setup()
      const missing = {
        ...launch([[]], temporaryFolder()),
        argv: ['signalbox-no-such-program', '{prompt_file}'],
      }
      const opened = await openQuietly(driver, missing)
      expect(opened).toMatchObject({ trouble: 'failed', detail: expect.stringContaining('no-such-program') })
    })

    it('[D5] tells a crash in the middle of a turn, with the last words on stderr', async () => {
      const { session } = await open([[{ say: 'Now I will' }, { crash: 7 }]])
      const end = await session.prompt('Go.')
      expect(end).toMatchObject({
        kind: 'crashed',
        detail: expect.stringMatching(/exit code 7[\s\S]*The script says/),
      })
    })

    it('ends the open turn when it is cancelled', async () => {
      const { session, updates } = await open([[{ say: 'Working.' }, { hang: true }]])
      const end = session.prompt('Go.')
      await until(() => saidIn(updates) === 'Working.', 'the agent works')
      await session.cancel()
      expect(await end).toEqual({ kind: 'ended', reason: 'cancelled', text: 'Working.', toolCalls: 0 })
    })

    it('has nothing to cancel between turns', async () => {
      const { session } = await open([[{ say: 'Yes.' }]])
      await session.cancel()
      expect(await session.prompt('Well?')).toMatchObject({ kind: 'ended', reason: 'end_turn' })
      await session.cancel()
    })

    it('takes no second prompt while one is open', async () => {
      const { session, updates } = await open([[{ say: 'Working.' }, { hang: true }]])
      const end = session.prompt('Go.')
      await until(() => saidIn(updates) === 'Working.', 'the agent works')
      await expect(session.prompt('And this?')).rejects.toThrow('already open')
      await session.cancel()
      await end
    })

    it('[D9] leaves nothing behind when it is closed, not even what the agent sent into the background', async () => {
      const cwd = temporaryFolder()
      const sleeping = sleeper()
      const started = join(cwd, 'started')
      const { session } = await open(
        [
          [
            { spawn: `echo > started; exec ${sleeping.command}` },
            { run: 'until [ -e started ]; do sleep 0.02; done' },
            { hang: true },
          ],
        ],
        { cwd },
      )
      const end = session.prompt('Go.')
      await until(() => existsSync(started) && sleeping.alive().length === 1, 'the background process runs')
      await session.close()
      expect(sleeping.alive()).toEqual([])
      expect(await end).toMatchObject({ kind: 'ended', reason: 'cancelled' })
      expect(await session.prompt('Still there?')).toMatchObject({ kind: 'crashed' })
    })

    it('can be closed twice, and after a crash', async () => {
      const { session } = await open([[{ crash: 1 }]])
      await session.prompt('Go.')
      await Promise.all([session.close(), session.close()])
    })

    it('[D5] shows an empty turn as one', async () => {
      const { session } = await open([[]])
      expect(await session.prompt('Go.')).toEqual({
        kind: 'ended',
        reason: 'end_turn',
        text: '',
        toolCalls: 0,
      })
    })

    it('[D1] keeps sessions apart', async () => {
      const [one, two] = await Promise.all([open([[{ say: 'one' }]]), open([[{ say: 'two' }]])])
      await Promise.all([one.session.prompt('Go.'), two.session.prompt('Go.')])
      expect([saidIn(one.updates), saidIn(two.updates)]).toEqual(['one', 'two'])
    })

    it('[D7] tells a usage limit from a failure', async () => {
      const { session } = await open([
        [{ limit: { text: "You've hit your usage limit. Try again in 3 hours." } }],
      ])
      const before = Date.now()
      const end = await session.prompt('Go.')
      expect(end).toMatchObject({ kind: 'limited', detail: expect.stringContaining('usage limit') })
      const until = end.kind === 'limited' ? end.until : null
      expect(until).toBeGreaterThanOrEqual(before + 3 * 3_600_000)
    })

    it.runIf(!can.resumes)('has no session to resume', async () => {
      const { driver, launch } = setup()
      const started = launch([[{ say: 'Yes.' }]], temporaryFolder())
      expect((await openSession(driver, started)).session.id).toBeNull()
      expect(await openQuietly(driver, started, 'earlier')).toMatchObject({ trouble: 'no-session' })
    })

    it.runIf(can.resumes)('goes on with an earlier session', async () => {
      const { driver, launch } = setup()
      const started = launch([[{ say: 'First.' }], [{ say: 'Second.' }]], temporaryFolder())
      const { session } = await openSession(driver, started)
      await session.prompt('Begin.')
      await session.close()
      const later = await openSession(driver, started, { resume: session.id })
      expect(later.session).toMatchObject({ id: session.id, resumed: true })
      expect(await later.session.prompt('Go on.')).toMatchObject({ text: 'Second.' })
      expect(saidIn(later.updates)).toBe('Second.')
    })

    it.runIf(can.resumes)('tells when the session to resume is gone', async () => {
      const { driver, launch } = setup()
      const started = launch([[]], temporaryFolder())
      expect(await openQuietly(driver, started, 'never-was')).toMatchObject({ trouble: 'no-session' })
    })

    it.runIf(can.reportsUsage)('tells usage as what was used since the last time', async () => {
      const { session, updates } = await open([
        [{ usage: { costUsd: 0.25, tokens: 100 } }, { usage: { costUsd: 0.5, tokens: 50 } }],
      ])
      await session.prompt('Go.')
      const usage = updates.filter((update) => update.kind === 'usage')
      expect(usage).toEqual([
        { kind: 'usage', costUsd: 0.25, tokens: 100 },
        { kind: 'usage', costUsd: 0.5, tokens: 50 },
      ])
    })

    it
      .runIf(can.asksPermission)
      .each(['allow_once', 'allow_always', 'reject_once', 'reject_always', null] as const)(
      'answers a permission request with %s',
      async (pick) => {
        const ask: ScriptAction = {
          permission: { title: 'delete everything' },
          allowed: [{ say: 'allowed' }],
          rejected: [{ say: 'rejected' }],
        }
        const { session, permissions } = await open([[ask]], { pick })
        const end = await session.prompt('Go.')
        expect(end).toMatchObject({ text: pick?.startsWith('allow') ? 'allowed' : 'rejected', toolCalls: 1 })
        expect(permissions).toMatchObject([{ title: 'delete everything' }])
        expect(permissions[0]?.options.map(({ kind }) => kind)).toEqual([
          'allow_once',
          'allow_always',
          'reject_once',
        ])
      },
    )

    it.runIf(can.speaksProtocol)('is not disturbed by noise on stdout', async () => {
      const noise: ScriptAction[] = ['Loading…', '{"level":"info"}', '[1,2]', '{"half":', '42'].map(
        (print) => ({
          print,
        }),
      )
      const { session } = await open([[...noise, { say: 'Still here.' }]])
      expect(await session.prompt('Go.')).toMatchObject({ kind: 'ended', text: 'Still here.' })
    })
  })
}
