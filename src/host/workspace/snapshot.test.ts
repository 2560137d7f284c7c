import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, textOf } from './file-name.ts'
import { createRepository, createRun, temporaryFolder } from './repository.fixture.ts'
import { restorePaths } from './restore.ts'
import { changedBetween, patchBetween, takeSnapshot } from './snapshot.ts'

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

describe('a snapshot', () => {
  it('holds tracked and untracked files, not ignored ones, and leaves the index alone', async () => {
    const { path, work, before } = await createRun()
    work.write('a.txt', 'changed\n')
    work.write('new/file', 'new')
    work.write('ignored/x', 'x')
    work.write('.signalbox/run/plan.md', 'plan')
    rmSync(join(path, 'docs'), { recursive: true })
    const status = work.git('status', '--porcelain')
    const after = await takeSnapshot(path)
    expect(await changedBetween(path, before, after)).toEqual(['a.txt', 'docs/guide.md', 'new/file'])
    expect(work.git('status', '--porcelain')).toBe(status)
    expect(readdirSync(work.git('rev-parse', '--absolute-git-dir')).join()).not.toContain('signalbox')
    expect(await takeSnapshot(path)).toBe(after)
  })

  it('keeps the run folder out although its ignore file was tidied away', async () => {
    const { path, work, before } = await createRun()
    rmSync(join(path, '.signalbox/run/.gitignore'))
    work.write('.signalbox/run/plan.md', 'plan')
    expect(await takeSnapshot(path)).toBe(before)
  })

  it('sees a change of the same length in the same instant', async () => {
    const { path, work } = await createRun()
    for (let n = 0; n < 10; n++) {
      work.write('a.txt', `${n}\n`)
      work.git('add', 'a.txt')
      work.write('a.txt', `x\n`)
      const tree = await takeSnapshot(path)
      expect(work.git('show', `${tree}:a.txt`)).toBe('x')
    }
  })

  it('is not deceived by flags that hide a file', async () => {
    const { path, work, before } = await createRun()
    work.git('update-index', '--assume-unchanged', 'a.txt')
    work.git('update-index', '--skip-worktree', 'src/code.ts')
    work.write('a.txt', 'hidden\n')
    work.write('src/code.ts', 'hidden\n')
    expect(await changedBetween(path, before, await takeSnapshot(path))).toEqual(['a.txt', 'src/code.ts'])
  })

  it('needs no readable index, and no lock of it', async () => {
    const { path, work, before } = await createRun()
    const index = join(work.git('rev-parse', '--absolute-git-dir'), 'index')
    writeFileSync(`${index}.lock`, '')
    expect(await takeSnapshot(path)).toBe(before)
    writeFileSync(index, 'broken')
    expect(await takeSnapshot(path)).toBe(before)
    rmSync(index)
    expect(await takeSnapshot(path)).toBe(before)
  })

  it('takes unresolved conflicts as they lie there', async () => {
    const { path, work } = await createRun()
    work.write('a.txt', 'one\n')
    work.git('commit', '-qam', 'one')
    work.git('checkout', '-q', '-b', 'two', 'HEAD~1')
    work.write('a.txt', 'two\n')
    work.git('commit', '-qam', 'two')
    expect(() => work.git('merge', 'signalbox/r1')).toThrow()
    expect(work.git('show', `${await takeSnapshot(path)}:a.txt`)).toContain('<<<<<<<')
  })

  it('shows a repository of its own as one name, with or without a commit', async () => {
    const { path, work, before } = await createRun()
    execFileSync('git', ['init', '-q', join(path, 'unborn')])
    work.write('unborn/x', 'x')
    work.write('beside', '')
    const after = await takeSnapshot(path)
    expect(await changedBetween(path, before, after)).toEqual(['beside', 'unborn'])
    await restorePaths({ path, tree: before, files: ['unborn'] })
    expect(work.has('unborn')).toBe(false)
    expect(work.has('beside')).toBe(true)
  })
})

