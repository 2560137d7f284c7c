/** A branch of issues that was fetched from somebody else, with names in its trees that git itself would never write. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { issuesNow } from '../../src/host/tracker/issues-now.ts'
import type { Place } from '../../src/host/workspace/repository.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()
const BRANCH = 'signalbox/issues'
const RUNBOOK = `
  agents: { dev: {} }
  steps:
    develop: { agent: dev, gate: 'test -f a.txt', next: file }
    file: { check: 'echo more >> "$SIGNALBOX_ISSUES/TODO/1.md"; true', issues: write, next: done, on: { failed: abandoned, else: abandoned } }
`

const inGit = (repo: Place, input: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: repo.dir, input, encoding: 'utf8' }).trim()

/** A commit on top of the user's, whose issue folder leads to this file through as many \`..\` as it takes. */
function plantBranch(repo: Place, target: string): string {
  const blob = inGit(repo, '#!/bin/sh\necho owned\n', 'hash-object', '-w', '--stdin')
  const tree = (lines: string): string => inGit(repo, lines, 'mktree', '--missing')
  const [file = '', ...folders] = target
    .split('/')
    .filter((name) => name !== '')
    .reverse()
  const way = [...folders, ...Array.from({ length: 24 }, () => '..')]
  const evil = way.reduce(
    (inner, name) => tree(`040000 tree ${inner}\t${name}\n`),
    tree(`100755 blob ${blob}\t${file}\n`),
  )
  const issues = tree(`040000 tree ${evil}\t..\n100644 blob ${blob}\t1.md\n`)
  const commit = inGit(
    repo,
    'evil\n',
    'commit-tree',
    tree(`040000 tree ${issues}\tTODO\n`),
    '-p',
    repo.git('rev-parse', 'HEAD'),
  )
  repo.git('update-ref', `refs/heads/${BRANCH}`, commit)
  return repo.git('ls-tree', '-r', '--name-only', commit)
}

attack(
  '[W33] nothing of it is read or written, and it is said what to do',
  {
    files: { 'a.txt': 'a\n', 'TODO/1.md': '# One\n' },
    runbook: RUNBOOK,
    prepare: ({ house: { repo }, victim }) => {
      expect(plantBranch(repo, join(victim.documents, 'owned'))).toContain('/../../')
    },
    plays: ({ plant }) => ({ develop: [[plant('work', 'echo more >> a.txt')]] }),
  },
  async ({ house: { repo }, run, victim }) => {
    expect(await run.end()).toBe('abandoned')
    expect(JSON.stringify(await run.events())).toContain(`git branch -D ${BRANCH}`)
    const place = { repo: repo.dir, configured: 'TODO', base: repo.git('rev-parse', 'main') }
    await expect(issuesNow(place)).rejects.toThrow(/leads out of its folder/)
    expect(existsSync(join(victim.documents, 'owned'))).toBe(false)
  },
)
