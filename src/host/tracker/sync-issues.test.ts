import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRepository, temporaryFolder } from '../workspace/repository.fixture.ts'
import { waitingChanges } from './bring-changes.ts'
import { markChange } from './change-marks.ts'
import { syncIssues } from './sync-issues.ts'

it('[W25] brings what runs changed, and moves no branch under somebody who has it checked out', async () => {
  const repo = createRepository({ 'TODO/1.md': '---\nstatus: Todo\n---\n' })
  repo.git('checkout', '-q', '-b', 'signalbox/issues')
  repo.write('TODO/1.md', '---\nstatus: Done\n---\n')
  repo.git('commit', '-qam', 'chore(todo): change 1\n\nSignalbox-Visit: r1 close 1')
  const kept = repo.git('rev-parse', 'HEAD')
  await markChange(join(repo.dir, '.git'), { commit: kept, visits: ['r1 close 1'] })
  repo.git('checkout', '-q', 'main')
  repo.write('mine.txt', 'mine\n')
  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', 'mine')
  const looking = join(temporaryFolder(), 'looking')
  repo.git('worktree', 'add', '-q', looking, 'signalbox/issues')
  const order = { repo: repo.dir, folders: ['TODO'], take: null, allowLoss: false }
  expect(await syncIssues(order)).toMatchObject({ commits: 1, issues: ['1'] })
  expect(repo.read('TODO/1.md')).toContain('Done')
  expect(repo.git('rev-parse', 'signalbox/issues')).toBe(kept)
  expect(repo.git('-C', looking, 'status', '--porcelain')).toBe('')
  expect(await syncIssues(order)).toMatchObject({ commits: 0 })
})

it('[Q33] believes no commit that only says whose change it is', async () => {
  const repo = createRepository({ 'TODO/1.md': '---\nstatus: Todo\n---\n' })
  const place = { git: { cwd: repo.dir }, folders: ['TODO'], gitDir: join(repo.dir, '.git') }
  repo.git('checkout', '-q', '-b', 'signalbox/issues')
  repo.write('TODO/1.md', '---\nstatus: Done\n---\n')
  repo.git('commit', '-qam', 'chore(todo): change 1\n\nSignalbox-Visit: r1 close 1')
  const change = repo.git('rev-parse', 'HEAD')
  await markChange(place.gitDir, { commit: change, visits: ['r1 close 1'] })
  repo.git('checkout', '-q', 'main')
  // An agent's commit that was landed says that the change is there already, and another that it is one.
  repo.write('a.txt', 'x')
  repo.git('add', '-A')
  repo.git('commit', '-qm', 'work\n\nSignalbox-Visit: r1 close 1')
  const onto = repo.git('rev-parse', 'HEAD')
  expect(await waitingChanges(place, { tip: change, onto })).toEqual([
    { commit: change, visit: 'r1 close 1' },
  ])
  expect(await waitingChanges(place, { tip: onto, onto: change })).toEqual([])
})

it('[Q32] brings nothing that would empty issues, unless a person says so', async () => {
  const text = '---\ntitle: One\n---\nThe parser loses blanks.\n'
  const repo = createRepository({ 'TODO/1.md': text, 'TODO/2.md': text, 'TODO/3.md': text })
  repo.git('checkout', '-q', '-b', 'signalbox/issues')
  repo.write('TODO/1.md', '---\ntitle: One\n---\n')
  repo.write('TODO/2.md', '')
  repo.git('rm', '-q', 'TODO/3.md')
  repo.git('commit', '-qam', 'chore(todo): change 1, 2, 3')
  repo.git('checkout', '-q', 'main')
  const order = { repo: repo.dir, folders: ['TODO'], take: null, allowLoss: false }
  const refused = await syncIssues(order)
  expect(refused).toMatchObject({ code: 'issues-lost' })
  for (const each of ['TODO/1.md', 'TODO/2.md', 'TODO/3.md: it is taken away', '--allow-loss'])
    expect('problem' in refused ? refused.problem : '').toContain(each)
  expect(repo.read('TODO/1.md')).toBe(text)
  expect(await syncIssues({ ...order, allowLoss: true })).toMatchObject({ commits: 1 })
})
