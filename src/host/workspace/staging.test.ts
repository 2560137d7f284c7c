import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween, patchBetween } from './changes.ts'
import { bytesOf, textOf } from './file-name.ts'
import { gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { confined, createRepository, createRun, temporaryFolder } from './repository.fixture.ts'
import { restore } from './restore.ts'
import { takeSnapshot } from './staging.ts'
import { inStore } from './store.ts'

const HOSTILE = [
  'with space',
  '"quoted"',
  "it's",
  'new\nline',
  'tab\there',
  'ünïcödé/日本.txt',
  '-rf',
  '--all',
  ':(top)x',
  '*',
  '?',
  '[a]',
  'back\\slash',
  '$(touch pwned)',
  '#hash',
  ' lead',
  'trail ',
]

const snapshot = (ground: Ground) => takeSnapshot(ground, confined)

const changed = async (ground: Ground, from: string, to: string): Promise<string[]> =>
  (await changesBetween(ground, from, to)).map(({ name }) => name)

/** Puts back whatever of these differs from the tree. */
async function putBack(ground: Ground, tree: string, files: readonly string[]): Promise<void> {
  const changes = await changesBetween(ground, tree, await snapshot(ground))
  await restore({ ground, tree, changes: changes.filter(({ name }) => files.includes(name)), confined })
}

describe('a snapshot', () => {
  it('holds tracked and untracked files, not ignored ones, and leaves the agent’s index alone', async () => {
    const { ground, path, work, before } = await createRun()
    work.write('a.txt', 'changed\n')
    work.write('new/file', 'new')
    work.write('ignored/x', 'x')
    work.write('.signalbox/run/plan.md', 'plan')
    rmSync(join(path, 'docs'), { recursive: true })
    const status = work.git('status', '--porcelain')
    const after = await snapshot(ground)
    expect(await changed(ground, before, after)).toEqual(['a.txt', 'docs/guide.md', 'new/file'])
    expect(work.git('status', '--porcelain')).toBe(status)
    expect(await snapshot(ground)).toBe(after)
  })

  it('keeps the run folder out, whatever an ignore file says', async () => {
    const { ground, work, before } = await createRun()
    work.write('.signalbox/.gitignore', '!run\n!run/**\n')
    work.write('.signalbox/run/.gitignore', '!*\n')
    work.write('.signalbox/run/plan.md', 'plan')
    work.write('.vibe/.gitignore', '!*\n')
    work.write('.vibe/decision.json', '{}')
    expect(await changed(ground, before, await snapshot(ground))).toEqual(['.signalbox/.gitignore'])
  })

  it('sees a change of the same length in the same instant', async () => {
    const { ground, work } = await createRun()
    for (let n = 0; n < 10; n++) {
      work.write('a.txt', `${n}\n`)
      await snapshot(ground)
      work.write('a.txt', `x\n`)
      const tree = await snapshot(ground)
      expect(await gitOutput(['show', `${tree}:a.txt`], inStore(ground))).toBe('x\n')
    }
  })

  it('[W9] is not deceived by what the agent writes into its own index', async () => {
    const { ground, work, before } = await createRun()
    work.git('update-index', '--assume-unchanged', 'a.txt')
    work.git('update-index', '--skip-worktree', 'src/code.ts')
    const { atime, mtime } = lstatSync(join(work.dir, 'docs/guide.md'))
    work.write('a.txt', 'hidden\n')
    work.write('src/code.ts', 'hidden\n')
    work.write('docs/guide.md', 'GUIDE\n')
    utimesSync(join(work.dir, 'docs/guide.md'), atime, mtime)
    work.git('add', 'docs/guide.md')
    expect(await changed(ground, before, await snapshot(ground))).toContain('a.txt')
    expect(await changed(ground, before, await snapshot(ground))).toContain('src/code.ts')
  })

  it('[W9] needs nothing of the agent’s repository', async () => {
    const { ground, path, before } = await createRun()
    rmSync(ground.agentRepo, { recursive: true })
    rmSync(join(path, '.git'))
    expect(await snapshot(ground)).toBe(before)
    mkdirSync(join(path, '.git'))
    writeFileSync(join(path, '.git/HEAD'), 'broken')
    expect(await snapshot(ground)).toBe(before)
  })

  it('takes unresolved conflicts as they lie there', async () => {
    const { ground, work } = await createRun()
    work.write('a.txt', 'one\n')
    work.git('commit', '-qam', 'one')
    work.git('checkout', '-q', '-b', 'two', 'HEAD~1')
    work.write('a.txt', 'two\n')
    work.git('commit', '-qam', 'two')
    expect(() => work.git('merge', 'signalbox/r1')).toThrow()
    expect(await gitOutput(['show', `${await snapshot(ground)}:a.txt`], inStore(ground))).toContain('<<<<<<<')
  })

  it('[W26] leaves a repository of its own out, with or without a commit, and leaves it there', async () => {
    const { ground, path, work, before } = await createRun()
    for (const name of ['unborn', 'born']) execFileSync('git', ['init', '-q', join(path, name)])
    const who = ['-c', 'user.name=x', '-c', 'user.email=x']
    execFileSync('git', [...who, 'commit', '-q', '--allow-empty', '-m', 'x'], { cwd: join(path, 'born') })
    work.write('unborn/x', 'x')
    work.write('beside', '')
    const after = await snapshot(ground)
    expect(await changed(ground, before, after)).toEqual(['beside'])
    expect([work.has('unborn/.git'), work.has('born/.git')]).toEqual([true, true])
  })

  it('[W9] never goes into a submodule, whatever its settings name', async () => {
    const inner = createRepository()
    const { ground, path, work } = await createRun()
    work.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.dir, 'sub')
    await snapshot(ground)
    const mark = join(temporaryFolder(), 'ran')
    const sub = (...args: string[]) => execFileSync('git', args, { cwd: join(path, 'sub') })
    sub('config', 'core.fsmonitor', `touch ${mark}; false`)
    sub('config', 'filter.x.clean', `touch ${mark}; cat`)
    work.write('sub/.gitattributes', '* filter=x\n')
    work.write('sub/a.txt', 'b\n')
    work.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'none')
    await snapshot(ground)
    expect(lstatSync(mark, { throwIfNoEntry: false })).toBeUndefined()
    // The trap is a real one.
    sub('-c', 'core.fsmonitor=false', 'add', '-A')
    expect(lstatSync(mark, { throwIfNoEntry: false })).toBeDefined()
  })
})

