/**
 * Repositories as somebody who starts a run meets them: which there are, what can be run in them and on what. All of it is read from the user's
 * own checkout, on the owner's word; the worktree of a run is none, for what git is told there an agent wrote.
 */
import type { Journal } from '../../journal/index.ts'
import type {
  IssueOrder,
  KnownRepository,
  ListedIssue,
  RepositoryLook,
} from '../../model/api/repositories.ts'
import type { Rejection } from '../../model/refusal.ts'
import { titleRefusal } from '../../tracker/edit-issue.ts'
import { type Issue, isDone } from '../../tracker/issue.ts'
import { unmetDependencies } from '../../tracker/readiness.ts'
import { isRefused } from '../../tracker/refusal.ts'
import type { IssueTracker } from '../../tracker/tracker.ts'
import { fileIssues, openTracker } from '../issue/issues.ts'
import type { Home } from '../machine/home.ts'
import { RUN_FACETS, RUNS, type RunRow } from '../runs/projection.ts'
import { worktreeProblem } from '../runs/start.ts'
import { codeOf } from '../workspace/file-error.ts'
import { isFolder, topLevel } from '../workspace/preflight.ts'

export interface Repositories {
  list(): Promise<readonly KnownRepository[]>
  look(dir: string): Promise<RepositoryLook | Rejection>
  createIssue(order: IssueOrder): Promise<ListedIssue | Rejection>
}

export interface RepositoryNeeds {
  readonly journal: Pick<Journal, 'list'>
  readonly home: Pick<Home, 'worktrees'>
  /** Where the host was started; null: nowhere in particular. */
  readonly startedIn: string | null
  readonly issueFolderFor: (repo: string) => string | null
  /** The runbooks that stand in a repository, by name. */
  readonly runbooksIn: (repo: string) => RepositoryLook['runbooks']
}

const MOST_RUNS = 1000

export function createRepositories(needs: RepositoryNeeds): Repositories {
  const within = async <T>(
    dir: string,
    act: (repo: string) => Promise<T | Rejection>,
  ): Promise<T | Rejection> => {
    const taken = await worktreeProblem(dir, needs.home)
    if (taken !== null) return notThere(taken)
    const top = await topLevel(dir)
    if ('problem' in top) return notThere(top.problem)
    try {
      return await act(top.repo)
    } catch (error) {
      if (codeOf(error) === '') throw error
      return notThere(`The issues cannot be used: ${(error as Error).message}`)
    }
  }
  return {
    list: () => knownRepositories(needs),
    look: (dir) =>
      within(dir, async (repo) => {
        const tracker = await openTracker({ repo, configured: needs.issueFolderFor(repo) })
        return {
          repo,
          runbooks: needs.runbooksIn(repo),
          issues: tracker?.issues.map((issue) => listed(issue, tracker)) ?? [],
          problems: tracker?.problems.map(({ problem }) => problem) ?? [],
        }
      }),
    createIssue: ({ dir, title, body }) =>
      within(dir, async (repo) => {
        const draft = { title, body, parent: '', labels: [], dependsOn: [], category: '' }
        const filed = await fileIssues(
          { repo, configured: needs.issueFolderFor(repo) },
          { count: 1, drafts: () => titleRefusal({ title }) ?? [draft] },
        )
        if (isRefused(filed)) return notThere(filed.problem)
        const issue = filed.tracker.byId.get(filed.ids[0] ?? '')
        if (issue === undefined) throw new Error(`${filed.ids[0]} was written and is not there`)
        return listed(issue, filed.tracker)
      }),
  }
}

const notThere = (problem: string): Rejection => ({ code: 'not-started', problem })

async function knownRepositories(needs: RepositoryNeeds): Promise<KnownRepository[]> {
  const pages = await Promise.all(
    RUN_FACETS.map((facet) => needs.journal.list({ model: RUNS, facet, before: null, limit: MOST_RUNS })),
  )
  const latest = new Map<string, number>()
  for (const { data } of pages.flat()) {
    const { repo, startedAt } = data as RunRow
    latest.set(repo, Math.max(startedAt, latest.get(repo) ?? 0))
  }
  const known = [...latest]
    .sort(([, one], [, other]) => other - one)
    .map(([repo, lastRunAt]) => ({ repo, lastRunAt }))
  const here = needs.startedIn === null ? null : await placeOf(needs.startedIn, needs)
  const all = here === null || latest.has(here) ? known : [...known, { repo: here, lastRunAt: null }]
  const there = await Promise.all(all.map(({ repo }) => isFolder(repo)))
  return all.filter((_, index) => there[index])
}

async function placeOf(dir: string, { home }: RepositoryNeeds): Promise<string | null> {
  if ((await worktreeProblem(dir, home)) !== null) return null
  const top = await topLevel(dir)
  return 'repo' in top ? top.repo : null
}

function listed(issue: Issue, tracker: IssueTracker): ListedIssue {
  const { id, title, status, labels, parent, path } = issue
  const waitsFor = unmetDependencies(issue, tracker)
  return { id, title, status, isDone: isDone(issue), labels, parent, path, waitsFor }
}
