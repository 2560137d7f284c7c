import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BRANCH, createRepository, createRun, type Place, temporaryFolder } from './repository.fixture.ts'

const commit = (work: Place, name: string): string => {
  work.write(name, `${name}\n`)
  work.git('add', '-A')
  work.git('commit', '-qm', name)
  return work.git('rev-parse', 'HEAD')
}

const standsAt = (work: Place) => ({
  commit: work.git('rev-parse', 'HEAD'),
  branch: work.git('symbolic-ref', '--short', 'HEAD'),
})

describe('the branch of a run', () => {
  it('[W1] [W11] grows by commits of the agent, here and in the user’s repository', async () => {
    const { repo, work, collected } = await createRun()
    const made = commit(work, 'one')
    expect(await collected()).toMatchObject({ commit: made, notes: [] })
    expect(standsAt(work)).toEqual({ commit: made, branch: BRANCH })
    expect(repo.git('rev-parse', BRANCH)).toBe(made)
    expect(repo.git('show', `${BRANCH}:one`)).toBe('one')
  })

  it('[W4] is put back after an amended commit; the files stay, as a commit of their own', async () => {
    const { work, repo, collected } = await createRun()
    commit(work, 'one')
    const { commit: last } = await collected()
    work.write('one', 'amended\n')
    work.git('commit', '-qa', '--amend', '-m', 'other')
    const { commit: next, notes } = await collected({ lastCommit: last })
    expect(notes).toEqual([expect.stringContaining('rewritten')])
    expect(repo.git('rev-parse', `${next}~1`)).toBe(last)
    expect(standsAt(work)).toEqual({ commit: next, branch: BRANCH })
    expect(work.read('one')).toBe('amended\n')
    expect(await collected({ lastCommit: next })).toMatchObject({ commit: next, notes: [] })
  })

  it('[W4] is put back when the agent worked on a branch of its own', async () => {
    const { work, base, collected } = await createRun()
    work.git('checkout', '-q', '-b', 'feature')
    commit(work, 'one')
    work.write('two', 'two\n')
    const { commit: made, notes } = await collected()
    expect(notes).toEqual([expect.stringContaining('feature was checked out')])
    expect(standsAt(work)).toEqual({ commit: made, branch: BRANCH })
    expect(work.git('diff', '--name-only', base, made)).toBe('one\ntwo')
  })

  it('has its own files again when the agent only looked at something else', async () => {
    const { work, base, collected } = await createRun()
    commit(work, 'one')
    const { commit: last } = await collected()
    work.git('checkout', '-q', '--detach', base)
    expect(work.has('one')).toBe(false)
    const { commit: next, notes } = await collected({ lastCommit: last })
    expect(notes).toEqual([expect.stringContaining('HEAD was detached')])
    expect(next).toBe(last)
    expect(work.read('one')).toBe('one\n')
    expect(standsAt(work)).toEqual({ commit: last, branch: BRANCH })
  })

  it('is made again when it was deleted or renamed', async () => {
    const { work, base, collected } = await createRun()
    work.git('branch', '-m', BRANCH, 'renamed')
    expect(await collected()).toMatchObject({ commit: base })
    expect(standsAt(work)).toEqual({ commit: base, branch: BRANCH })
  })

  it('is put back in the middle of a rebase with conflicts, and from a branch without a commit', async () => {
    const { work, base, collected } = await createRun()
    commit(work, 'one')
    const { commit: last } = await collected()
    work.git('checkout', '-q', '-b', 'other', base)
    work.write('one', 'other\n')
    work.git('add', '-A')
    work.git('commit', '-qm', 'other')
    work.git('checkout', '-q', BRANCH)
    expect(() => work.git('rebase', 'other')).toThrow()
    const { commit: next, notes } = await collected({ lastCommit: last })
    expect(notes.join()).toContain('HEAD was detached')
    expect(work.git('status')).not.toContain('rebas')
    expect(standsAt(work)).toEqual({ commit: next, branch: BRANCH })
    work.git('checkout', '-q', '--orphan', 'fresh')
    await collected({ lastCommit: next })
    expect(standsAt(work)).toEqual({ commit: next, branch: BRANCH })
  })

  it('[W10] takes no commit whose objects are missing, broken or of another repository', async () => {
    const { ground, work, base, collected } = await createRun()
    const other = createRepository({ secret: 'theirs\n' })
    const borrowed = [join(other.dir, '.git/objects'), join(ground.store, 'objects')]
    writeFileSync(
      join(ground.agentRepo, 'objects/info/alternates'),
      borrowed.map((each) => `${each}\n`).join(''),
    )
    const stolen = other.git('rev-parse', 'HEAD^{tree}')
    execFileSync('sh', [
      '-c',
      `cd "$0" && rm -f packed-refs && mkdir -p refs/heads/signalbox`,
      ground.agentRepo,
    ])
    const made = execFileSync('git', ['commit-tree', stolen, '-m', 'x'], {
      cwd: other.dir,
      encoding: 'utf8',
    }).trim()
    writeFileSync(join(ground.agentRepo, `refs/heads/${BRANCH}`), `${made}\n`)
    const { commit, notes } = await collected()
    expect(commit).toBe(base)
    expect(notes.join()).toContain('rewritten')
    expect(standsAt(work)).toEqual({ commit: base, branch: BRANCH })
  })

  it('[W9] runs nothing of the agent’s settings in the host’s own git', async () => {
    const { ground, work, repo, collected } = await createRun()
    const folder = temporaryFolder()
    const trap = join(folder, 'trap')
    // The agent's own git, in its sandbox, may run what it likes; the host's says that it is none of that.
    writeFileSync(
      trap,
      `#!/bin/sh\n[ "$GIT_DIR" = '${ground.agentRepo}' ] || touch '${join(folder, 'ran')}'\ncat\n`,
    )
    chmodSync(trap, 0o755)
    for (const key of [
      'core.fsmonitor',
      'filter.x.clean',
      'filter.x.smudge',
      'diff.x.textconv',
      'diff.external',
    ])
      work.git('config', key, trap)
    work.git('config', 'core.hooksPath', folder)
    work.git('config', 'uploadpack.packObjectsHook', trap)
    work.git('config', 'core.alternateRefsCommand', trap)
    mkdirSync(join(ground.agentRepo, 'hooks'), { recursive: true })
    for (const hook of ['reference-transaction', 'post-index-change', 'post-checkout'])
      writeFileSync(join(folder, hook), `#!/bin/sh\nexec ${trap}\n`, { mode: 0o755 })
    work.write('.gitattributes', '* filter=x diff=x\n')
    work.write('a.txt', 'changed\n')
    const { commit } = await collected({ boundary: [['a.txt']] })
    expect(repo.git('show', `${commit}:a.txt`)).toBe('changed')
    expect(() => execFileSync('ls', [join(folder, 'ran')], { stdio: 'ignore' })).toThrow()
  })

  it('[W28] takes no commit that describes millions of files, and stays small itself', async () => {
    const { work, base, collected } = await createRun()
    // Five levels of thirty-two entries each, all of them the same tree.
    const bomb = `
      tree=$(printf '100644 blob %s\tx\n' "$(printf x | git hash-object -w --stdin)" | git mktree)
      for level in 1 2 3 4 5; do
        tree=$(for nth in $(seq 1 32); do printf '040000 tree %s\td%s\n' "$tree" "$nth"; done | git mktree)
      done
      git update-ref HEAD "$(git commit-tree -p HEAD -m bomb "$tree")"`
    execFileSync('sh', ['-c', bomb], { cwd: work.dir, stdio: 'pipe' })
    const before = process.memoryUsage.rss()
    const { commit, notes } = await collected()
    expect([commit, notes]).toEqual([base, [expect.stringContaining('they have too many files')]])
    expect(process.memoryUsage.rss() - before).toBeLessThan(500_000_000)
  })
})
