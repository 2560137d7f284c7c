import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRepository, temporaryFolder } from '../workspace/repository.fixture.ts'
import { syncIssues } from './sync-issues.ts'

it('[W25] brings what runs changed, and moves no branch under somebody who has it checked out', async () => {
  const repo = createRepository({ 'TODO/1.md': '---\nstatus: Todo\n---\n' })
  repo.git('checkout', '-q', '-b', 'signalbox/issues')
  repo.write('TODO/1.md', '---\nstatus: Done\n---\n')
  repo.git('commit', '-qam', 'chore(todo): change 1\n\nSignalbox-Visit: r1 close 1')
  const kept = repo.git('rev-parse', 'HEAD')
  repo.git('checkout', '-q', 'main')
  repo.write('mine.txt', 'mine\n')
  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', 'mine')
  const looking = join(temporaryFolder(), 'looking')
  repo.git('worktree', 'add', '-q', looking, 'signalbox/issues')
  const order = { repo: repo.dir, folders: ['TODO'], take: null }
  expect(await syncIssues(order)).toMatchObject({ commits: 1, issues: ['1'] })
  expect(repo.read('TODO/1.md')).toContain('Done')
  expect(repo.git('rev-parse', 'signalbox/issues')).toBe(kept)
  expect(repo.git('-C', looking, 'status', '--porcelain')).toBe('')
  expect(await syncIssues(order)).toMatchObject({ commits: 0 })
})
