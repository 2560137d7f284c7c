/** A few kilobytes of trees that describe millions of files, in the agent's commits. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

const MAX_RESIDENT_KIB = 600 * 1024

/** Trees of ten entries each, seven deep. */
const BOMB = `
  blob=$(echo x | git hash-object -w --stdin)
  tree=$(for n in 0 1 2 3 4 5 6 7 8 9; do printf '100644 blob %s\\t%s\\n' $blob $n; done | git mktree)
  for depth in 1 2 3 4 5 6; do
    tree=$(for n in 0 1 2 3 4 5 6 7 8 9; do printf '040000 tree %s\\t%s\\n' $tree $n; done | git mktree)
  done
  root=$({ git ls-tree HEAD; printf '040000 tree %s\\tbomb\\n' $tree; } | git mktree)
  commit=$(git -c user.name=x -c user.email=x@x commit-tree -m bomb -p HEAD $root)
  git update-ref refs/heads/$(git symbolic-ref --short HEAD) $commit`

attack(
  '[W28] it costs the host little, and none of it is taken in',
  {
    plays: ({ plant }) => ({ develop: [[plant('bomb', BOMB), plant('work', 'echo more >> a.txt')]] }),
  },
  async ({ run, git }) => {
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, ...gitsOf(process.pid).map(residentKib))
    }, 20)
    try {
      expect(await run.end()).toBe('done')
    } finally {
      clearInterval(watch)
    }
    expect(git('log', '--format=%s')).not.toContain('bomb')
    expect(git('show', 'HEAD:a.txt')).toBe('a\nmore')
    expect(run.work.git('status', '--porcelain')).toBe('')
    expect(JSON.stringify(await run.events())).toContain('they have too many files')
    expect(most).toBeLessThan(MAX_RESIDENT_KIB)
  },
)

/** Below this process, however deep. */
function gitsOf(pid: number): string[] {
  const parents = new Map<string, string>()
  for (const each of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = /^PPid:\t(\d+)$/m.exec(statusOf(each))?.[1]
    if (parent !== undefined) parents.set(each, parent)
  }
  const isBelow = (each: string): boolean => {
    const parent = parents.get(each)
    return parent === String(pid) || (parent !== undefined && isBelow(parent))
  }
  return [...parents.keys()].filter((each) => /^Name:\tgit$/m.test(statusOf(each)) && isBelow(each))
}

const residentKib = (pid: string): number => Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0)

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
