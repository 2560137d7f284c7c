import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../until.fixture.ts'
import { env, isLinux, run, sleeper, temporaryFolder } from './process.fixture.ts'
import { openProcessRegistry } from './registry.ts'
import { startTimeOf } from './table.ts'

describe.skipIf(!isLinux)('the registry', () => {
  it('has a file for a process from its launch to its end', async () => {
    const dir = temporaryFolder()
    const registry = openProcessRegistry({ dir })
    const running = run('exec cat', { options: { registry, label: 'reviewer' } })
    const [file = ''] = readdirSync(dir)
    const { process, label } = JSON.parse(readFileSync(join(dir, file), 'utf8'))
    expect([process.pid, label]).toEqual([running.pid, 'reviewer'])
    expect(process.startTime).toBe(startTimeOf(running.pid!))
    running.stdin.end()
    await running.exited
    await until(() => readdirSync(dir).length === 0, 'the file is gone')
  })

  it('keeps the file while something that the program started is alive', async () => {
    const dir = temporaryFolder()
    const { command, alive } = sleeper()
    const registry = openProcessRegistry({ dir })
    const running = run(`setsid ${command} >/dev/null 2>&1 &`, { options: { registry } })
    await running.exited
    await until(() => alive().length === 1, 'it runs')
    expect(readdirSync(dir)).toHaveLength(1)
    await running.stop(50)
    expect(readdirSync(dir)).toEqual([])
  })

  it('gives one folder one id, and the launch the benefit of the doubt', async () => {
    const dir = temporaryFolder()
    const registry = openProcessRegistry({ dir })
    expect(openProcessRegistry({ dir: `${dir}/../${dir.split('/').at(-1)}` }).hostId).toBe(registry.hostId)
    expect(openProcessRegistry({ dir: temporaryFolder() }).hostId).not.toBe(registry.hostId)
    rmSync(dir, { recursive: true })
    expect((await run('exit 0', { options: { registry } }).exited).code).toBe(0)
    expect(await registry.endLeftovers()).toEqual([])
  })
})

describe.skipIf(!isLinux)('after a host was killed', () => {
  it('[K3] its agents and all they started are ended and told', async () => {
    const dir = temporaryFolder()
    const agent = sleeper()
    const daemon = sleeper()
    const orphan = sleeper()
    const host = await startHost(dir, [
      `(setsid nohup ${daemon.command} >/dev/null 2>&1 &); ${agent.command}; :`,
      `setsid nohup ${orphan.command} >/dev/null 2>&1 &`,
    ])
    const all = () => [...agent.alive(), ...daemon.alive(), ...orphan.alive()]
    await until(() => all().length === 3, 'all run')
    const running = all()
    await kill(host)
    expect(all()).toEqual(running)

    const registry = openProcessRegistry({ dir })
    const leftovers = await registry.endLeftovers()
    expect(all()).toEqual([])
    expect(leftovers.map(({ pid }) => pid)).toEqual(expect.arrayContaining(running))
    expect(new Set(leftovers.map(({ label }) => label))).toEqual(new Set(['an agent']))
    expect(leftovers.map(({ name }) => name).sort()).toEqual(['sh', 'sleep', 'sleep', 'sleep'])
    expect(readdirSync(dir)).toEqual([])
    expect(await registry.endLeftovers()).toEqual([])
  })

  it('[K3] also what wiped its environment, left its session and lost its parents is ended', async () => {
    const dir = temporaryFolder()
    const { command, alive } = sleeper()
    const host = await startHost(dir, [`(setsid env -i ${command} >/dev/null 2>&1 &); exec sleep 1000`])
    await until(() => alive().length === 1, 'it runs')
    await kill(host)
    await openProcessRegistry({ dir }).endLeftovers()
    expect(alive()).toEqual([])
  })

  it('an agent without a file is found by its mark', async () => {
    const dir = temporaryFolder()
    const { command, alive } = sleeper()
    const host = await startHost(dir, [`exec ${command}`])
    await until(() => alive().length === 1, 'it runs')
    const [pid] = alive()
    await kill(host)
    for (const file of readdirSync(dir)) writeFileSync(join(dir, file), '{"half a fi')
    const leftovers = await openProcessRegistry({ dir }).endLeftovers()
    expect(leftovers).toEqual([{ pid, name: 'sleep', label: null }])
    expect(alive()).toEqual([])
    expect(readdirSync(dir)).toEqual([])
  })

  it('a stranger with the pid of an agent is left alone', async () => {
    const dir = temporaryFolder()
    const { command, alive } = sleeper()
    const stranger = run(`exec ${command}`)
    await until(() => alive().length === 1, 'it runs')
    const registry = openProcessRegistry({ dir })
    const host = { pid: process.pid, startTime: 'long ago' }
    const agent = { pid: stranger.pid!, startTime: 'long ago' }
    registry.add({
      hostId: registry.hostId,
      host,
      launchId: 'old',
      process: agent,
      label: 'an agent',
      birthmark: null,
    })
    expect(await registry.endLeftovers()).toEqual([])
    expect(alive()).toHaveLength(1)
    expect(readdirSync(dir)).toEqual([])
  })
})

describe.skipIf(!isLinux)('while a host lives', () => {
  it('its agents are left alone, by itself and by others on the same registry', async () => {
    const dir = temporaryFolder()
    const mine = sleeper()
    const theirs = sleeper()
    const registry = openProcessRegistry({ dir })
    await startHost(dir, [`exec ${theirs.command}`])
    run(`exec ${mine.command}`, { options: { registry } })
    await until(() => mine.alive().length + theirs.alive().length === 2, 'both run')
    expect(await registry.endLeftovers()).toEqual([])
    expect([mine.alive().length, theirs.alive().length]).toEqual([1, 1])
    expect(readdirSync(dir)).toHaveLength(2)
  })

  it('agents of another registry are left alone', async () => {
    const { command, alive } = sleeper()
    const host = await startHost(temporaryFolder(), [`exec ${command}`])
    await until(() => alive().length === 1, 'it runs')
    await kill(host)
    expect(await openProcessRegistry({ dir: temporaryFolder() }).endLeftovers()).toEqual([])
    expect(alive()).toHaveLength(1)
  })
})

async function startHost(dir: string, scripts: readonly string[]) {
  const program = fileURLToPath(new URL('host.fixture.ts', import.meta.url))
  const argv = ['--import', 'tsx', program, dir, ...scripts]
  const host = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => kill(host))
  await once(host.stdout, 'data')
  return host
}

async function kill(host: ReturnType<typeof spawn>): Promise<void> {
  if (host.exitCode !== null || host.signalCode !== null) return
  host.kill('SIGKILL')
  await once(host, 'exit')
}
