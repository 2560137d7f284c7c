import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import type { LoadedRun } from './loaded-run.ts'
import { keepRuns, placedFact, programOf } from './runs.fixture.ts'
import { lookupOf, worldOf } from './world.ts'

const PROGRAM = programOf(`
  name: flow
  steps: { work: { agent: dev, prompt: Do it., next: done } }
`)

async function placedAt(worktree: string): Promise<LoadedRun> {
  const loaded = await keepRuns(PROGRAM).begin('r1')
  const fact = placedFact()
  const issue = {
    id: '7',
    title: 'Broken',
    status: 'Todo',
    parent: '',
    labels: 'bug',
    body: 'It is.',
    path: '7.md',
  }
  return { ...loaded, placed: { ...fact, issue, placement: { ...fact.placement, worktree } } }
}

async function openWorktree() {
  const folder = temporaryFolder()
  const worktree = join(folder, 'work')
  mkdirSync(join(worktree, 'docs'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(worktree, 'plan.md'), 'the plan')
  writeFileSync(join(worktree, '..odd'), 'oddly named')
  const world = worldOf(await placedAt(worktree))
  return { folder, worktree, file: (path: string) => world({ kind: 'file', path }) }
}

describe('what a text can look up', () => {
  it('is the run, its issue and its agent', async () => {
    const loaded = await placedAt('/nowhere/work')
    const lookup = lookupOf(loaded, { id: 'a1', name: 'dev', use: 'default', model: 'm1', session: 's1' })
    expect(lookup({ kind: 'run', field: 'id' })).toBe('r1')
    expect(lookup({ kind: 'run', field: 'base' })).toBe('b'.repeat(40))
    expect(lookup({ kind: 'run', field: 'dir' })).toBe('/nowhere/work/.signalbox/run')
    expect(lookup({ kind: 'issue', field: 'title' })).toBe('Broken')
    expect(lookup({ kind: 'agent', field: 'session' })).toBe('s1')
  })

  it('is a file of the worktree, as it is now', async () => {
    const { worktree, file } = await openWorktree()
    expect(file('plan.md')).toBe('the plan')
    writeFileSync(join(worktree, 'plan.md'), 'a better plan')
    expect(file('plan.md')).toBe('a better plan')
    expect(file('docs/../plan.md')).toBe('a better plan')
    expect(file('..odd')).toBe('oddly named')
  })

  it.each([
    '../secret.txt',
    'docs/../../secret.txt',
    'gone.md',
    'docs',
    '',
    '.',
    '..',
    'plan.md\0',
    'plan.md/x',
  ])('is nothing else: %j', async (path) => {
    const { file } = await openWorktree()
    expect(file(path)).toBeUndefined()
  })

  it('[W30] is nothing behind a link', async () => {
    const { folder, worktree, file } = await openWorktree()
    symlinkSync(join(folder, 'secret.txt'), join(worktree, 'direct'))
    symlinkSync('..', join(worktree, 'up'))
    symlinkSync('self', join(worktree, 'self'))
    symlinkSync('../plan.md', join(worktree, 'docs/within'))
    expect(file('direct')).toBeUndefined()
    expect(file('up/secret.txt')).toBeUndefined()
    expect(file('self')).toBeUndefined()
    expect(file('docs/within')).toBeUndefined()
  })

  it('is nothing where a pipe or a device would keep us waiting', async () => {
    const { worktree, file } = await openWorktree()
    execFileSync('mkfifo', [join(worktree, 'pipe')])
    symlinkSync('/dev/zero', join(worktree, 'zero'))
    expect(file('pipe')).toBeUndefined()
    expect(file('zero')).toBeUndefined()
  })

  it('is only the beginning of a huge file', async () => {
    const { worktree, file } = await openWorktree()
    writeFileSync(join(worktree, 'huge'), 'x'.repeat(5_000_000))
    expect(file('huge')).toHaveLength(256 * 1024)
  })
})
