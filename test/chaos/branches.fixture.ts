/** git, held against the journal: every commit that is named is there, in one line, and nothing is left locked. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { locksIn } from './leavings.fixture.ts'
import type { Project } from './project.fixture.ts'
import type { RecordedRun } from './record.fixture.ts'

export function problemsOfBranches(
  { repo }: Project,
  runs: readonly RecordedRun[],
  /** Those may end in the middle of work. */
  cancelled: ReadonlySet<string>,
): string[] {
  return [
    ...runs.flatMap((recorded) => problemsOfBranch(repo, recorded, cancelled.has(recorded.run))),
    ...locksIn(join(repo, '.git'))
      .filter((name) => ![...cancelled].some((run) => name.includes(run)))
      .map((name) => `git is left locked: ${name}`),
  ]
}

function problemsOfBranch(repo: string, { run, events }: RecordedRun, midway: boolean): string[] {
  const placed = events.find((event) => event.type === 'run.placed')
  if (placed === undefined) return [`run ${run}: it has no place`]
  const { branch, baseCommit, worktree } = placed.placement
  const named = events.flatMap((event) => (event.type === 'work.committed' ? [event.commit] : []))
  const line = git(repo, 'rev-list', '--reverse', '--first-parent', `${baseCommit}..refs/heads/${branch}`)
  if (line === null) return midway ? [] : [`run ${run}: its branch ${branch} is not there`]
  const commits = line.split('\n').filter((commit) => commit !== '')
  const places = named.map((commit) => commits.indexOf(commit))
  const problems: string[] = []
  named.forEach((commit, index) => {
    if (places[index] === -1) problems.push(`run ${run}: the commit ${commit} is not on its branch`)
    else if (index > 0 && places[index]! <= places[index - 1]!)
      problems.push(
        `run ${run}: the commit ${commit} stands before ${named[index - 1]}, which was told first`,
      )
  })
  const isEnded = events.some((event) => event.type === 'run.ended')
  if (midway || !isEnded || !existsSync(worktree)) return problems
  if ((commits.at(-1) ?? baseCommit) !== (named.at(-1) ?? baseCommit))
    problems.push(`run ${run}: ${commits.at(-1)} is on its branch, and the journal ends with ${named.at(-1)}`)
  const left = git(worktree, 'status', '--porcelain')
  if (left !== '') problems.push(`run ${run}: not committed: ${left}`)
  return problems
}

function git(cwd: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