describe('names of any kind', () => {
  it('are told exactly and put back exactly', async () => {
    const { ground, work, before } = await createRun()
    for (const name of HOSTILE) work.write(name, 'x')
    work.write(Buffer.from('latin1-\xfc', 'latin1'), 'x')
    const after = await snapshot(ground)
    const names = await changed(ground, before, after)
    expect(names.toSorted()).toEqual([...HOSTILE, textOf(Buffer.from('latin1-\xfc', 'latin1'))].toSorted())
    const patch = await patchBetween({ ground, from: before, to: after, files: names })
    expect(patch).not.toMatch(/\p{Surrogate}/u)
    await putBack(ground, before, names)
    expect(work.git('status', '--porcelain', '-uall')).toBe('')
    expect(await snapshot(ground)).toBe(before)
    await putBack(ground, after, names)
    expect(await snapshot(ground)).toBe(after)
  })

  it('survive being text', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(Buffer.from(bytes).equals(bytesOf(textOf(bytes.filter((byte) => byte !== 0))))).toBe(
          !bytes.includes(0),
        )
      }),
    )
  })
})

describe('putting back', () => {
  it('restores content, mode and links', async () => {
    const { ground, path, work, repo } = await createRun()
    work.write('run.sh', '#!/bin/sh\n')
    chmodSync(join(path, 'run.sh'), 0o755)
    symlinkSync('a.txt', join(path, 'link'))
    const before = await snapshot(ground)
    chmodSync(join(path, 'run.sh'), 0o644)
    rmSync(join(path, 'link'))
    work.write('link', 'no link any more')
    work.write('a.txt', 'changed\n')
    work.write('deep/er/new', '')
    rmSync(join(path, 'src/code.ts'))
    work.write('kept.txt', 'stays')
    const files = ['run.sh', 'link', 'a.txt', 'deep/er/new', 'src/code.ts']
    await putBack(ground, before, files)
    expect(lstatSync(join(path, 'run.sh')).mode & 0o111).not.toBe(0)
    expect(readlinkSync(join(path, 'link'))).toBe('a.txt')
    expect(work.read('a.txt')).toBe('a\n')
    expect(work.read('src/code.ts')).toBe('code\n')
    expect(work.has('deep')).toBe(false)
    expect(await changed(ground, before, await snapshot(ground))).toEqual(['kept.txt'])
    expect(repo.git('status', '--porcelain')).toBe('')
  })

  it('turns folders into files and files into folders', async () => {
    const { ground, path, work, before } = await createRun()
    rmSync(join(path, 'a.txt'))
    work.write('a.txt/inner', 'x')
    work.write('a.txt/ignored/x', 'x')
    rmSync(join(path, 'src'), { recursive: true })
    work.write('src', 'a file')
    const files = await changed(ground, before, await snapshot(ground))
    expect(files.toSorted()).toEqual(['a.txt', 'a.txt/inner', 'src', 'src/code.ts'])
    await putBack(ground, before, files)
    expect(await snapshot(ground)).toBe(before)
  })

  it('never reaches through a link that took the place of a folder', async () => {
    const { ground, path, work, before } = await createRun()
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'code.ts'), 'not yours')
    writeFileSync(join(outside, 'new.ts'), 'not yours')
    mkdirSync(join(outside, 'empty'))
    rmSync(join(path, 'src'), { recursive: true })
    symlinkSync(outside, join(path, 'src'))
    await putBack(ground, before, ['src', 'src/code.ts'])
    expect(readdirSync(outside).toSorted()).toEqual(['code.ts', 'empty', 'new.ts'])
    expect(lstatSync(join(path, 'src')).isDirectory()).toBe(true)
    expect(work.read('src/code.ts')).toBe('code\n')
  })

  it('keeps a folder in which something ignored is left', async () => {
    const { ground, work, before } = await createRun()
    work.write('out/new', '')
    work.write('out/build.log', 'kept')
    await putBack(ground, before, ['out/new'])
    expect(work.read('out/build.log')).toBe('kept')
  })
})

