import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openOperations } from '../../http/doors.fixture.ts'
import { createMemoryJournal } from '../../journal/index.ts'
import { homeAt } from '../machine/home.ts'
import { createRepository, temporaryFolder } from '../workspace/repository.fixture.ts'
import { createRepositories } from './repositories.ts'

const issue = (id: string, front: string) => ({
  [`.signalbox/issues/${id}.md`]: `---\n${front}\n---\nBody of ${id}\n`,
})

function openFolder() {
  const repository = createRepository({
    'a.txt': 'a',
    ...issue('1', 'title: First\nstatus: Done'),
    ...issue('2', 'title: Second\ndepends-on: [1, 3]\nlabels: [bug]'),
    ...issue('3', 'title: Third'),
    ...issue('4', 'no front matter'),
  })
  const home = homeAt(temporaryFolder())
  const repositories = createRepositories({
    journal: createMemoryJournal(),
    home,
    issueFolderFor: () => null,
    startedIn: join(repository.dir, '.signalbox'),
    runbooksIn: (repo) => [{ name: 'ship', file: `${repo}/ship.yaml` }],
  })
  return { repositories, home, dir: repository.dir }
}

describe('repositories', () => {
  it('[U14] are told with their runbooks and issues, and what each issue waits for', async () => {
    const { repositories, dir } = openFolder()
    expect(await repositories.list()).toEqual([{ repo: dir, lastRunAt: null }])
    const look = await repositories.look(join(dir, '.signalbox/issues'))
    expect(look).toMatchObject({
      repo: dir,
      runbooks: [{ name: 'ship', file: `${dir}/ship.yaml` }],
      issues: [
        { id: '1', title: 'First', isDone: true, waitsFor: [] },
        { id: '2', isDone: false, labels: ['bug'], waitsFor: [{ id: '3', why: '3 is Todo' }] },
        { id: '3', status: 'Todo', waitsFor: [] },
      ],
      problems: [expect.stringContaining('.signalbox/issues/4.md, line 2')],
    })
  })

  it('[U14] get new issues under the next number', async () => {
    const { repositories, dir } = openFolder()
    const made = await repositories.createIssue({ dir, title: 'Fourth\nin two lines', body: 'Do it.' })
    expect(made).toMatchObject({ id: '5', title: 'Fourth in two lines', isDone: false })
    expect(await repositories.look(dir)).toMatchObject({ issues: expect.arrayContaining([made]) })
  })

  it('[U14] are never the worktree of a run, whatever leads there', async () => {
    const { repositories, home, dir } = openFolder()
    mkdirSync(join(home.worktrees, 'one'), { recursive: true })
    const link = join(dir, 'link')
    symlinkSync(join(home.worktrees, 'one'), link)
    for (const place of [join(home.worktrees, 'one'), link]) {
      expect(await repositories.look(place)).toMatchObject({
        problem: expect.stringContaining('worktree of a run'),
      })
      expect(await repositories.createIssue({ dir: place, title: 'x', body: '' })).toMatchObject({
        problem: expect.stringContaining('worktree of a run'),
      })
    }
  })
})

describe('a start that is only looked at', () => {
  it('[U14] says what will be run, and what it would be refused with in the same words as the start', async () => {
    const { operations, repo, runbook, begin } = openOperations()
    const order = { runbook, dir: repo, base: null, issue: null, vars: { what: 'x' } }
    expect(await operations.preflight(order)).toMatchObject({
      problems: [],
      program: { name: 'sign-off' },
      ground: { repo, base: 'main' },
      issue: null,
    })
    writeFileSync(join(repo, 'a.txt'), 'changed')
    const wrong = { ...order, base: 'gone', issue: '9', vars: { odd: 'y' } }
    const [looked, started] = [await operations.preflight(wrong), await operations.start(wrong)]
    expect(looked).toMatchObject({ ground: null, program: { name: 'sign-off' } })
    expect(looked.problems.length).toBeGreaterThan(2)
    expect(started).toEqual({ problems: looked.problems })
    expect(await operations.runs({ all: true, limit: 9 })).toEqual([])
    writeFileSync(join(repo, 'a.txt'), 'a')
    await begin()
    expect(await operations.repositories.list()).toMatchObject([{ repo, lastRunAt: 1_000_000 }])
  })

  it('[W34] compiles no runbook that lies in the worktree of a run, by whichever path', async () => {
    const { operations, repo, home } = openOperations()
    const agents = join(home.worktrees, 'one')
    mkdirSync(agents, { recursive: true })
    const way = join(repo, 'way')
    symlinkSync(agents, way)
    // Not there: whoever compiled it would fail with that.
    for (const runbook of [join(agents, 'evil.ts'), join(way, 'evil.ts')]) {
      const order = { runbook, dir: repo, base: null, issue: null, vars: {} }
      const told = { problems: [expect.stringContaining('is in the worktree of a run')] }
      expect(await operations.preflight(order)).toMatchObject({ ...told, program: null })
      expect(await operations.start(order)).toEqual(told)
    }
  })

  it('[U14] the text of a runbook is the file that the run was started with, and never what a link leads to', async () => {
    const { operations, begin, runbook, repo } = openOperations()
    const run = await begin()
    expect(await operations.runbook(run)).toMatchObject({
      file: runbook,
      text: expect.stringContaining('name: sign-off'),
    })
    writeFileSync(join(repo, 'secret'), 'secret')
    unlinkSync(runbook)
    symlinkSync(join(repo, 'secret'), runbook)
    expect(await operations.runbook(run)).toMatchObject({
      code: 'not-found',
      problem: expect.stringContaining('is a link'),
    })
  })
})
