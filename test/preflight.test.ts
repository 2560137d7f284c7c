/** What the first check of the routing matrix tells apart, by its exit code, in real repositories. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-preflight-'))
  git('init', '--quiet', '--initial-branch=main')
  mkdirSync(join(dir, 'TODO'))
  writeFileSync(join(dir, 'TODO/X-1.md'), 'status: todo\ndepends-on: [X-2, X-3]\n')
  writeFileSync(join(dir, 'TODO/X-2.md'), 'status: Done\n')
  writeFileSync(join(dir, 'TODO/X-3.md'), 'status: done\n')
  commit()
  git('switch', '--quiet', '--create', 'signalbox/x')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('examples/bin/preflight.sh', () => {
  it('is content with a clean branch of its own and an issue that waits for nothing', () => {
    expect(preflight()).toBe(0)
  })

  it.each([
    ['the base', () => git('switch', '--quiet', 'main')],
    ['a detached HEAD', () => git('switch', '--quiet', '--detach')],
    ['a bare repository', () => git('config', 'core.bare', 'true')],
    ['no repository', () => rmSync(join(dir, '.git'), { recursive: true })],
    ['no such issue', () => git('rm', '--quiet', 'TODO/X-1.md')],
  ])('is told that this is no place to work: %s', (_, spoil) => {
    spoil()
    expect(preflight()).toBe(10)
  })

  it('is told of what is not committed', () => {
    writeFileSync(join(dir, 'left.txt'), 'lying about')
    expect(preflight()).toBe(11)
  })

  it.each(['status: In Progress\n', ''])('is told of an issue that comes first: %j', (text) => {
    writeFileSync(join(dir, 'TODO/X-3.md'), text)
    commit()
    expect(preflight()).toBe(12)
  })
})

const preflight = (): number | null =>
  spawnSync('sh', [resolve('examples/bin/preflight.sh'), 'X-1', 'signalbox/x'], { cwd: dir }).status

function commit(): void {
  git('add', '--all')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message=As it was')
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: dir })
}
