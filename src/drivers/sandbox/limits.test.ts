/** What a real sandbox may use. */
import { expect, it } from 'vitest'
import { run, sleeper, stdoutOf, temporaryFolder } from '../process/process.fixture.ts'
import { runShell } from '../shell.ts'
import { boxed, describeBoxed, withoutGroups } from './sandbox.fixture.ts'
import { NO_LIMITS, type Sandbox, type SandboxLimits } from './sandbox.ts'

/** By a control group where this machine lets us make one, and by adding up. */
const WAYS = ['a group', 'adding up'] as const

const limited = (limits: Partial<SandboxLimits>, way: (typeof WAYS)[number] = 'a group') => {
  const cwd = temporaryFolder()
  const engine = way === 'a group' ? {} : { engine: withoutGroups }
  return { cwd, sandbox: boxed({ ...engine, writable: [cwd], limits: { ...NO_LIMITS, ...limits } }) }
}

const groupsOf = ({ engine }: Sandbox) => (engine.kind === 'bubblewrap' ? engine.groups : null)

const runIn = (place: { readonly cwd: string; readonly sandbox: Sandbox }, command: string) =>
  runShell({ ...place, command, env: { PATH: process.env['PATH'] ?? '' }, timeLimitMs: 60_000 })

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

  it.each(WAYS)('[D16] [D26] processes that multiply are bounded, and all of them end (%s)', async (way) => {
    const { command, alive } = sleeper()
    const { cwd, sandbox } = limited({ processes: 60 }, way)
    // Far more than it may, and not without end: what fails to end it must not take the machine along.
    const bomb = `i=0; while [ $i -lt 1500 ]; do ${command} & i=$((i + 1)); done; wait`
    const result = await runIn({ cwd, sandbox }, bomb)
    expect(result.timedOut).toBe(false)
    expect(result).toMatchObject({
      exitCode: null,
      output: expect.stringContaining('It had more processes and threads than it may (60).'),
    })
    expect(alive()).toEqual([])
  })

  const EAT = `node -e 'const all = []; setInterval(() => all.length < 8 && all.push(Buffer.alloc(8 * 1024 * 1024, 1)), 5)'`
  const HOLD = 'sleep 30'
  const fill = (place: string) => `head -c 120M /dev/zero > ${place}/x`
  const memfd = `perl -e 'my $name = "x"; my $fd = syscall($^O eq "linux" && \`uname -m\` =~ /aarch64/ ? 279 : 319, $name, 0); exit 3 if $fd < 0; open(my $file, ">&=", $fd); binmode $file; print $file "x" x 1_000_000 for 1 .. 400; sleep 30'`
  const SHARED = `perl -e 'use strict; for (1 .. 4) { next if fork; my $size = 80_000_000; my $at = syscall(\`uname -m\` =~ /aarch64/ ? 222 : 9, 0, $size, 3, 0x8021, -1, 0); sleep 30; exit } sleep 30'`

  it.each(
    WAYS.flatMap((way) =>
      (
        [
          ['of all processes together', `${EAT} & ${EAT} & ${EAT} & wait`],
          ['in /tmp and /dev/shm', `${fill('/tmp')}; ${fill('/dev/shm')}; ${HOLD}`],
          [
            'of files that are gone',
            `exec 8> /tmp/x; rm /tmp/x; head -c 120M /dev/zero >&8; ${fill('/dev/shm')}; ${HOLD}`,
          ],
          ['that processes share, each its own', SHARED],
          ['of files, and that processes share', `${fill('/tmp')}; ${SHARED.replace('1 .. 4', '1 .. 2')}`],
        ] as const
      ).map(([what, script]) => [what, way, script] as const),
    ),
  )('[D16] [D26] memory %s is bounded, and whoever asks is told (%s)', async (_, way, script) => {
    const result = await runIn(limited({ memoryBytes: 200 * MB, temporaryBytes: 200 * MB }, way), script)
    expect(result.exitCode).toBeNull()
    expect(result.output).toMatch(/^It used more memory than it may \(\d+ MB of 210 MB\)\.$/)
  })

  it.each(WAYS)(
    '[D26] memory that only a descriptor holds is bounded, or cannot be had (%s)',
    async (way) => {
      const result = await runIn(limited({ memoryBytes: 200 * MB }, way), memfd)
      if (groupsOf(limited({}, way).sandbox) === null) expect(result.exitCode).toBe(3)
      else expect(result.output).toMatch(/^It used more memory than it may/)
    },
  )

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
