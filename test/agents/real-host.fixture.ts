/** `signalbox up` in a process of its own, with the agent in its config as a user writes it there, to be killed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRemote } from '../../src/cli/hosting/remote.ts'
import { homeAt } from '../../src/host/machine/home.ts'
import type { Operations } from '../../src/host/operations.ts'
import { createRepositoryAt } from '../../src/host/workspace/repository.fixture.ts'
import { type HostOrder, startHost } from '../host-process.fixture.ts'
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
  mkdirSync(config, { recursive: true })
  const { argv, keeps, reads = [], ...program } = stage.program('boxed')
  const { sessions } = keeps
  const real = { acp: argv.map((word) => `'${word}'`).join(' '), env: program.env, keeps: { sessions } }
  const { name } = stage.agent
  writeFileSync(
    join(config, 'config.yaml'),
    JSON.stringify({
      agents: { [name]: real, real: name },
      sandbox: { readable: reads, network: ['*', new URL(stage.model.url).host] },
    }),
  )
  const traces = join(dir, 'traces')
  createRepositoryAt(repo, {
    '.signalbox/ask.yaml': `runbook: 1\nname: ask\nagents: { dev: { use: real } }\n${runbook.replace(/^ {2}/gm, '')}`,
  })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: stage.home,
    SIGNALBOX_HOME: home,
    SIGNALBOX_CONFIG: config,
    GIT_CONFIG_NOSYSTEM: '1',
  }
  return {
    dir,
    repo,
    runbook: join(repo, '.signalbox/ask.yaml'),
    traces,
    up: () => bringUp(stage, { env, doorFile: homeAt(home).door, port: 0, words: ['--trace', traces] }),
  }
}

async function bringUp({ atEnd }: Stage, order: HostOrder): Promise<RealHost> {
  const host = startHost(order)
  // A play that fails stops nothing.
  atEnd(async () => void (await host.stop()))
  const door = await host.up
  if (door === null) throw new Error(`The host did not come up: ${host.stderr()}`)
  return {
    operations: createRemote(door),
    kill: () => host.kill(),
    stop: async () => void (await host.stop()),
  }
}
