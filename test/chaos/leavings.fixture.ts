/** What a killed host leaves on disk: the moments between two truths that the storm is there to hit. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Project } from './project.fixture.ts'

/** An answer that was given and not taken, a change of issues that may be committed or not, a git lock, an index of our own. */
export function lyingAbout({ home, repo }: Project): string[] {
  const reported = filesIn(home.answers).filter((name) => name.endsWith('.json') && !name.includes('taken'))
  const written = filesIn(home.worktrees, 1).flatMap((worktree) =>
    filesIn(join(home.worktrees, worktree, '.signalbox/run'), 1).filter((name) => name.startsWith('answer-')),
  )
  const locks = filesIn(join(repo, '.git')).filter((name) => isLock(name))
  const changes = filesIn(home.grounds, 1).flatMap((run) =>
    filesIn(join(home.grounds, run), 1).filter((name) => name === 'issue-change.json'),
  )
  return [
    ...(reported.length > 0 ? ['answer over MCP'] : []),
    ...(written.length > 0 ? ['answer in a file'] : []),
    ...(changes.length > 0 ? ['change of issues'] : []),
    ...(locks.length > 0 ? ['git lock'] : []),
  ]
}

export const locksIn = (gitDir: string): string[] => filesIn(gitDir).filter(isLock)

const isLock = (name: string): boolean => name.endsWith('.lock') || name.includes('signalbox-index')

function filesIn(dir: string, depth?: 1): string[] {
  return existsSync(dir) ? readdirSync(dir, { recursive: depth === undefined, encoding: 'utf8' }) : []
}
