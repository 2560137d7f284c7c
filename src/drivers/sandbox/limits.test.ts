/** What a real sandbox may use. */
import { expect, it } from 'vitest'
import { run, sleeper, stdoutOf, temporaryFolder } from '../process/process.fixture.ts'
import { runShell } from '../shell.ts'
import { boxed, describeBoxed } from './sandbox.fixture.ts'
import { NO_LIMITS, type SandboxLimits } from './sandbox.ts'

const limited = (limits: Partial<SandboxLimits>) => {
  const cwd = temporaryFolder()
  return { cwd, sandbox: boxed({ writable: [cwd], limits: { ...NO_LIMITS, ...limits } }) }
}

const MB = 1024 * 1024

describeBoxed('what a sandbox may use', () => {
  it('[D16] open files, the size of a file, no image of a crash', async () => {
    const running = run(
      'ulimit -n; ulimit -c; head -c 2M /dev/zero > big; wc -c < big',
      limited({ openFiles: 64, fileBytes: MB }),
    )
    expect(await stdoutOf(running)).toBe(`64\n0\n${MB}\n`)
  })

  it('[D16] what is kept in memory for it is bounded, and nothing else there can be written', async () => {
    const script = `for place in /tmp /dev/shm; do head -c 2M /dev/zero > $place/big; wc -c < $place/big; done
      touch /dev/new /new || echo kept`
    const running = run(script, limited({ temporaryBytes: MB }))
    expect(await stdoutOf(running)).toBe(`${MB}\n${MB}\nkept\n`)
  })

  it('[D16] processes that multiply are bounded, and all of them end', async () => {
    const { command, alive } = sleeper()
    const { cwd, sandbox } = limited({ processes: 60 })
    // Far more than it may, and not without end: what fails to end it must not take the machine along.
    const bomb = `i=0; while [ $i -lt 1500 ]; do ${command} & i=$((i + 1)); done; wait`
    const result = await runShell({
      ...{ command: bomb, cwd, sandbox, env: { PATH: process.env['PATH'] ?? '' }, timeLimitMs: 60_000 },
    })
    // The kernel refuses a user's next one; root is ended by us.
    expect(result.timedOut).toBe(false)
    if (process.getuid?.() === 0)
      expect(result).toMatchObject({
        exitCode: null,
        output: expect.stringContaining('It had more processes and threads than it may (60).'),
      })
    else expect(result.exitCode).not.toBe(0)
    expect(alive()).toEqual([])
  })

  it('[D16] memory of all processes together is bounded, and whoever asks is told', async () => {
    const eat = `node -e 'const all = []; setInterval(() => all.length < 8 && all.push(Buffer.alloc(8 * 1024 * 1024, 1)), 5)'`
    const { cwd, sandbox } = limited({ memoryBytes: 160 * MB })
    const result = await runShell({
      ...{ command: `${eat} & ${eat} & ${eat} & wait`, cwd, sandbox },
      ...{ env: { PATH: process.env['PATH'] ?? '' }, timeLimitMs: 60_000 },
    })
    expect(result.exitCode).toBeNull()
    expect(result.output).toMatch(/^It used more memory than it may \(\d+ MB of 168 MB\)\.$/)
  })

  it('a single process gets no more than all may have', async () => {
    const script = `python3 -c 'bytearray(600 * 1024 * 1024)' 2>/dev/null || perl -e '$x = "x" x (600 * 1024 * 1024)' 2>/dev/null || echo refused`
    const running = run(script, limited({ memoryBytes: 256 * MB }))
    expect(await stdoutOf(running)).toBe('refused\n')
  })

  it('tells the exit code and a missing program all the same', async () => {
    expect(await run('exit 7', limited({ openFiles: 64 })).exited).toMatchObject({ code: 7, error: null })
    const missing = run('', { ...limited({ openFiles: 64 }), argv: ['./no such'] })
    expect((await missing.exited).error).toBe('The program ./no such was not found.')
  })
})
