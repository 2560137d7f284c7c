/** `signalbox up` in a process of its own, with the agent in its config as a user writes it there, to be killed. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DoorFile } from '../../src/cli/hosting/door-file.ts'
import { createRemote } from '../../src/cli/hosting/remote.ts'
import { homeAt } from '../../src/host/machine/home.ts'
import type { Operations } from '../../src/host/operations.ts'
import { placeAt } from '../../src/host/workspace/repository.fixture.ts'
import type { Stage } from './stage.fixture.ts'

export interface RealHost {
  readonly operations: Operations
  kill(): Promise<void>
  /** As Ctrl-C does. */
  stop(): Promise<void>
}

export interface Premises {
  readonly dir: string
  readonly repo: string
  readonly runbook: string
  /** Where the wire traffic is kept. */
  readonly traces: string
  up(): Promise<RealHost>
}

/** A repository with one runbook, and a config with one agent, which the runbook uses as `real`. */
export function premisesFor(stage: Stage, runbook: string): Premises {
  const dir = join(stage.ground, 'premises')
  const [repo, home, config] = ['repo', 'data', 'config'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [repo, config]) mkdirSync(folder, { recursive: true })
  const { argv, env, keeps } = stage.program('boxed')
  const real = { acp: argv.map((word) => `'${word}'`).join(' '), env, keeps }
  writeFileSync(join(config, 'config.yaml'), JSON.stringify({ agents: { real } }))
  const traces = join(dir, 'traces')
  const place = placeAt(repo)
  place.write(
    '.signalbox/ask.yaml',
    `runbook: 1\nname: ask\nagents: { dev: { use: real } }\n${runbook.replace(/^ {2}/gm, '')}`,
  )
  place.git('init', '-q', '--template=', '-b', 'main')
  place.git('add', '-A')
  place.git('-c', 'user.name=Tester', '-c', 'user.email=tester@example.com', 'commit', '-q', '-m', 'first')
  const variables = {
    PATH: process.env['PATH'] ?? '',
    HOME: dir,
    SIGNALBOX_HOME: home,
    SIGNALBOX_CONFIG: config,
    GIT_CONFIG_NOSYSTEM: '1',
  }
  return {
    dir,
    repo,
    runbook: join(repo, '.signalbox/ask.yaml'),
    traces,
    up: () => bringUp({ variables, doorFile: homeAt(home).door, traces }),
  }
}

async function bringUp({
  variables: env,
  doorFile,
  traces,
}: {
  readonly variables: Readonly<Record<string, string>>
  readonly doorFile: string
  readonly traces: string
}): Promise<RealHost> {
  const words = [resolve('dist/cli/main.js'), 'up', '--port', '0', '--trace', traces]
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let said = ''
  const up = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('Signalbox is up at')) resolve()
      })
  })
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await gone
  }
  await Promise.race([up, gone])
  if (child.exitCode !== null) throw new Error(`The host did not come up: ${said}`)
  return {
    operations: createRemote(JSON.parse(readFileSync(doorFile, 'utf8')) as DoorFile),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
