import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { OUR_SETTING } from './git.ts'
import { temporaryFolder } from './repository.fixture.ts'
import { endStaleGit } from './stale-git.ts'

/** Waits for its input, as a slow one would wait for a disk. */
const slowGit = (cwd: string, ...settings: string[]) => {
  const child = spawn('git', [...settings, 'hash-object', '--stdin'], {
    cwd,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise<string | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  return { pid: child.pid!, ended, finish: () => child.stdin.end() }
}

it.skipIf(process.platform !== 'linux')(
  '[W7] ends a git of ours in our worktrees, and no other',
  async () => {
    const place = temporaryFolder()
    const worktrees = join(place, 'trees')
    mkdirSync(join(worktrees, 'one'), { recursive: true })
    const ours = slowGit(join(worktrees, 'one'), '-c', OUR_SETTING)
    const users = slowGit(join(worktrees, 'one'))
    const elsewhere = slowGit(place, '-c', OUR_SETTING)
    await vi.waitFor(async () => expect(await endStaleGit([worktrees])).toContain(ours.pid), {
      timeout: 5000,
    })
    expect(await ours.ended).toBe('SIGKILL')
    expect(await endStaleGit([worktrees])).toEqual([])
    for (const other of [users, elsewhere]) {
      other.finish()
      expect(await other.ended).toBe(null)
    }
  },
)
