/** A repository with the flows, and a home and a config of this suite's own. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Script } from '../../src/drivers/scripted/script.ts'
import { type Home, homeAt } from '../../src/host/machine/home.ts'
import { openSmallDisk, type SmallDisk, whyNoSmallDisk } from '../../src/journal/sqlite/small-disk.fixture.ts'
import { HOSTILE_SCRIPTS } from './hostile-flow.fixture.ts'
import { FIRST_ISSUE } from './issues.fixture.ts'
import { createSetClock, type SetClock } from './set-clock.fixture.ts'

export const FLOWS = ['build', 'council', 'ask', 'vote', 'note'] as const
/** `advice` has a storm of its own, `hostile` is a fault of the world. */
export type Flow = (typeof FLOWS)[number] | 'advice' | 'hostile'

export interface Project {
  readonly dir: string
  readonly repo: string
  readonly home: Home
  /** What the home lies on, where there can be such a disk. */
  readonly disk: SmallDisk | null
  /** What its hosts go by. */
  readonly clock: SetClock
  /** The same for every host, as a user's is. */
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  runbook(flow: Flow): string
  close(): void
}

export interface ProjectOptions {
  readonly sandbox: 'auto' | 'off'
  readonly scripts: (dir: string) => Readonly<Record<string, Script>>
  /** Further files of the user's config, by name. */
  readonly config?: Readonly<Record<string, string>>
}

/** All that a storm leaves has room there many times over. */
const DISK_MEGABYTES = 512

export async function openProject({ sandbox, scripts, config: more = {} }: ProjectOptions): Promise<Project> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-chaos-')))
  const at = (name: string): string => join(dir, name)
  const disk = whyNoSmallDisk === null ? openSmallDisk({ megabytes: DISK_MEGABYTES }) : null
  const [repo, home, config] = [at('repo'), join(disk?.dir ?? dir, 'home'), at('config')]
  for (const each of [repo, config]) mkdirSync(each)
  writeFileSync(
    join(config, 'config.yaml'),
    `sandbox: { use: ${sandbox} }\nlimits: { agents: 32, commands: 32 }\npeople: { maria: {} }\n`,
  )
  for (const [name, text] of Object.entries(more)) writeFileSync(join(config, name), text)
  writeRepository(repo, { ...scripts(dir), ...HOSTILE_SCRIPTS })
  const { PATH = '', HOME = '' } = process.env
  return {
    dir,
    repo,
    home: homeAt(home),
    disk,
    clock: createSetClock(dir),
    port: await freePort(),
    env: {
      PATH,
      HOME,
      SIGNALBOX_HOME: home,
      SIGNALBOX_CONFIG: config,
      GIT_CONFIG_NOSYSTEM: '1',
    },
    runbook: (flow) => join(repo, '.signalbox', `${flow}.yaml`),
    close: () => {
      if (process.env['CHAOS_KEEP'] === undefined)
        rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
      else if (disk !== null && existsSync(home)) cpSync(home, at('home'), { recursive: true })
    },
  }
}

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

function writeRepository(repo: string, scripts: Readonly<Record<string, Script>>): void {
  const own = join(repo, '.signalbox')
  cpSync(new URL('flows', import.meta.url), own, { recursive: true })
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(own, `${name}.json`), JSON.stringify(script))
  const agents = Object.keys(scripts).map((name) => `  ${name}: { scripted: ${name}.json, permissions: ask }`)
  writeFileSync(join(own, 'config.yaml'), ['agents:', ...agents, ''].join('\n'))
  writeFileSync(join(repo, 'README.md'), 'Mind the gap.\n')
  mkdirSync(dirname(join(own, FIRST_ISSUE.name)))
  writeFileSync(join(own, FIRST_ISSUE.name), FIRST_ISSUE.text)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], { cwd: repo })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'the beginning')
}
