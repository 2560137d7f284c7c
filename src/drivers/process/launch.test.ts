import { spawn } from 'node:child_process'
import { chmodSync, closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../until.fixture.ts'
import { env, isLinux, run, sleeper, stdoutOf, temporaryFolder } from './process.fixture.ts'

describe('a launched program', () => {
  it('reads stdin, writes stdout and exits with its code', async () => {
    const running = run('cat; exit 3')
    running.stdin.end('hello')
    expect(await stdoutOf(running)).toBe('hello')
    expect(await running.exited).toEqual({ code: 3, signal: null, error: null, overLimit: null })
    await running.closed
  })

  it('has the given environment and its mark, nothing else', async () => {
    const running = run('', { argv: ['env'], env: { ...env, COLOUR: 'green' } })
    const names = (await stdoutOf(running)).match(/^\w+(?==)/gm)
    expect(new Set(names)).toEqual(new Set(['COLOUR', 'PATH', 'SIGNALBOX_LAUNCH']))
  })

  it.runIf(isLinux)('has nothing open that whoever started the host left open', async () => {
    const program = fileURLToPath(new URL('host.fixture.ts', import.meta.url))
    const out = join(temporaryFolder(), 'seen')
    const look = `readlink /proc/$$/fd/30 > ${out}.new; mv ${out}.new ${out}`
    const folder = openSync('/usr', 'r')
    const stdio = [...Array<'ignore'>(30).fill('ignore'), folder]
    const argv = ['--import', 'tsx', program, temporaryFolder(), look]
    const host = spawn(process.execPath, argv, { env, stdio })
    closeSync(folder)
    onTestFinished(() => void host.kill('SIGKILL'))
    await until(() => existsSync(out), 'it looked')
    expect(readFileSync(out, 'utf8')).toBe('/dev/null\n')
  })

  it('keeps the end of stderr and tells it as it comes', async () => {
    const heard: string[] = []
    const running = run('seq 10000 >&2', { options: { onStderr: (text) => heard.push(text) } })
    running.stdout.resume()
    await running.closed
    expect(running.stderrTail()).toMatch(/9999\n10000\n$/)
    expect(running.stderrTail().length).toBeLessThan(10_000)
    expect(heard.join('')).toMatch(/^1\n2\n.*\n10000\n$/s)
  })

  it('tells which signal ended it', async () => {
    expect(await run('kill -9 $$').exited).toMatchObject({ code: null, signal: 'SIGKILL', error: null })
  })

  it('may be written to after it stopped reading, and its words are not lost', async () => {
    const running = run('exec <&-; echo said; exit 0')
    const said = stdoutOf(running)
    for (let i = 0; i < 50; i++) running.stdin.write('x'.repeat(100_000))
    expect(await said).toBe('said\n')
    expect((await running.exited).code).toBe(0)
    running.stdin.write('too late')
    await running.stop(0)
    running.stdin.write('far too late')
  })
})

describe('a program that cannot be started', () => {
  const errorOf = async (more: Parameters<typeof run>[1]) => {
    const running = run('', more)
    running.stdin.write('into the void')
    expect(await stdoutOf(running)).toBe('')
    const { code, signal, error } = await running.exited
    await running.closed
    expect([running.pid, code, signal]).toEqual([null, null, null])
    return error
  }

  it('is missing', async () => {
    expect(await errorOf({ argv: ['no-such-program'] })).toBe('The program no-such-program was not found.')
    expect(await errorOf({ argv: ['/no/such'] })).toBe('The program /no/such was not found.')
    expect(await errorOf({ argv: [] })).toBe('No program was named.')
  })

  it('is not executable, or its interpreter is missing', async () => {
    const script = join(temporaryFolder(), 'script')
    writeFileSync(script, '#!/no/such/interpreter\n')
    expect(await errorOf({ argv: [script] })).toMatch(/script may not be executed/)
    chmodSync(script, 0o755)
    expect(await errorOf({ argv: [script] })).toMatch(/script cannot run: the interpreter/)
  })

  it('has no folder to run in', async () => {
    expect(await errorOf({ cwd: '/no/such' })).toBe('The folder /no/such does not exist.')
    expect(await errorOf({ cwd: '/dev/null' })).toBe('/dev/null is not a folder.')
  })

  it('is given what the system does not take', async () => {
    expect(await errorOf({ argv: ['echo', 'a\0b'] })).toMatch(/^The program echo could not be started/)
    expect(await errorOf({ argv: ['echo', 'x'.repeat(5_000_000)] })).toMatch(/more arguments and environment/)
  })
})

describe.skipIf(!isLinux)('stop', () => {
  it('lets the program say goodbye', async () => {
    const running = run('trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.01; done')
    running.stdout.once('data', () => void running.stop(20_000))
    expect(await stdoutOf(running)).toMatch(/^ready\nbye\n/)
    expect((await running.exited).code).toBe(0)
  })

  it('kills what does not listen', async () => {
    const { command, alive } = sleeper()
    const running = run(`trap "" TERM; ${command} & echo ready; wait; wait; ${command}`)
    await until(() => alive().length === 1, 'it runs')
    await running.stop(50)
    expect(alive()).toEqual([])
    expect((await running.exited).signal).toBe('SIGKILL')
  })

  const wanderers: Record<string, (command: string) => string> = {
    'in a session of its own': (command) => `setsid ${command} &`,
    'whose parents are gone': (command) => `(setsid nohup ${command} >/dev/null 2>&1 &)`,
    'that wiped its environment': (command) => `(env -i ${command} &)`,
    'that wiped its environment and left its session': (command) => `(setsid env -i ${command} &)`,
    'that closed everything it had open': (command) => `(setsid env -i ${command} <&- >&- 2>&- &)`,
    'that does not listen': (command) => `(trap '' TERM HUP; setsid ${command} &)`,
  }
  for (const [what, script] of Object.entries(wanderers)) {
    it(`ends a process ${what}`, async () => {
      const { command, alive } = sleeper()
      const running = run(`${script(command)}\nexec cat`)
      await until(() => alive().length === 1, 'it runs')
      await running.stop(50)
      expect(alive()).toEqual([])
      await running.exited
    })

    it(`ends a process ${what}, and whose program has exited`, async () => {
      const { command, alive } = sleeper()
      const running = run(script(command))
      expect((await running.exited).code).toBe(0)
      await until(() => alive().length === 1, 'it runs')
      await running.stop(50)
      expect(alive()).toEqual([])
    })
  }

  it('ends what keeps starting more', async () => {
    const { command, alive } = sleeper()
    const again = `trap "" TERM; while :; do setsid ${command} & sleep 0.02; done`
    const running = run(`(setsid sh -c '${again}' >/dev/null 2>&1 &); exec cat`)
    await until(() => alive().length > 3, 'some run')
    await running.stop(50)
    expect(alive()).toEqual([])
  })

  it('may be called twice: the shortest grace counts', async () => {
    const running = run('trap "" TERM; echo ready; while :; do sleep 1; done')
    await new Promise((resolve) => running.stdout.once('data', resolve))
    const patient = running.stop(600_000)
    await running.stop(0)
    await patient
    expect((await running.exited).signal).toBe('SIGKILL')
    await running.stop(0)
  })

  it('leaves others alone', async () => {
    const { command, alive } = sleeper()
    const other = run(command)
    const running = run('exec cat')
    await until(() => alive().length === 1, 'the other runs')
    await running.stop(0)
    expect(alive()).toHaveLength(1)
    await other.stop(0)
    expect(alive()).toEqual([])
  })
})
