import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { given } from '../../engine/given.fixture.ts'
import { writesOf } from '../../engine/index.ts'
import { holdBoundary, judgeWrites } from './boundary.ts'
import { ensureGround } from './ensure-ground.ts'
import { BRANCH, confined, createRun } from './repository.fixture.ts'
import { takeSnapshot } from './staging.ts'

describe('what may be written', () => {
  const files = ['src/a.ts', 'src/a.test.ts', 'docs/x.md', '.env', 'README.md']
  it.each([
    [null, []],
    [[], files],
    [['**'], []],
    [['src/**'], ['docs/x.md', '.env', 'README.md']],
    [
      ['src/**', '!**/*.test.ts'],
      ['src/a.test.ts', 'docs/x.md', '.env', 'README.md'],
    ],
    [
      ['src/**', '!src/**', 'src/a.ts'],
      ['src/a.test.ts', 'docs/x.md', '.env', 'README.md'],
    ],
    [['!.env'], ['.env']],
    [['{docs,src}/**', '*.md'], ['.env']],
  ])('%j', (writes, outside) => {
    expect(judgeWrites({ files, boundary: writes && [writes] })).toEqual(outside)
  })
})

describe('what members of a panel may write', () => {
  const outside = (writes: Record<'a' | 'b', readonly string[]>, files: readonly string[]): string[] =>
    judgeWrites({ files, boundary: [writes.a, writes.b] })

  it('[A20] is what one of them may, each by its own list', () => {
    const files = ['src/a.ts', 'docs/x.md', 'README.md']
    expect(outside({ a: ['src/**'], b: ['!docs/**'] }, files)).toEqual(['docs/x.md'])
    expect(outside({ a: ['docs/**'], b: ['**', '!docs/**'] }, files)).toEqual([])
    expect(outside({ a: [], b: ['src/**'] }, files)).toEqual(['docs/x.md', 'README.md'])
  })

  it('[A20] is never what each of them is kept from', () => {
    const glob = fc.constantFrom('**', '!**', 'src/**', '!src/**', '*', '!*', 'src/a.ts', '!src/a.ts')
    const list = fc.array(glob, { maxLength: 4 })
    const files = ['src/a.ts', 'src/b.ts', 'a', 'docs/x']
    fc.assert(
      fc.property(list, list, (a, b) => {
        const both = [a, b].map((writes) => judgeWrites({ files, boundary: [writes] }))
        expect(outside({ a, b }, files)).toEqual(
          files.filter((file) => both.every((out) => out.includes(file))),
        )
      }),
    )
  })
})

