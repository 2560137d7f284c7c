/** Who may keep a trace: only whoever has the agents. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type RunOptions, run } from '../commands/run.ts'
import { createPlace } from '../config/config.fixture.ts'
import { readEnvironment } from '../environment.ts'
import { becomeHost } from '../hosting/become-host.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'

function setUp() {
  const place = createPlace()
  const environment = readEnvironment({
    PATH: process.env['PATH'],
    HOME: place.dir,
    SIGNALBOX_HOME: join(place.dir, 'data'),
    SIGNALBOX_CONFIG: place.configDir,
  })
  const host = (trace: string | null) => becomeHost({ environment, version: '0', port: 0, work: true, trace })
  const start = async (options: RunOptions) => {
    const paper = openPaper()
    const { signal } = new AbortController()
    const setting = { environment, version: '0', terminal: paper.terminal, signal }
    return { code: await run('examples/01-hello.yaml', options, setting), err: paper.err() }
  }
  return { place, host, start, trace: join(place.dir, 'trace') }
}

describe('a trace is asked for', () => {
  it('with a run that another host has: told how it goes, and nothing is started', async () => {
    const { host, start, trace } = setUp()
    const hosting = await host(null)
    if (hosting === null || 'problem' in hosting) throw new Error(hosting?.problem)
    onTestFinished(() => hosting.close())
    const { code, err } = await start({ trace })
    expect(code).toBe(1)
    expect(err).toContain(`The host at ${hosting.url} has the agents`)
    expect(err).toContain(`signalbox up --trace ${trace}`)
    expect(await hosting.operations.runs({ all: true, limit: 1 })).toEqual([])
    expect(existsSync(trace)).toBe(false)
  })

  it('with a detached run: told that it is hosted elsewhere', async () => {
    const { start, trace } = setUp()
    const { code, err } = await start({ trace, detach: true })
    expect([code, existsSync(trace)]).toEqual([2, false])
    expect(err).toContain('signalbox up --trace DIR')
  })

  it('in a place where none can be kept: there is no host, and the next one is free to be', async () => {
    const { place, host } = setUp()
    const file = place.write('file', '')
    expect(await host(file)).toEqual({ problem: expect.stringContaining(`cannot be kept in ${file}`) })
    const next = await host(null)
    if (next === null || 'problem' in next) throw new Error(next?.problem ?? 'the lock is still held')
    await next.close()
  })
})
