import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../until.fixture.ts'
import { env, isLinux, sleeper, temporaryFolder } from './process/process.fixture.ts'
import { boxed, describeBoxed } from './sandbox/sandbox.fixture.ts'
import { runShell, type ShellCommand } from './shell.ts'

const run = (command: string, more: Partial<ShellCommand> = {}) =>
  runShell({ command, cwd: '/', env, sandbox: null, timeLimitMs: 60_000, ...more })

describe('a shell command', () => {
  it('tells its exit code and what it wrote', async () => {
    const heard: string[] = []
    const result = await run('echo out; echo err >&2; exit 3', { onOutput: (text) => heard.push(text) })
    expect(result).toMatchObject({ exitCode: 3, stdout: 'out\n', timedOut: false, aborted: false })
    expect([...result.output.split('\n')].sort()).toEqual(['', 'err', 'out'])
    expect(heard.join('')).toBe(result.output)
  })

  it('tells whole lines, wherever the pipe cut them, and does not mix the two pipes', async () => {
    const cwd = temporaryFolder()
    const heard: string[] = []
    const lines: string[] = []
    // Each piece is written when the one before it was heard: so it comes alone.
    const onOutput = (text: string) => {
      heard.push(text)
      writeFileSync(join(cwd, `heard-${heard.length}`), '')
    }
    const piece = (nth: number) => `until test -f heard-${nth}; do sleep 0.01; done;`
    const { output } = await run(
      `printf 'mkt'; ${piece(1)} printf 'err' >&2; ${piece(2)} printf 'emp: failed\n\nto'; ${piece(3)}
       printf 'or\n' >&2; ${piece(4)} printf ' create'`,
      { cwd, onOutput, onLines: (text) => lines.push(text) },
    )
    expect(heard).toEqual(['mkt', 'err', 'emp: failed\n\nto', 'or\n', ' create'])
    expect(output).toBe(heard.join(''))
    expect(lines).toEqual(['mktemp: failed\n\n', 'error\n', 'to create'])
  })

  it('tells the beginning of a line that does not end, and the lines behind it', async () => {
    let told = ''
    await run("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo next", {
      onLines: (text) => (told += text),
    })
    const [long, ...behind] = told.split('\n')
    expect(long!.length).toBeLessThan(200_000)
    expect(behind).toEqual(['next', ''])
  })

  it('tells nothing as its output where it could not be started', async () => {
    const heard: string[] = []
    const cwd = join(temporaryFolder(), 'gone')
    const { exitCode, output } = await run('echo hello', { cwd, onOutput: (text) => heard.push(text) })
    expect([exitCode, heard]).toEqual([null, []])
    expect(output).not.toBe('')
  })

  it('tells nothing where nothing was written', async () => {
    const heard: string[] = []
    const tell = (text: string) => heard.push(text)
    await run('true', { onOutput: tell, onLines: tell })
    expect(heard).toEqual([])
  })

  it('has nothing to read, its folder and its environment', async () => {
    const cwd = temporaryFolder()
    const { stdout } = await run('cat; pwd; echo "$COLOUR $HOME"', { cwd, env: { ...env, COLOUR: 'green' } })
    expect(stdout).toBe(`${cwd}\ngreen \n`)
  })

  it('tells a signal as a shell does', async () => {
    expect((await run('kill -9 $$')).exitCode).toBe(137)
  })

  it('tells why it could not be started', async () => {
    const result = await run('true', { cwd: '/no/such' })
    expect(result).toMatchObject({
      exitCode: null,
      output: 'The folder /no/such does not exist.',
      stdout: '',
    })
  })

  it('keeps the end of much output, cut between characters', async () => {
    const { output, stdout } = await run("yes '\u{1F6A6}é' | head -c 20000001; echo; echo end")
    expect(stdout).toMatch(/\nend\n$/)
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(64 * 1024)
    expect(Buffer.byteLength(stdout)).toBeGreaterThan(64 * 1024 - 8)
    expect(stdout.slice(0, 100)).not.toContain('\uFFFD')
    expect(output).toBe(stdout)
  })

  it('takes memory only for what is kept', async () => {
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const onOutput = () => (most = Math.max(most, process.memoryUsage().arrayBuffers - before))
    const { stdout, exitCode } = await run('head -c 200000000 /dev/zero', { onOutput })
    expect([exitCode, stdout.length]).toEqual([0, 64 * 1024])
    expect(most).toBeLessThan(100_000_000)
  })
})

describe.skipIf(!isLinux)('what a shell command leaves behind', () => {
  it('does not hold us by its output, and is ended', async () => {
    const { command, alive } = sleeper()
    const since = performance.now()
    const result = await run(`${command} & setsid ${command} & echo started; exit 0`)
    expect(result).toMatchObject({ exitCode: 0, stdout: 'started\n', timedOut: false })
    expect(performance.now() - since).toBeLessThan(10_000)
    expect(alive()).toEqual([])
  })

  it('is ended though it closed its output', async () => {
    const { command, alive } = sleeper()
    await run(`(setsid nohup ${command} >/dev/null 2>&1 &)`)
    expect(alive()).toEqual([])
  })
})

describe.skipIf(!isLinux)('a shell command that takes too long', () => {
  it('is stopped at its time limit, with everything it started', async () => {
    const { command, alive } = sleeper()
    const result = await run(`echo begun; setsid ${command} & ${command}`, { timeLimitMs: 300 })
    expect(result).toMatchObject({ exitCode: null, timedOut: true, aborted: false })
    expect(alive()).toEqual([])
  })

  it('is stopped when asked', async () => {
    const { command, alive } = sleeper()
    const stop = new AbortController()
    const result = run(`echo begun; (setsid ${command} &); ${command}`, { signal: stop.signal })
    await until(() => alive().length === 2, 'both run')
    stop.abort()
    expect(await result).toMatchObject({ exitCode: null, stdout: 'begun\n', timedOut: false, aborted: true })
    expect(alive()).toEqual([])
  })

  it('is not even started when it was asked to stop before', async () => {
    const result = await run('echo begun', { signal: AbortSignal.abort() })
    expect(result).toEqual({ exitCode: null, output: '', stdout: '', timedOut: false, aborted: true })
  })
})

describeBoxed('a shell command in a sandbox', () => {
  it('ends like any other', async () => {
    const { command, alive } = sleeper()
    const cwd = temporaryFolder()
    const reading = boxed({ readable: [cwd] })
    const result = await run(`${command} & touch here || exit 9`, { sandbox: reading, cwd })
    expect(result).toMatchObject({ exitCode: 9, stdout: '' })
    expect(alive()).toEqual([])
  })

  it('is stopped at its time limit', async () => {
    const { command, alive } = sleeper()
    const result = await run(`${command}; ${command}`, { sandbox: boxed({}), timeLimitMs: 300 })
    expect(result).toMatchObject({ exitCode: null, timedOut: true })
    expect(alive()).toEqual([])
  })
})