describe('what was looked up of a boundary', () => {
  const { program, started } = given(`
    agents: { lead: {}, dev: { writes: ['src/**', '\${steps.task.files}'] } }
    handoffs: { task: { fields: { files: { type: list, required: true } } } }
    steps:
      task: { agent: lead, gives: task, next: build }
      build: { agent: dev, next: done }
  `)
  const names = fc.constantFrom(
    '.git',
    '.signalbox',
    '..',
    '.',
    'src',
    '**',
    '*',
    '?',
    '.s*',
    'a',
    '.g?t',
    'x',
  )
  const marks = fc.constantFrom('/', '/', '/', '', '{', ',', '}', '!', '\\', './', '\0')
  const glob = fc.array(fc.oneof(names, marks), { maxLength: 8 }).map((parts) => parts.join(''))

  it('[A17] never reaches what is private, whatever an agent handed over', () => {
    const kept = ['.git', '.git/config', '.git/a/x', '.signalbox', '.signalbox/x', '.signalbox/a/x.yaml']
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 4 }), (files) => {
        const { state } = started().answer('task', { handoff: { files } })
        const writes = writesOf(program, state, 'dev') ?? []
        expect(judgeWrites({ files: kept, boundary: [writes] })).toEqual(kept)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a boundary', () => {
  it('[W3] keeps what lies within, undoes the rest and keeps it as a patch', async () => {
    const { path, work, base, collected } = await createRun()
    work.write('src/code.ts', 'better\n')
    work.write('a.txt', 'not yours\n')
    work.write('stray/file', 'stray\n')
    work.git('add', 'a.txt')
    const { outside, patch } = await collected({ boundary: [['src/**']] })
    expect(outside).toEqual(['a.txt', 'stray/file'])
    expect(patch).toContain('+not yours')
    expect(patch).not.toContain('better')
    expect(work.read('a.txt')).toBe('a\n')
    expect(work.has('stray')).toBe(false)
    expect(work.read('src/code.ts')).toBe('better\n')
    expect(work.git('status', '--porcelain')).toBe('')
    expect(work.git('diff', '--name-only', base, 'HEAD')).toBe('src/code.ts')
    execFileSync('git', ['apply', '-'], { cwd: path, input: patch })
    expect(work.read('a.txt')).toBe('not yours\n')
  })

  it('holds also when asked again after a crash in the middle', async () => {
    const { ground, work, base, before } = await createRun()
    work.write('a.txt', 'not yours\n')
    const snapshot = () => takeSnapshot(ground, confined)
    const request = { ground, before: base, boundary: [], confined, snapshot }
    expect((await holdBoundary(request)).outside).toEqual(['a.txt'])
    expect(await holdBoundary(request)).toEqual({ outside: [], patch: '', after: before })
  })

  it('is not needed where everything may be written', async () => {
    const { work, collected } = await createRun()
    work.write('a.txt', 'mine\n')
    expect(await collected({ boundary: null })).toMatchObject({ outside: [], patch: '' })
    expect(work.read('a.txt')).toBe('mine\n')
  })

  it('[W3] undoes what was committed outside with the next commit, and leaves history alone', async () => {
    const { work, base, collected } = await createRun()
    work.write('a.txt', 'not yours\n')
    work.write('src/code.ts', 'better\n')
    work.write('ignored/forced', 'x')
    work.git('add', '-f', 'ignored/forced')
    work.git('commit', '-qam', 'sneaky')
    const sneaky = work.git('rev-parse', 'HEAD')
    expect((await collected({ boundary: [['src/**']] })).outside).toEqual(['a.txt', 'ignored/forced'])
    expect(work.git('rev-parse', 'HEAD~1')).toBe(sneaky)
    expect(work.git('diff', '--name-only', base, 'HEAD')).toBe('src/code.ts')
  })

  it('[W10] is held against the files themselves, whatever refs/replace and grafts say', async () => {
    const { ground, work, repo, base, collected } = await createRun()
    work.write('a.txt', 'not yours\n')
    work.git('commit', '-qam', 'sneaky')
    const sneaky = work.git('rev-parse', 'HEAD')
    work.git('replace', base, sneaky)
    work.git('replace', `${base}^{tree}`, `${sneaky}^{tree}`)
    execFileSync('sh', ['-c', `mkdir -p info && echo ${sneaky} > info/grafts`], { cwd: ground.agentRepo })
    const { outside, commit } = await collected({ boundary: [['src/**']] })
    expect(outside).toEqual(['a.txt'])
    expect(repo.git('diff', '--name-only', base, commit)).toBe('')
    expect(repo.git('for-each-ref', 'refs/replace')).toBe('')
  })

  it('brings to light what a changed ignore file hid', async () => {
    const { work, collected } = await createRun()
    work.write('.gitignore', '*.secret\n')
    work.write('x.secret', 'hidden')
    expect((await collected({ boundary: [['src/**']] })).outside).toEqual(['.gitignore', 'x.secret'])
    expect(work.has('x.secret')).toBe(false)
    expect(work.read('.gitignore')).toContain('ignored/')
  })

  it('[W26] counts the files of a repository that was made outside as any others', async () => {
    const { path, work, collected } = await createRun()
    mkdirSync(join(path, 'inner'))
    execFileSync('git', ['init', '-q'], { cwd: join(path, 'inner') })
    work.write('inner/x', 'x')
    expect((await collected({ boundary: [] })).outside).toEqual(['inner/x'])
    expect(work.has('inner')).toBe(false)
  })

  it('tells names that are not text so that a journal can keep them', async () => {
    const { ground, work, before, collected } = await createRun()
    work.write(Buffer.from('caf\xe9', 'latin1'), 'x')
    expect((await collected({ boundary: [] })).outside).toEqual(['caf\\xe9'])
    expect(await takeSnapshot(ground, confined)).toBe(before)
  })

  it('[W7] and the commit after it come out the same when the process is killed at any moment', async () => {
    const { path, work, base, ground, request, repo, collected } = await createRun()
    for (let n = 0; n < 40; n++) work.write(`stray/${n}`, 'stray\n')
    work.write('src/code.ts', 'better\n')
    rmSync(join(path, 'docs'), { recursive: true })
    const page = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)
    const script = `
      const { collectWork } = await import(${page('collect-work.ts')})
      const { createConfined } = await import(${page('confined.ts')})
      const confined = createConfined({ sandboxFor: () => null, environment: process.env, registry: null })
      process.stdout.write('.')
      await collectWork({ ground: ${JSON.stringify(ground)}, branch: '${BRANCH}', lastCommit: '${base}', lastBase: '${base}',
        boundary: [['src/**']], judges: null, message: 'x', run: 'r1', confined, published: null })`
    for (const delayMs of [20, 90, 180, 300, 450]) {
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      })
      const ended = new Promise((done) => child.on('exit', done))
      await Promise.race([ended, new Promise((done) => child.stdout.once('data', done))])
      await Promise.race([ended, new Promise((done) => setTimeout(done, delayMs))])
      if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
      await ended
      // Killed, or done; anything else is a mistake of this script.
      expect(child.exitCode ?? 0).toBe(0)
      expect(await ensureGround(request)).toEqual({ path })
    }
    await collected({ boundary: [['src/**']] })
    expect(work.git('diff', '--name-only', base, 'HEAD')).toBe('src/code.ts')
    expect(work.git('status', '--porcelain')).toBe('')
    expect(repo.git('log', '--oneline', `${base}..${BRANCH}`).split('\n')).toHaveLength(1)
  })

  it('says what is wrong when the worktree is gone', async () => {
    const { path, collect } = await createRun()
    rmSync(path, { recursive: true })
    expect(await collect({ boundary: [] })).toEqual({ problem: expect.any(String) })
  })
})
