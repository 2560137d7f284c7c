import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bringFiles } from './brought.ts'
import { ensureGround } from './ensure-ground.ts'
import { collectFor, createRepository, placeAt, requestFor, temporaryFolder } from './repository.fixture.ts'

async function runWith(brings: readonly string[], untracked: Readonly<Record<string, string>>) {
  const repo = createRepository({ 'a.txt': 'a\n' })
  for (const [name, text] of Object.entries(untracked)) repo.write(name, text)
  const request = { ...requestFor(repo), brings }
  const made = await ensureGround(request)
  if ('problem' in made) throw new Error(made.problem)
  return { repo, request, ground: request.ground, work: placeAt(request.ground.worktree) }
}

describe('[W17] files that git does not have', () => {
  it('are there for the run as named, for its owner only, and reach no commit', async () => {
    const { repo, request, work } = await runWith(['.env', 'config/local.json', 'absent', 'a.txt'], {
      '.env': 'KEY=1\n',
      'config/local.json': '{}\n',
      '.env.other': 'KEY=2\n',
      'a.txt': 'changed\n',
    })
    expect([work.read('.env'), work.read('config/local.json')]).toEqual(['KEY=1\n', '{}\n'])
    expect([work.has('.env.other'), work.has('absent'), work.read('a.txt')]).toEqual([false, false, 'a\n'])
    expect(statSync(join(work.dir, '.env')).mode & 0o777).toBe(0o600)
    work.write('b.txt', 'b\n')
    expect(work.git('status', '--porcelain')).toBe('?? b.txt')
    const done = await collectFor(request)
    expect(repo.git('show', '--format=', '--name-only', 'commit' in done ? done.commit : '')).toBe('b.txt')
  })

  it('are the ones that were named when it began', async () => {
    const { request, work } = await runWith(['.env'], { '.env': 'KEY=1\n', other: 'x\n' })
    await ensureGround({ ...request, brings: ['other'] })
    expect([work.has('.env'), work.has('other')]).toEqual([true, false])
  })

  it('replace nothing, and follow no link that a commit could have brought', async () => {
    const { repo, ground } = await runWith(['.env', 'config/local.json'], {
      '.env': 'KEY=1\n',
      'config/local.json': '{}\n',
    })
    const outside = placeAt(temporaryFolder())
    const to = temporaryFolder()
    symlinkSync(outside.dir, join(to, 'config'))
    writeFileSync(join(outside.dir, 'env'), 'kept\n')
    symlinkSync(join(outside.dir, 'env'), join(to, '.env'))
    await bringFiles({ ground, repo: repo.dir, to })
    expect([outside.read('env'), outside.has('local.json')]).toEqual(['kept\n', false])
  })
})
