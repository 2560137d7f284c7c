/** A host that cannot open: it says why, and leaves nothing open behind it. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmdirSync, statSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { homeAt } from '../../host/machine/home.ts'
import { acquireHostLock } from '../../journal/index.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readEnvironment } from '../environment.ts'
import { becomeHost } from './become-host.ts'
import { writeDoorFile } from './door-file.ts'
import { findHost } from './find-host.ts'
import { reachHost } from './reach-host.ts'

function setUp() {
  const place = createPlace()
  const environment = readEnvironment({
    PATH: process.env['PATH'],
    HOME: place.dir,
    SIGNALBOX_HOME: join(place.dir, 'data'),
    SIGNALBOX_CONFIG: place.configDir,
  })
  const open = (port: number) => becomeHost({ environment, version: '0', port, work: true, trace: null })
  const home = homeAt(environment.home)
  return { environment, home, open }
}

async function listening(port = 0): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere')
  return { server, port: address.port }
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

/** The lock, the journal and the port are free: another host opens there in the same process, and works. */
async function opensNow({ open, environment }: ReturnType<typeof setUp>, port: number): Promise<void> {
  const hosting = await open(port)
  if (hosting === null || 'problem' in hosting) throw new Error(hosting?.problem ?? 'the lock is held')
  expect(await findHost(environment)).toMatchObject({ url: hosting.url, pid: process.pid })
  expect(await hosting.operations.runs({ all: true, limit: 1 })).toEqual([])
  await hosting.close()
  expect(await findHost(environment)).toBeNull()
}

/** By name, and only what others have a right to. */
function openToOthers(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  return entries.filter((name) => (lstatSync(join(dir, name)).mode & 0o077) !== 0)
}

describe('a host', () => {
  it('[K8] keeps what is its user’s alone, in a home with wide rights too, and tells once what it narrowed', async () => {
    const stage = setUp()
    const { home } = stage
    const told: string[] = []
    const write = process.stderr.write.bind(process.stderr)
    onTestFinished(() => {
      process.stderr.write = write
    })
    process.stderr.write = (text) => told.push(String(text)) > 0
    mkdirSync(home.dir, { mode: 0o755 })
    chmodSync(home.dir, 0o755)
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    await opensNow(stage, 0)
    expect([openToOthers(home.dir), told]).toEqual([[], []])
    chmodSync(home.database, 0o644)
    mkdirSync(home.logs)
    symlinkSync('/usr', home.worktrees)
    await opensNow(stage, 0)
    expect(told).toEqual([expect.stringMatching(/^Others could read signalbox\.db, logs in /)])
    await opensNow(stage, 0)
    expect(told).toHaveLength(1)
    expect(statSync(home.dir).mode & 0o777).toBe(0o755)
  })

  it('whose port is taken says so, and lets go of everything', async () => {
    const stage = setUp()
    const { server, port } = await listening()
    onTestFinished(() => closed(server))
    for (let again = 0; again < 2; again++)
      expect(await stage.open(port)).toEqual({ problem: expect.stringContaining(String(port)) })
    await opensNow(stage, 0)
    await closed(server)
    await opensNow(stage, port)
  })

  it('whose door file cannot be written says so, and lets go of everything', async () => {
    const stage = setUp()
    const { dir, door } = stage.home
    mkdirSync(door, { recursive: true })
    const { server, port } = await listening()
    await closed(server)
    for (let again = 0; again < 2; again++)
      expect(await stage.open(port)).toEqual({
        problem: expect.stringContaining(`${door} could not be written`),
      })
    expect(readdirSync(dir).filter((name) => name.startsWith(basename(door)))).toEqual([basename(door)])
    rmdirSync(door)
    await opensNow(stage, port)
  })

  it('is found before another is opened, and is one at a time', async () => {
    const { environment, open } = setUp()
    const options = { environment, version: '0', otherwise: 'work' } as const
    const first = await reachHost(options)
    if ('problem' in first) throw new Error(first.problem)
    expect(first.hosting?.url).toMatch(/^http:/)
    const second = await reachHost(options)
    expect(second).toMatchObject({ hosting: null, remote: { url: first.hosting?.url } })
    expect(await open(0)).toBeNull()
    await first.close()
    const third = await reachHost({ ...options, otherwise: 'answer' })
    if ('problem' in third) throw new Error(third.problem)
    expect(third).toMatchObject({ remote: null, hosting: { url: null } })
    await third.close()
  })

  it('is waited for longer while it starts than while it is silent', async () => {
    const { environment, home } = setUp()
    const options = { environment, version: '0', otherwise: 'keep' } as const
    mkdirSync(home.dir)
    const starting = acquireHostLock({ file: home.lock })
    setTimeout(() => starting?.release(), 6_000)
    const reached = await reachHost(options)
    if ('problem' in reached) throw new Error(reached.problem)
    await reached.close()

    // The door file names a living process: its host has started.
    writeDoorFile(home.door, { url: 'http://127.0.0.1:1', pid: process.pid })
    const silent = acquireHostLock({ file: home.lock })
    onTestFinished(() => silent?.release())
    const since = Date.now()
    expect(await reachHost(options)).toEqual({ problem: expect.stringContaining('does not answer') })
    expect(Date.now() - since).toBeLessThan(15_000)
  })

  it('is none of an agent’s business', async () => {
    const { environment } = setUp()
    const session = { url: 'http://127.0.0.1:1', token: 't' }
    expect(
      await reachHost({ environment: { ...environment, session }, version: '0', otherwise: 'work' }),
    ).toEqual({ problem: expect.stringContaining("This is an agent's session") })
  })
})
