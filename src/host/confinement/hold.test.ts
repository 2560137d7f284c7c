/** What a process would get, on a real disk; that it gets no more is shown with real sandboxes in test/host. */
import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SandboxEngine } from '../../drivers/index.ts'
import { homeAt } from '../machine/home.ts'
import { keepRuns, programOf } from '../runs/runs.fixture.ts'
import type { AgentProgram } from '../session/agent-program.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { type Hold, holdAgent, holdCommand } from './hold.ts'
import { createProcessEnvironment } from './process-environment.ts'
import { DEFAULT_RULES, type SandboxRules } from './rules.ts'

const BUBBLEWRAP: SandboxEngine = { kind: 'bubblewrap', program: '/usr/bin/bwrap', perl: null }

const AGENT: AgentProgram = {
  name: 'mine',
  driver: 'acp',
  argv: ['/bin/true'],
  prompt: 'stdin',
  env: { OWN: 'value' },
  keeps: [],
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
  keeps = [],
  HOME,
}: {
  rules?: Partial<SandboxRules>
  engine?: SandboxEngine | null
  keeps?: readonly string[]
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
    keeps,
  })
  const loaded = await keepRuns(PROGRAM).begin('r1')
  const answers = at('answers')
  const agent = (program: Partial<AgentProgram> = {}, name = 'dev'): Hold => {
    const step = name === 'dev' ? 'work' : 'check'
    const about = {
      loaded,
      step,
      agent: name,
      member: 0,
      answers,
      door: 4321,
      program: { ...AGENT, ...program },
    }
    const hold = holdAgent(processEnvironment, about)
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
    for (const { sandbox } of [agent(), command()]) {
      expect(sandbox?.limits).toMatchObject(limits)
      expect(sandbox?.sockets).toEqual([socket])
    }
  })

  it('[X7] is as tight as its role', async () => {
    const { agent, command } = await stage()
    expect(agent().sandbox?.network).toMatchObject({ hosts: ['*'], ports: [4321] })
    const { sandbox } = agent({}, 'careful')
    expect(sandbox?.network).toMatchObject({ hosts: ['a.com'], ports: [4321] })
    const repository = agent().sandbox?.writable.find((path) => path.endsWith('agent.git'))
    expect(sandbox?.writable).not.toContain(repository)
    expect(sandbox?.readable).toContain(repository)
    expect(command().sandbox?.network).toMatchObject({ hosts: ['*'], ports: [] })
  })

  it('[X6] is never looser than the config, whatever the role says', async () => {
    const { agent } = await stage({ rules: { network: ['b.com', 'a.com:443'] } })
    expect(agent().sandbox?.network).toMatchObject({ hosts: ['b.com', 'a.com:443'] })
    expect(agent({}, 'careful').sandbox?.network).toMatchObject({ hosts: ['a.com:443'] })
  })

  it('[X5] has the keys of its own program; a command has none, with and without a sandbox', async () => {
    for (const engine of [BUBBLEWRAP, null]) {
      const { agent, command } = await stage({ engine })
      expect(agent({ passes: ['AGENT_*'] }).env).toMatchObject({ AGENT_KEY: 'key', OWN: 'value' })
      for (const { env } of [agent(), command()])
        expect([env['AGENT_KEY'], env['SECRET'], env['PATH']]).toEqual([undefined, undefined, '/usr/bin'])
    }
  })

  it('has what its entry sets, a home of its own too', async () => {
    const { agent } = await stage()
    const env = { HOME: '/elsewhere', XDG_CONFIG_HOME: '/elsewhere/.config' }
    expect(agent({ env, boxed: { MODE: 'free' } }).env).toMatchObject({ ...env, MODE: 'free' })
  })

  it('[X4] is granted nothing through a link that agents could lay, and nothing of ours', async () => {
    const { agent, place, at } = await stage({
      rules: { writable: ['~/.cache'], readable: ['~/.cache/planted', '~/.local/share'] },
      keeps: ['~/.mine'],
    })
    place('me/.ssh/id')
    place('me/.cache/x')
    place('me/.mine/x')
    place('me/.local/share/signalbox/signalbox.db')
    symlinkSync(at('me/.ssh'), at('me/.cache/planted'))
    symlinkSync(at('me/.ssh'), at('me/.mine/planted'))
    const { sandbox } = agent({
      keeps: ['~/.mine', '~/.mine/planted', '~/.local'],
      argv: [at('me/.mine/planted/id')],
    })
    const all = [...sandbox!.readable, ...sandbox!.writable]
    expect(all.filter((path) => /planted|ssh|\.local$|share$/.test(path))).toEqual([])
    expect(sandbox?.writable).toEqual(expect.arrayContaining([at('me/.mine'), at('me/.cache')]))
    expect(sandbox?.hidden).toContain(at('me/.local/share/signalbox'))
  })

  it('[X11] has what it keeps made for it where it was never used, files with what they begin with', async () => {
    const { at, agent } = await stage()
    mkdirSync(at('me'))
    const keeps = ['~/.mine', '~/.mine.json', '~/.cache/mine', '~/.theirs.json', '/elsewhere/mine']
    const { sandbox } = agent({ keeps, begins: { '~/.mine.json': '{}' } })
    expect(sandbox?.writable).toEqual(
      expect.arrayContaining([at('me/.mine'), at('me/.mine.json'), at('me/.cache/mine')]),
    )
    expect(readFileSync(at('me/.mine.json'), 'utf8')).toBe('{}')
    expect(existsSync(at('me/.theirs.json'))).toBe(false)
    writeFileSync(at('me/.mine.json'), '{"a":1}')
    agent({ keeps, begins: { '~/.mine.json': '{}' } })
    expect(readFileSync(at('me/.mine.json'), 'utf8')).toBe('{"a":1}')
  })

  it('[X11] has nothing made for a project, nor among what is Signalbox’s own or another agent’s', async () => {
    const { at, agent } = await stage({ keeps: ['~/.other'] })
    mkdirSync(at('me/.other'), { recursive: true })
    mkdirSync(at('me/.local/share/signalbox'), { recursive: true })
    agent({ keeps: ['~/.mine'], ofProject: true })
    agent({ keeps: ['~/.local/share/signalbox/mine', '~/.other/mine'] })
    for (const name of ['.mine', '.local/share/signalbox/mine', '.other/mine'])
      expect(existsSync(at(`me/${name}`))).toBe(false)
  })

  it('reaches what it keeps behind a link of the user’s own', async () => {
    const { agent, place, at } = await stage()
    place('me/dotfiles/mine/x')
    symlinkSync('dotfiles/mine', at('me/.mine'))
    const { sandbox } = agent({ keeps: ['~/.mine'] })
    expect(sandbox?.writable).toContain(at('me/.mine'))
    expect(readlinkSync(join(sandbox!.home!.from!, '.mine'))).toBe('dotfiles/mine')
  })

  it('[X6] is shown nothing outside the project for a program that the project names', async () => {
    const { agent, place } = await stage()
    const secret = place('me/.ssh/id')
    const argv = ['/bin/cat', secret]
    expect(agent({ argv, ofProject: true }).sandbox!.programs).not.toContain(secret)
    expect(agent({ argv }).sandbox!.programs).toContain(secret)
  })

  it.each(['/', '/usr', '/tmp', '/etc/nobody'])(
    '[X2] has a home also where the user’s is %s',
    async (HOME) => {
      const { agent } = await stage({ HOME })
      const { sandbox, env } = agent()
      expect(sandbox?.home?.at).toBe(sandbox?.home?.from)
      expect(env['HOME']).toBe(sandbox?.home?.from)
    },
  )

  it('[X2] finds what it keeps in the user’s home where nothing can be put in its place', async () => {
    const { agent, command, at } = await stage({
      engine: { kind: 'seatbelt', program: '/usr/bin/sandbox-exec', proxy: null as never },
    })
    expect(agent({ keeps: ['~/.mine'] })).toMatchObject({ sandbox: { home: null }, env: { HOME: at('me') } })
    expect(command().env['HOME']).toMatch(/grounds\/.*\/homes\/commands$/)
  })
})
