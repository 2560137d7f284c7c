import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { driverContract, openQuietly, openSession } from '../contract.fixture.ts'
import type { Launch } from '../driver.ts'
import { env, temporaryFolder } from '../process/process.fixture.ts'
import type { ScriptAction } from '../scripted/script.ts'
import { createCommandDriver } from './driver.ts'

for (const prompt of ['stdin', 'file'] as const)
  driverContract(
    `command by ${prompt}`,
    { resumes: false, reportsUsage: false, asksPermission: false, speaksProtocol: false },
    () => ({
      driver: createCommandDriver({ registry: null, prompt }),
      launch: ([turn = []], cwd) => shell(turn.map(lineOf).join('\n'), cwd),
    }),
  )

describe('a command as an agent', () => {
  it('is told the prompt on its standard input', async () => {
    const { session } = await openSession(
      createCommandDriver({ registry: null, prompt: 'stdin' }),
      shell('cat'),
    )
    expect(await session.prompt('What is «this»?\n')).toMatchObject({ text: 'What is «this»?' })
  })

  it('may leave its standard input unread', async () => {
    const { session } = await openSession(
      createCommandDriver({ registry: null, prompt: 'stdin' }),
      shell('echo ok'),
    )
    expect(await session.prompt('x'.repeat(1_000_000))).toMatchObject({ kind: 'ended', text: 'ok' })
  })

  it('is told the prompt in a file of the workspace, which is gone afterwards', async () => {
    const cwd = temporaryFolder()
    const run = join(cwd, '.signalbox', 'run')
    mkdirSync(run, { recursive: true })
    const launch = shell('echo "$1"; cat "$1"', cwd)
    const { session } = await openSession(createCommandDriver({ registry: null, prompt: 'file' }), launch)
    const end = await session.prompt('Look at $& this.')
    expect(end).toMatchObject({ text: expect.stringMatching(/\.signalbox\/run\/.*\nLook at \$& this\.$/) })
    expect(readdirSync(run)).toEqual([])
  })

  it('is told the prompt in a temporary file where the workspace has no place for it', async () => {
    const launch = shell('echo "$1"; cat "$1"')
    const { session } = await openSession(createCommandDriver({ registry: null, prompt: 'file' }), launch)
    const end = await session.prompt('Look.')
    expect(end).toMatchObject({ text: expect.stringMatching(new RegExp(`^${tmpdir()}/.*\nLook\\.$`)) })
  })

  it('must take the file it is to read', async () => {
    const launch = { ...shell('cat'), argv: ['cat'] }
    const opened = await openQuietly(createCommandDriver({ registry: null, prompt: 'file' }), launch)
    expect(opened).toMatchObject({ trouble: 'failed', detail: expect.stringContaining('{prompt_file}') })
  })

  it('is found beside the workspace, and must be executable', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'agent'), '#!/bin/sh\necho mine', { mode: 0o755 })
    writeFileSync(join(cwd, 'notes'), 'none')
    const driver = createCommandDriver({ registry: null, prompt: 'stdin' })
    const { session } = await openSession(driver, { ...shell('', cwd), argv: ['./agent'] })
    expect(await session.prompt('')).toMatchObject({ text: 'mine' })
    expect(await openQuietly(driver, { ...shell('', cwd), argv: ['./notes'] })).toMatchObject({
      trouble: 'failed',
    })
  })

  it('keeps the end of what it prints', async () => {
    const print = 'head -c 400000 /dev/zero | tr "\\0" x; echo the end'
    const { session } = await openSession(
      createCommandDriver({ registry: null, prompt: 'stdin' }),
      shell(print),
    )
    const end = await session.prompt('Go.')
    expect(end).toMatchObject({ kind: 'ended', text: expect.stringMatching(/the end$/) })
    expect(end.kind === 'ended' && end.text.length).toBeLessThanOrEqual(256 * 1024)
  })

  it('tells a limit that it prints with exit code 0', async () => {
    const print = 'echo "Claude AI usage limit reached|1893456000"'
    const { session } = await openSession(
      createCommandDriver({ registry: null, prompt: 'stdin' }),
      shell(print),
    )
    expect(await session.prompt('Go.')).toMatchObject({ kind: 'limited', until: 1893456000_000 })
  })

  it('says when it was ended by a signal', async () => {
    const { session } = await openSession(
      createCommandDriver({ registry: null, prompt: 'stdin' }),
      shell('kill -9 $$'),
    )
    expect(await session.prompt('Go.')).toMatchObject({
      kind: 'crashed',
      detail: expect.stringContaining('SIGKILL'),
    })
  })
})

function shell(script: string, cwd = temporaryFolder()): Launch {
  return { argv: ['sh', '-c', script, 'sh', '{prompt_file}'], cwd, env, sandbox: null }
}

/** The few actions that any program can do, as shell. */
function lineOf(action: ScriptAction): string {
  if ('say' in action) return `printf %s '${action.say}'`
  if ('crash' in action) return `echo 'The script says: crash.' >&2; exit ${action.crash}`
  if ('hang' in action) return 'while :; do sleep 0.05; done'
  if ('spawn' in action) return `setsid sh -c '${action.spawn}' >/dev/null 2>&1 &`
  if ('run' in action) return action.run
  if ('limit' in action) return `echo "${action.limit.text}" >&2; exit 1`
  throw new Error(`a shell cannot ${JSON.stringify(action)}`)
}
