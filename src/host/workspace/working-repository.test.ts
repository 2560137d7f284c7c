/** The worktree as people and as agents see it, where a sandbox can show each of them another `.git`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensureGround } from './ensure-ground.ts'
import {
  BRANCH,
  collectFor,
  createRepository,
  type Place,
  placeAt,
  requestFor,
} from './repository.fixture.ts'
import { tipOf } from './store.ts'

async function shown(files?: Readonly<Record<string, string>>, prepare?: (repo: Place) => void) {
  const repo = createRepository(files)
  prepare?.(repo)
  const request = { ...requestFor(repo), gitIsShown: true }
  const ensured = await ensureGround(request)
  if ('problem' in ensured) throw new Error(ensured.problem)
  const { ground } = request
  const env = { ...process.env, GIT_DIR: ground.agentRepo, GIT_WORK_TREE: ground.worktree }
  return {
    request,
    ground,
    repo,
    people: placeAt(ground.worktree),
    agents: (...args: string[]) =>
      execFileSync('git', args, { cwd: ground.worktree, env, encoding: 'utf8', stdio: 'pipe' }).trimEnd(),
    collect: async () => {
      const done = await collectFor(request)
      if ('problem' in done) throw new Error(done.problem)
      return done
    },
  }
}

describe('a worktree’s repository', () => {
  it('[W18] is the people’s on disk, which stands where the run does and has nothing of the agents’', async () => {
    const { ground, people, agents, collect } = await shown()
    expect(people.read('.git')).toBe(`gitdir: ${ground.peopleRepo}\n`)
    expect(people.git('status', '--porcelain')).toBe('')
    agents('config', 'core.fsmonitor', 'touch ran; false')
    people.write('a.txt', 'by an agent\n')
    agents('commit', '-qam', 'mine')
    people.write('b.txt', 'more\n')
    const { commit, notes } = await collect()
    expect(notes).toEqual([])
    expect([people.git('rev-parse', 'HEAD'), agents('rev-parse', 'HEAD')]).toEqual([commit, commit])
    expect(people.git('status', '--porcelain')).toBe('')
    expect(people.git('log', '--format=%s', '-2')).toBe('x\nmine')
    expect(people.git('branch', '--show-current')).toBe(BRANCH)
    expect(people.has('ran')).toBe(true)
    rmSync(join(people.dir, 'ran'))
    people.git('status')
    expect(people.has('ran')).toBe(false)
  })

  it('[W18] has a person’s commits taken in, and the agents’ repository follows', async () => {
    const { people, agents, collect } = await shown()
    people.write('a.txt', 'by hand\n')
    people.git('commit', '-qam', 'by hand')
    const made = people.git('rev-parse', 'HEAD')
    const { commit, notes } = await collect()
    expect([commit, notes, agents('rev-parse', 'HEAD')]).toEqual([made, [], made])
  })

  it('[W18] has a person’s commits before those that an agent made at the same time, and says so', async () => {
    const { people, agents, collect } = await shown()
    people.write('a.txt', 'by hand\n')
    people.git('commit', '-qam', 'by hand')
    people.write('b.txt', 'by an agent\n')
    agents('add', 'b.txt')
    agents('commit', '-qm', 'by an agent', 'b.txt')
    const { commit, notes } = await collect()
    expect(notes).toEqual([expect.stringMatching(/^commits of an agent were left out, /)])
    expect(people.git('log', '--format=%s', '-2')).toBe('x\nby hand')
    expect(people.git('show', `${commit}:b.txt`)).toBe('by an agent')
    expect(agents('rev-parse', 'HEAD')).toBe(commit)
  })

  it('[W9] of the agents is set without being read, whatever they put in the place of its files', async () => {
    const { ground, people, agents, collect } = await shown()
    const outside = join(ground.dir, '..', 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'index'), 'theirs')
    rmSync(join(ground.agentRepo, 'index'))
    symlinkSync(join(outside, 'index'), join(ground.agentRepo, 'index'))
    rmSync(join(ground.agentRepo, 'HEAD'))
    mkdirSync(join(ground.agentRepo, 'HEAD'))
    people.write('a.txt', 'more\n')
    const { commit } = await collect()
    expect(placeAt(outside).read('index')).toBe('theirs')
    expect(agents('rev-parse', 'HEAD')).toBe(commit)
    rmSync(join(ground.agentRepo, 'refs/heads'), { recursive: true })
    symlinkSync(outside, join(ground.agentRepo, 'refs/heads'))
    people.write('a.txt', 'again\n')
    const last = await collect()
    expect(await tipOf(ground, BRANCH)).toBe(last.commit)
    expect(placeAt(outside).has('signalbox')).toBe(false)
    expect(people.git('rev-parse', 'HEAD')).toBe(last.commit)
  })

  it('[W18] runs no filter of the project’s, and says so where one is needed', async () => {
    const { people } = await shown({ 'a.txt': 'a\n', '.gitattributes': '*.txt filter=own\n' }, (repo) => {
      repo.git('config', 'filter.own.clean', 'sh ./tools/clean')
      repo.git('config', 'filter.own.smudge', 'cat')
      repo.git('config', 'filter.own.required', 'true')
      repo.git('config', 'core.hooksPath', 'tools/hooks')
    })
    expect(people.git('status', '--porcelain')).toBe('')
    people.write('tools/clean', 'touch ran; exec cat\n')
    people.write('a.txt', 'more\n')
    expect(people.git('status', '--short')).toBe(' M a.txt\n?? tools/')
    const { stderr } = spawnSync('git', ['add', 'a.txt'], { cwd: people.dir, encoding: 'utf8' })
    expect(stderr).toMatch(/^This filter is off /)
    expect(people.has('ran')).toBe(false)
    expect(people.git('config', '--get', 'core.hooksPath')).toBe('/dev/null')
  })
})
