/** What a process would get, on a real disk; that it gets no more is shown with real sandboxes in test/host. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SandboxEngine } from '../../drivers/index.ts'
import { homeAt } from '../machine/home.ts'
import { keepRuns, programOf } from '../runs/runs.fixture.ts'
import type { AgentProgram } from '../session/agent-program.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { type AgentHold, type Hold, holdAgent, holdCommand } from './hold.ts'
import { NO_KEEPS } from './keeps/keeps.ts'
import { createProcessEnvironment } from './process-environment.ts'
import { DEFAULT_RULES, type SandboxRules } from './rules.ts'

const BUBBLEWRAP: SandboxEngine = {
  kind: 'bubblewrap',
  program: '/usr/bin/bwrap',
  perl: null,
  groups: null,
  limitsTemporary: true,
}

const AGENT: AgentProgram = {
  name: 'mine',
  driver: 'acp',
  argv: ['/bin/true'],
  prompt: 'stdin',
  env: { OWN: 'value' },
  keeps: NO_KEEPS,
  permissions: 'auto',
  install: '',
}

const PROGRAM = programOf(`
  agents: { dev: {}, careful: { network: [a.com], git: read } }
  steps: { work: { agent: dev, prompt: Do it., next: check }, check: { agent: careful, prompt: Look., next: done } }
`)

async function stage({
  rules = {},
  engine = BUBBLEWRAP,
  writable = [],
  HOME,
}: {
  rules?: Partial<SandboxRules>
  engine?: SandboxEngine | null
  writable?: readonly string[]
  HOME?: string
} = {}) {
  const dir = temporaryFolder()
  const at = (name: string): string => join(dir, name)
  const place = (name: string): string => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), '')
    return at(name)
  }
  const processEnvironment = createProcessEnvironment({
    home: homeAt(at('me/.local/share/signalbox')),
    environment: { PATH: '/usr/bin', HOME: HOME ?? at('me'), AGENT_KEY: 'key', SECRET: 'x' },
    engine,
    rulesFor: () => ({ ...DEFAULT_RULES, ...rules }),
    writable,
  })
  const loaded = await keepRuns(PROGRAM).begin('r1')
  const answers = at('answers')
  const agent = async (program: Partial<AgentProgram> = {}, name = 'dev'): Promise<AgentHold> => {
    const step = name === 'dev' ? 'work' : 'check'
    const about = {
      loaded,
      step,
      agent: name,
      member: 0,
      answers,
      door: 4321,
      copies: null,
      program: { ...AGENT, ...program },
    }
    const hold = await holdAgent(processEnvironment, about)
    if ('problem' in hold) throw new Error(hold.problem)
    return hold
  }
  const command = (): Hold => {
    const hold = holdCommand(processEnvironment, { loaded })
    if ('problem' in hold) throw new Error(hold.problem)
    return hold
  }
  return { at, place, agent, command, processEnvironment, loaded }
}

describe('what holds an agent', () => {
  it('[X10] has the limits and sockets of the user’s config', async () => {
    const limits = { processes: 20, memoryBytes: 1024, openFiles: 30 }
    const { agent, command, place } = await stage({
      rules: { limits, sockets: ['~/agent.sock', '/no/such'] },
    })
    const socket = place('me/agent.sock')
    for (const { sandbox } of [await agent(), command()]) {
      expect(sandbox?.limits).toMatchObject(limits)
      expect(sandbox?.sockets).toEqual([socket])
    }
  })

  it('[X7] is as tight as its role', async () => {
    const { agent, command } = await stage()
    expect((await agent()).sandbox?.network).toMatchObject({ hosts: ['*'], ports: [4321] })
    const { sandbox } = await agent({}, 'careful')
    expect(sandbox?.network).toMatchObject({ hosts: ['a.com'], ports: [4321] })
    const repository = (await agent()).sandbox?.writable.find((path) => path.endsWith('agent.git'))
    expect(sandbox?.writable).not.toContain(repository)
    expect(sandbox?.readable).toContain(repository)
    expect(command().sandbox?.network).toMatchObject({ hosts: ['*'], ports: [] })
  })

  it('[X6] is never looser than the config, whatever the role says', async () => {
    const { agent } = await stage({ rules: { network: ['b.com', 'a.com:443'] } })
    expect((await agent()).sandbox?.network).toMatchObject({ hosts: ['b.com', 'a.com:443'] })
    expect((await agent({}, 'careful')).sandbox?.network).toMatchObject({ hosts: ['a.com:443'] })
  })

  it('[X5] has the keys of its own program; a command has none, with and without a sandbox', async () => {
    for (const engine of [BUBBLEWRAP, null]) {
      const { agent, command } = await stage({ engine })
      expect((await agent({ passes: ['AGENT_*'] })).env).toMatchObject({ AGENT_KEY: 'key', OWN: 'value' })
      for (const { env } of [await agent(), command()])
        expect([env['AGENT_KEY'], env['SECRET'], env['PATH']]).toEqual([undefined, undefined, '/usr/bin'])
    }
  })

  it('has what its entry sets, a home of its own too', async () => {
    const { agent } = await stage()
    const env = { HOME: '/elsewhere', XDG_CONFIG_HOME: '/elsewhere/.config' }
    expect((await agent({ env, boxed: { MODE: 'free' } })).env).toMatchObject({ ...env, MODE: 'free' })
  })

  it('[X4] is granted nothing through a link that agents could lay, and nothing of ours', async () => {
    const { agent, place, at } = await stage({
      rules: { shared: ['~/.cache'], readable: ['~/.cache/planted', '~/.local/share'] },
    })
    place('me/.ssh/id')
    place('me/.cache/x')
    place('me/.local/share/signalbox/signalbox.db')
    symlinkSync(at('me/.ssh'), at('me/.cache/planted'))
    const { sandbox } = await agent({
      keeps: {
        ...NO_KEEPS,
        login: ['~/.cache/planted/id'],
        settings: ['~/.cache/planted', '~/.local', '~/.local/share/signalbox/signalbox.db'],
      },
      argv: [at('me/.cache/planted/id')],
    })
    const all = [...sandbox!.readable, ...sandbox!.writable, ...sandbox!.shown.map(({ from }) => from)]
    expect(all.filter((path) => /planted|ssh|\.local$|share$/.test(path))).toEqual([])
    expect(sandbox?.writable).toContain(at('me/.cache'))
    expect(sandbox?.hidden).toContain(at('me/.local/share/signalbox'))
    expect(readdirSync(sandbox!.home!.from!)).toEqual([])
  })

  it('[X15] writes to nothing of what it keeps, and has it in a home of its own', async () => {
    const { at, agent, place } = await stage()
    for (const name of ['auth.json', 'config', 'skills/one']) writeFileSync(place(`me/.mine/${name}`), name)
    symlinkSync('.mine', at('me/.linked'))
    const keeps = {
      login: ['~/.mine/auth.json'],
      settings: ['~/.linked/config', '~/.linked/skills'],
      sessions: ['~/.mine/sessions'],
      copied: [],
    }
    const { sandbox, logins } = await agent({ keeps })
    expect(sandbox!.writable.filter((path) => path.startsWith(at('me/.')))).toEqual(
      sandbox!.writable.filter((path) => path.startsWith(at('me/.local/share/signalbox'))),
    )
    expect(sandbox!.shown.filter(({ access }) => access === 'write')).toEqual([])
    expect(sandbox!.shown).toContainEqual({
      from: at('me/.mine/skills'),
      at: at('me/.linked/skills'),
      access: 'read',
      isInHome: true,
    })
    const home = (name: string): string => join(sandbox!.home!.from!, name)
    expect([
      readFileSync(home('.mine/auth.json'), 'utf8'),
      readFileSync(home('.linked/config'), 'utf8'),
    ]).toEqual(['auth.json', 'config'])
    expect(existsSync(at('me/.mine/sessions'))).toBe(false)
    await logins?.end()
    expect(existsSync(home('.mine/auth.json'))).toBe(false)
  })

  it('[X15] has nothing of it where a project names the program, and all of it without a sandbox', async () => {
    const { agent, place } = await stage()
    place('me/.mine/auth.json')
    const keeps = { ...NO_KEEPS, login: ['~/.mine/auth.json'] }
    const { sandbox } = await agent({ keeps, ofProject: true })
    expect(readdirSync(sandbox!.home!.from!)).toEqual([])
    const open = await stage({ engine: null })
    expect(await open.agent({ keeps })).toMatchObject({ sandbox: null, logins: null })
  })

  it('[X6] is shown nothing outside the project for a program that the project names', async () => {
    const { agent, place } = await stage()
    const secret = place('me/.ssh/id')
    const argv = ['/bin/cat', secret]
    expect((await agent({ argv, ofProject: true })).sandbox!.programs).not.toContain(secret)
    expect((await agent({ argv })).sandbox!.programs).toContain(secret)
  })

  it.each(['/', '/usr', '/tmp', '/etc/nobody'])(
    '[X2] has a home also where the user’s is %s',
    async (HOME) => {
      const { agent } = await stage({ HOME })
      const { sandbox, env } = await agent()
      expect(sandbox?.home?.at).toBe(sandbox?.home?.from)
      expect(env['HOME']).toBe(sandbox?.home?.from)
    },
  )

  it('[X15] has it in a folder that HOME names where nothing can be put in the place of the user’s', async () => {
    const { agent, place } = await stage({
      engine: { kind: 'seatbelt', program: '/usr/bin/sandbox-exec', proxy: null as never },
    })
    const skills = dirname(place('me/.mine/skills/one'))
    const { sandbox, env } = await agent({ keeps: { ...NO_KEEPS, settings: ['~/.mine/skills'] } })
    expect(sandbox).toMatchObject({ home: { from: env['HOME'] }, shown: [] })
    expect(sandbox!.readable).toContain(skills)
    expect(readlinkSync(join(env['HOME']!, '.mine/skills'))).toBe(skills)
  })
})