describe('names of any kind', () => {
  it('are told exactly and put back exactly', async () => {
    const { path, work, before } = await createRun()
    for (const name of HOSTILE) work.write(name, 'x')
    work.write(Buffer.from('latin1-\xfc', 'latin1'), 'x')
    const after = await takeSnapshot(path)
    const changed = await changedBetween(path, before, after)
    expect(changed.toSorted()).toEqual([...HOSTILE, textOf(Buffer.from('latin1-\xfc', 'latin1'))].toSorted())
    const patch = await patchBetween({ path, from: before, to: after, files: changed })
    expect(patch).not.toMatch(/\p{Surrogate}/u)
    await restorePaths({ path, tree: before, files: changed })
    expect(work.git('status', '--porcelain', '-uall')).toBe('')
    expect(await takeSnapshot(path)).toBe(before)
    await restorePaths({ path, tree: after, files: changed })
    expect(await takeSnapshot(path)).toBe(after)
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
  it('restores content, mode and links, in the index too', async () => {
    const { path, work, repo } = await createRun()
    work.write('run.sh', '#!/bin/sh\n')
    chmodSync(join(path, 'run.sh'), 0o755)
    symlinkSync('a.txt', join(path, 'link'))
    const before = await takeSnapshot(path)
    chmodSync(join(path, 'run.sh'), 0o644)
    rmSync(join(path, 'link'))
    work.write('link', 'no link any more')
    work.write('a.txt', 'changed\n')
    work.write('deep/er/new', '')
    rmSync(join(path, 'src/code.ts'))
    work.write('kept.txt', 'stays')
    work.git('add', '-A')
    const files = ['run.sh', 'link', 'a.txt', 'deep/er/new', 'src/code.ts']
    await restorePaths({ path, tree: before, files })
    expect(lstatSync(join(path, 'run.sh')).mode & 0o111).not.toBe(0)
    expect(readlinkSync(join(path, 'link'))).toBe('a.txt')
    expect(work.read('a.txt')).toBe('a\n')
    expect(work.read('src/code.ts')).toBe('code\n')
    expect(work.has('deep')).toBe(false)
    expect(work.git('diff', '--cached', '--name-only', before)).toBe('kept.txt')
    expect(repo.git('status', '--porcelain')).toBe('')
  })

  it('turns folders into files and files into folders', async () => {
    const { path, work, before } = await createRun()
    rmSync(join(path, 'a.txt'))
    work.write('a.txt/inner', 'x')
    work.write('a.txt/ignored/x', 'x')
    rmSync(join(path, 'src'), { recursive: true })
    work.write('src', 'a file')
    work.git('add', '-A')
    const files = await changedBetween(path, before, await takeSnapshot(path))
    expect(files.toSorted()).toEqual(['a.txt', 'a.txt/inner', 'src', 'src/code.ts'])
    await restorePaths({ path, tree: before, files })
    expect(await takeSnapshot(path)).toBe(before)
    expect(work.git('status', '--porcelain')).toBe('')
  })

  it('never reaches through a link that took the place of a folder', async () => {
    const { path, work, before } = await createRun()
    const outside = temporaryFolder()
    writeFileSync(join(outside, 'code.ts'), 'not yours')
    writeFileSync(join(outside, 'new.ts'), 'not yours')
    mkdirSync(join(outside, 'empty'))
    rmSync(join(path, 'src'), { recursive: true })
    symlinkSync(outside, join(path, 'src'))
    await restorePaths({ path, tree: before, files: ['src/empty/x'] })
    await restorePaths({ path, tree: before, files: ['src/new.ts', 'src/empty/x', 'src', 'src/code.ts'] })
    expect(readdirSync(outside).toSorted()).toEqual(['code.ts', 'empty', 'new.ts'])
    expect(lstatSync(join(path, 'src')).isDirectory()).toBe(true)
    expect(work.read('src/code.ts')).toBe('code\n')
  })

  it('keeps a folder in which something ignored is left', async () => {
    const { path, work, before } = await createRun()
    work.write('out/new', '')
    work.write('out/build.log', 'kept')
    await restorePaths({ path, tree: before, files: ['out/new'] })
    expect(work.read('out/build.log')).toBe('kept')
  })

  it('brings a submodule back to its commit', async () => {
    const inner = createRepository()
    const { path, work } = await createRun()
    work.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.dir, 'sub')
    const before = await takeSnapshot(path)
    execFileSync(
      'git',
      ['-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-q', '--allow-empty', '-m', 'x'],
      {
        cwd: join(path, 'sub'),
      },
    )
    work.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'all')
    const files = await changedBetween(path, before, await takeSnapshot(path))
    expect(files).toEqual(['.gitmodules', 'sub'])
    await restorePaths({ path, tree: before, files })
    expect(await takeSnapshot(path)).toBe(before)
    expect(work.has('sub/a.txt')).toBe(true)
  })
})

describe('a patch', () => {
  it('brings back what was undone, binary and other encodings included', async () => {
    const { path, work, before } = await createRun()
    work.write('a.txt', Buffer.from('caf\xe9\n', 'latin1'))
    work.write('bin', Buffer.from([0, 1, 2, 255]))
    work.write('src/code.ts', 'new code\n')
    const after = await takeSnapshot(path)
    const patch = await patchBetween({ path, from: before, to: after, files: null })
    await restorePaths({ path, tree: before, files: await changedBetween(path, before, after) })
    execFileSync('git', ['apply', '-'], { cwd: path, input: patch })
    expect(await takeSnapshot(path)).toBe(after)
  })

  it('is only of the files that are asked for', async () => {
    const { path, work, before } = await createRun()
    work.write('a.txt', 'b\n')
    work.write('src/code.ts', 'new code\n')
    const patch = await patchBetween({ path, from: before, to: await takeSnapshot(path), files: ['a.txt'] })
    expect(patch).toContain('+b')
    expect(patch).not.toContain('code')
  })

  it('is cut off at a line and says so', async () => {
    const { path, work, before } = await createRun()
    work.write('big', 'ünï\n'.repeat(400_000))
    const patch = await patchBetween({ path, from: before, to: await takeSnapshot(path), files: null })
    expect(Buffer.byteLength(patch)).toBeLessThan(1024 * 1024 + 200)
    expect(patch).toMatch(/\n\+ünï\n# The rest is left out/)
  })
})
