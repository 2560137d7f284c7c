/** What is asked of the kernel and of systemd. That the limits hold is shown in limits.test.ts, where groups can be made. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../process/process.fixture.ts'
import { runShell } from '../shell.ts'
import { findControlGroups, openControlGroup } from './control-group.ts'
import { boxed, describeBoxed } from './sandbox.fixture.ts'
import { NO_LIMITS } from './sandbox.ts'

const LIMITS = { processes: 60, memoryBytes: 200_000_000 }

describe('[D26] a control group', () => {
  it('of version 2 has all limits, no swap, and ends whole; what passed them is read from its events', () => {
    const folder = temporaryFolder()
    const group = openControlGroup({ kind: 'folders', version: 2, memory: folder, processes: folder }, LIMITS)
    const [procs = ''] = group.argv.filter((word) => word.endsWith('/cgroup.procs'))
    const at = (name: string): string => join(procs, '..', name)
    expect(readFileSync(at('memory.max'), 'utf8')).toBe('200000000')
    expect(readFileSync(at('pids.max'), 'utf8')).toBe('62')
    expect(group.excess(null)).toBeNull()
    writeFileSync(at('pids.events'), 'max 1\n')
    expect(group.excess(null)).toBe('It had more processes and threads than it may (60).')
    writeFileSync(at('memory.events'), 'low 0\nmax 9\noom 1\noom_kill 1\n')
    expect(group.excess(null)).toBe('It used more memory than it may (200 MB of 200 MB).')
    group.end()
  })

  it('of systemd is a scope for the command, which does not learn where systemd is', () => {
    const systemd = { kind: 'systemd', program: '/usr/bin/systemd-run', runtime: '/run/user/1000' } as const
    expect(openControlGroup(systemd, LIMITS).argv.join(' ')).toBe(
      '/usr/bin/env XDG_RUNTIME_DIR=/run/user/1000 /usr/bin/systemd-run --user --scope --quiet --collect ' +
        '-p MemoryMax=200000000 -p MemorySwapMax=0 -p TasksMax=62 -- /usr/bin/env -u XDG_RUNTIME_DIR',
    )
  })
})

describeBoxed('[D26] a command in a control group', () => {
  const groups = findControlGroups(process.env['PATH'] ?? '')

  it.skipIf(groups === null)('cannot leave it, and nothing of it is left', async () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, 'own'))
    const sandbox = boxed({ writable: [cwd], limits: { ...NO_LIMITS, processes: 60 } })
    const script = `cat /proc/self/cgroup
      for procs in $(find /sys/fs/cgroup -name cgroup.procs); do echo $$ 2>/dev/null > $procs && echo "left by $procs"; done
      mount -t cgroup2 none own && echo mounted; exit 0`
    const { exitCode, output } = await runShell({
      command: script,
      cwd,
      sandbox,
      env: {},
      timeLimitMs: 30_000,
    })
    expect(exitCode).toBe(0)
    expect(output).toMatch(/signalbox-\d+-\d+/)
    expect(output).not.toMatch(/left by|^mounted/m)
  })
})
