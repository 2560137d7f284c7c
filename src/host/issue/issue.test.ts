import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createRepository, temporaryFolder } from '../workspace/repository.fixture.ts'
import { type Issue, listIssues, readIssue, unmetDependencies } from './issue.ts'
import { newIssue } from './new-issue.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const repo = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, name)), { recursive: true })
    writeFileSync(join(repo, name), text)
  }
  return repo
}

const idOf = (issue: object): string => ('id' in issue ? String(issue.id) : JSON.stringify(issue))

describe('an issue', () => {
  it('is read from either folder', async () => {
    const repo = folderWith({
      'TODO/GAL-2.md':
        '---\ntitle: Second\nstatus: In Progress\ndepends-on: [GAL-1]\nparent: GAL-0\nlabels: [bug, tech-debt]\n---\nBody\n',
      '.signalbox/issues/7.md': '# Seventh\n\nText\n',
    })
    expect(await readIssue({ repo, id: 'GAL-2' })).toEqual({
      id: 'GAL-2',
      title: 'Second',
      status: 'In Progress',
      dependsOn: ['GAL-1'],
      parent: 'GAL-0',
      labels: ['bug', 'tech-debt'],
      body: 'Body',
      path: 'TODO/GAL-2.md',
    })
    expect(await readIssue({ repo, id: '7' })).toMatchObject({
      title: 'Seventh',
      status: 'Todo',
      dependsOn: [],
    })
  })

  it('that is malformed, missing or a link is told', async () => {
    const repo = folderWith({ 'TODO/1.md': '---\nbroken\n---\n', 'TODO/x': '' })
    symlinkSync('/etc/hostname', join(repo, 'TODO/2.md'))
    expect(await readIssue({ repo, id: '1' })).toEqual({
      problem: expect.stringContaining('TODO/1.md, line 2'),
    })
    expect(await readIssue({ repo, id: '2' })).toEqual({ problem: expect.stringContaining('it is a link') })
    expect(await readIssue({ repo, id: '3' })).toEqual({
      problem: expect.stringContaining('There is no issue 3'),
    })
  })

  it.each(['../secret', '..', '', 'a/b', '/etc/passwd', '-rf', 'a\0b', 'a\nb', '.hidden', 'a..b'])(
    'has no id like %j',
    async (id) => {
      const repo = folderWith({ 'secret.md': 'x', 'TODO/x.md': '' })
      expect(await readIssue({ repo, id })).toEqual({
        problem: expect.stringContaining('not the id of an issue'),
      })
    },
  )

  it('is listed in order, with what cannot be read beside', async () => {
    const repo = folderWith({
      'TODO/10.md': '# Ten',
      'TODO/9.md': '# Nine',
      'TODO/README.md': 'not an issue',
      'TODO/bad.md': '---\n',
    })
    const { issues, problems } = await listIssues({ repo })
    expect(issues.map(({ id }) => id)).toEqual(['9', '10'])
    expect(problems).toEqual([{ problem: expect.stringContaining('TODO/bad.md') }])
    expect(await listIssues({ repo: join(repo, 'none') })).toEqual({ issues: [], problems: [] })
  })

  it('[W2] waits for what it depends on', () => {
    const issue = (id: string, status: string, dependsOn: string[] = []): Issue => ({
      ...{ id, status, dependsOn, title: id, parent: '', labels: [], body: '', path: '' },
    })
    const all = [issue('1', 'DONE'), issue('2', 'In Progress'), issue('3', 'Todo', ['1', '2', '9'])]
    expect(unmetDependencies(all[2] as Issue, all)).toEqual([
      { id: '2', why: '2 is In Progress' },
      { id: '9', why: '9 has no file that can be read' },
    ])
  })
})

describe('a new issue', () => {
  it('gets the next number, in the folder and with the prefix that are in use', async () => {
    const repo = createRepository().dir
    expect(await newIssue({ repo, title: 'First: "x"\nof all', body: 'Body' })).toMatchObject({
      id: '1',
      path: '.signalbox/issues/1.md',
    })
    expect(await readIssue({ repo, id: '1' })).toMatchObject({
      title: 'First: "x" of all',
      status: 'Todo',
      body: 'Body',
    })
    const other = folderWith({ 'TODO/GAL-41.md': '# x', 'TODO/GAL-9.md': '# x' })
    expect(await newIssue({ repo: other, title: 'x', body: '' })).toMatchObject({ path: 'TODO/GAL-42.md' })
    expect(await newIssue({ repo: other, title: ' ', body: '' })).toEqual({ problem: expect.any(String) })
  })

  it('never shares its number, even in another worktree of the repository', async () => {
    const repo = createRepository()
    const path = join(temporaryFolder(), 'second')
    repo.git('worktree', 'add', '-q', '-b', 'second', path)
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        newIssue({ repo: n % 2 ? repo.dir : path, title: `n${n}`, body: '' }),
      ),
    )
    expect(new Set(made.map(idOf)).size).toBe(20)
    expect(readdirSync(join(repo.dir, '.signalbox/issues'))).toHaveLength(10)
    expect(readdirSync(join(path, '.signalbox/issues'))).toHaveLength(10)
  })

  it.each(['git', 'plain'])('never shares its number with other processes, in a %s folder', async (kind) => {
    const repo = kind === 'git' ? createRepository().dir : temporaryFolder()
    const page = fileURLToPath(new URL('new-issue.ts', import.meta.url))
    const script = `
      const { newIssue } = await import(${JSON.stringify(page)})
      const made = await Promise.all([1, 2, 3, 4, 5].map(() => newIssue({ repo: ${JSON.stringify(repo)}, title: 'x', body: '' })))
      console.log(made.map((each) => each.id ?? each.problem).join(' '))`
    const outputs = await Promise.all(
      [1, 2, 3, 4].map(
        () =>
          new Promise<string>((done) => {
            const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
              stdio: ['ignore', 'pipe', 'inherit'],
            })
            let text = ''
            child.stdout.on('data', (piece: Buffer) => {
              text += piece.toString()
            })
            child.on('close', () => done(text))
          }),
      ),
    )
    const ids = outputs.flatMap((text) => text.trim().split(' ')).map(Number)
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(readdirSync(join(repo, '.signalbox/issues'))).toHaveLength(20)
  })
})
