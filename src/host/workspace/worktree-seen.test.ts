import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bytesDigest } from '../../journal/index.ts'
import { confined, createRun } from './repository.fixture.ts'
import { seeWorktree } from './worktree-seen.ts'

it('[D20] tells a worktree that changed from one that did not, and what was taken in from what was not', async () => {
  const { ground, work, base, path, collected } = await createRun()
  const see = (commit = base, artifacts: Readonly<Record<string, string>> = {}) =>
    seeWorktree({ ground, loaded: { commit, artifacts }, confined })
  const first = await see()
  expect(first.isAsTaken).toBe(true)
  expect(await see()).toEqual(first)
  work.write('ignored/cache', 'x')
  expect(await see()).toEqual(first)

  const marks = [first.mark]
  const changes = [
    () => work.write('a.txt', 'changed\n'),
    () => work.write('a.txt', 'changed again\n'),
    () => work.write('new.txt', 'new\n'),
    () => rmSync(join(path, 'a.txt')),
    () => work.write('.signalbox/run/plan.md', 'a plan'),
    () => work.write('.signalbox/run/plan.md', 'b plan'),
  ]
  for (const change of changes) {
    change()
    const { mark, isAsTaken } = await see()
    expect(isAsTaken).toBe(false)
    marks.push(mark)
  }
  expect(new Set(marks).size).toBe(changes.length + 1)

  const { commit } = await collected()
  expect((await see(commit)).isAsTaken).toBe(false)
  const plan = bytesDigest(new TextEncoder().encode('b plan'))
  expect((await see(commit, { 'plan.md': plan })).isAsTaken).toBe(true)
})