describe('a patch', () => {
  it('brings back what was undone, binary and other encodings included', async () => {
    const { ground, path, work, before } = await createRun()
    work.write('a.txt', Buffer.from('caf\xe9\n', 'latin1'))
    work.write('bin', Buffer.from([0, 1, 2, 255]))
    work.write('src/code.ts', 'new code\n')
    const after = await snapshot(ground)
    const patch = await patchBetween({ ground, from: before, to: after, files: null })
    await putBack(ground, before, await changed(ground, before, after))
    execFileSync('git', ['apply', '-'], { cwd: path, input: patch })
    expect(await snapshot(ground)).toBe(after)
  })

  it('is only of the files that are asked for', async () => {
    const { ground, work, before } = await createRun()
    work.write('a.txt', 'b\n')
    work.write('src/code.ts', 'new code\n')
    const patch = await patchBetween({ ground, from: before, to: await snapshot(ground), files: ['a.txt'] })
    expect(patch).toContain('+b')
    expect(patch).not.toContain('code')
  })

  it('is cut off at a line and says so', async () => {
    const { ground, work, before } = await createRun()
    work.write('big', 'ünï\n'.repeat(400_000))
    const patch = await patchBetween({ ground, from: before, to: await snapshot(ground), files: null })
    expect(Buffer.byteLength(patch)).toBeLessThan(1024 * 1024 + 200)
    expect(patch).toMatch(/\n\+ünï\n# The rest is left out/)
  })
})
