/** What git takes as a repository, by git itself on a real disk. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repositoriesIn } from './nested-repositories.ts'
import { createRun, temporaryFolder } from './repository.fixture.ts'

const CONTENT: Readonly<Record<string, string>> = {
  HEAD: 'ref: refs/heads/main\n',
  commondir: '../other\n',
  config: '[core]\n\tbare = true\n',
}

describe('a folder that looks like a repository', () => {
  it('[W26] is found wherever git finds one', () => {
    const entry = fc.constantFrom(
      'HEAD',
      'commondir',
      'config',
      'objects/x',
      'refs/x',
      'refs/heads/main',
      'file',
    )
    const folder = fc.constantFrom('one', 'two/three', 'other', 'objects', 'other/HEAD')
    const names = fc.uniqueArray(
      fc.tuple(folder, entry).map((parts) => parts.join('/')),
      { minLength: 3, maxLength: 12 },
    )
    fc.assert(
      fc.property(names, (wanted) => {
        const root = temporaryFolder()
        execFileSync('git', ['init', '-q', root])
        const made = wanted.filter((name) => {
          try {
            mkdirSync(dirname(join(root, name)), { recursive: true })
            writeFileSync(join(root, name), CONTENT[name.slice(name.lastIndexOf('/') + 1)] ?? '', {
              flag: 'wx',
            })
            return true
          } catch {
            return false
          }
        })
        const byGit = foldersIn(root).filter((each) => isRepository(join(root, each)))
        expect(repositoriesIn(made)).toEqual(expect.arrayContaining(byGit))
      }),
      { numRuns: 25 },
    )
  })

  it('[W26] of the project’s own stays as long as its settings are the project’s', async () => {
    const files = {
      'fixture/HEAD': 'ref: refs/heads/main\n',
      'fixture/config': '[core]\n\tbare = true\n',
      'fixture/objects/keep': '',
      'fixture/refs/keep': '',
    }
    const { work, collected } = await createRun(files)
    work.write('fixture/refs/heads/main', 'x')
    const { commit, notes } = await collected()
    expect([notes, work.has('fixture/HEAD')]).toEqual([[], true])
    work.write('.gitignore', 'hooks\n')
    work.write('fixture/hooks/post-index-change', 'x')
    const again = await collected({ lastCommit: commit })
    expect([again.notes.length, work.has('fixture/HEAD')]).toEqual([1, false])
  })
})

function foldersIn(root: string, under = ''): string[] {
  return readdirSync(join(root, under), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== '.git')
    .flatMap(({ name }) => [join(under, name), ...foldersIn(root, join(under, name))])
}

function isRepository(folder: string): boolean {
  const { stdout } = spawnSync('git', ['rev-parse', '--absolute-git-dir'], { cwd: folder, encoding: 'utf8' })
  return stdout.trim() === folder
}
