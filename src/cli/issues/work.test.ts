/** Issues of a real repository, from the command line: splitting them, and finding one to work on. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRepository, type Place } from '../../host/workspace/repository.fixture.ts'
import { issuesToName } from './completion.ts'
import { at, FILES } from './issues.fixture.ts'
import { issuePreflight } from './preflight.ts'
import { issueNext } from './read.ts'
import { issueSplit } from './split.ts'

describe('signalbox issue split', () => {
  const TASKS = JSON.stringify([
    { title: 'A', description: 'Do A.', criteria: ['a'], depends_on: [2] },
    { title: 'B', description: 'Do B.', criteria: ['b'] },
  ])
  const split = (dir: string, id: string, options = {}, input = TASKS) =>
    at(dir, (setting) => issueSplit(id, { tasks: '-', ...options }, setting), { input })

  it('[I12] files all of them, in the order of the list', async () => {
    const repo = createRepository({ 'TODO/GAL-7.md': '# Seven\n' })
    const { out } = await split(repo.dir, 'GAL-7', { json: true, label: ['x'], branch: 'b' })
    expect(JSON.parse(out).issues).toMatchObject([
      { id: 'GAL-8', title: 'A', dependsOn: ['GAL-9'], parent: 'GAL-7', labels: ['x'] },
      { id: 'GAL-9', title: 'B', body: expect.stringContaining('on the branch b.') },
    ])
    expect(repo.read('TODO/GAL-7.md')).toContain(
      '- [GAL-9](GAL-9.md) B · Todo\n  - ↳ [GAL-8](GAL-8.md) A · Todo\n',
    )
  })

  it('[I12] files none where something is wrong, and takes no number', async () => {
    const repo = createRepository({ 'TODO/GAL-7.md': '# Seven\n' })
    expect(await split(repo.dir, 'GAL-6')).toMatchObject({
      code: 2,
      err: expect.stringContaining('(issue-not-found)'),
    })
    expect(await split(repo.dir, 'GAL-7', {}, '[{}]')).toMatchObject({
      code: 1,
      err: expect.stringContaining('(tasks-malformed)'),
    })
    expect(await split(repo.dir, 'GAL-7', { tasks: 'none.json' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('none.json does not exist'),
    })
    expect(repo.git('status', '--porcelain')).toBe('')
    expect((await split(repo.dir, 'GAL-7')).out).toBe(
      '✓ GAL-8  A  TODO/GAL-8.md\n✓ GAL-9  B  TODO/GAL-9.md\n',
    )
  })
})

describe('Tab', () => {
  it('offers the ids there are', async () => {
    const { dir } = createRepository(FILES)
    const environment = { configDir: '/nowhere', issues: null, issueFolder: null }
    expect(await issuesToName(environment, dir)).toEqual(['1', '2', '10'])
    expect(await issuesToName(environment, '/')).toEqual([])
  })
})

describe('signalbox issue next', () => {
  const next = (dir: string, options = {}) => at(dir, (setting) => issueNext(options, setting))

  it('[I9] tells the one to begin with, or that there is none', async () => {
    const repo = createRepository({
      ...FILES,
      '.signalbox/issues/11.md': '# Eleven\n',
      '.signalbox/issues/12.md': '# Twelve\n',
    })
    expect(await next(repo.dir)).toMatchObject({ code: 0, out: '11  Eleven  1 more could be begun\n' })
    expect(JSON.parse((await next(repo.dir, { json: true })).out)).toMatchObject({
      ...{ next: { id: '11' }, ready: ['11', '12'], underWay: ['2'], waiting: ['10'] },
    })
    expect(await next(createRepository(FILES).dir)).toMatchObject({
      ...{ code: 3, out: 'Nothing can be begun: 1 issue under way, 1 waiting for others.\n' },
    })
  })
})

describe('signalbox issue preflight', () => {
  const preflight = (dir: string, id = 'X-1', options = {}, env = {}) =>
    at(dir, (setting) => issuePreflight(id, options, setting), { env })
  const ready = (): Place => {
    const repo = createRepository({
      'TODO/X-1.md': '---\ndepends-on: [X-2]\n---\n',
      'TODO/X-2.md': '---\nstatus: done\n---\n',
      'TODO/X-3.md': '---\ndepends-on: [X-1]\n---\n',
      'TODO/X-4.md': '---\ndepends-on: [X-1, X-9]\n---\n',
      'TODO/X-5.md': '---\ndepends-on: [X-6]\n---\n',
      'TODO/X-6.md': '---\ndepends-on: [X-5]\n---\n',
    })
    repo.git('switch', '-q', '-c', 'work')
    return repo
  }

  it('[I8] is content with a clean branch of its own and an issue that waits for nothing', async () => {
    const { dir } = ready()
    expect(await preflight(dir)).toEqual({ code: 0, out: '✓ X-1 can be worked on here.\n', err: '' })
    expect(JSON.parse((await preflight(dir, 'X-1', { json: true })).out)).toEqual({
      issue: 'X-1',
      ready: true,
      problems: [],
    })
  })

  it.each<[number, string, (repo: Place) => string | undefined]>([
    [10, 'no-own-branch', (repo) => void repo.git('switch', '-q', 'main')],
    [10, 'detached-head', (repo) => void repo.git('switch', '-q', '--detach')],
    [10, 'bare-repository', (repo) => void repo.git('config', 'core.bare', 'true')],
    [10, 'no-repository', ({ dir }) => rmSync(join(dir, '.git'), { recursive: true }) as undefined],
    [10, 'tracker-missing', (repo) => void repo.git('rm', '-q', '-r', 'TODO')],
    [10, 'issue-not-found', () => 'X-7'],
    [11, 'not-clean', (repo) => repo.write('left.txt', 'lying about') as undefined],
    [12, 'dependency-unmet', () => 'X-3'],
    [13, 'dependency-missing', () => 'X-4'],
    [14, 'dependency-cycle', () => 'X-5'],
  ])('[I8] ends with %i for %s', async (code, name, spoil) => {
    const repo = ready()
    const id = spoil(repo) ?? 'X-1'
    const ran = await preflight(repo.dir, id)
    expect({ ...ran, err: ran.err.split('\n').length }).toEqual({ code, out: '', err: 2 })
    expect(ran.err).toMatch(new RegExp(`^error: .* \\(${name}\\)\n$`))
    const told = JSON.parse((await preflight(repo.dir, id, { json: true })).out)
    expect(told).toMatchObject({ issue: id, ready: false })
    expect(told.problems[0]).toMatchObject({ code: name, exit: code, problem: expect.any(String) })
  })

  it('[I8] takes another base, and in a run the issues as they are now', async () => {
    const repo = ready()
    expect((await preflight(repo.dir, 'X-1', { base: 'work' })).code).toBe(10)
    repo.write('TODO/X-8.md', '# New')
    expect((await preflight(repo.dir)).code).toBe(11)
    const run = { SIGNALBOX_RUN_FILE: '/x' }
    expect((await preflight(repo.dir, 'X-1', {}, run)).code).toBe(0)
    repo.write('left.txt', 'lying about')
    expect((await preflight(repo.dir, 'X-1', {}, run)).code).toBe(11)
  })
})
