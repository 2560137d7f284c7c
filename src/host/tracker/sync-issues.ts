/**
 * What runs changed of issues, brought to the branch that a person stands on, because they say so: as the commits that runs
 * made where they fit one by one, else as one. By the user's own git in their checkout, which overwrites nothing of theirs.
 */
import { resolve } from 'node:path'
import { type IssueRefusal, refuse } from '../../tracker/refusal.ts'
import { namesOf, someNames } from '../workspace/file-name.ts'
import { GitFailure, type GitOptions, git, gitLine, gitOutput, sentenceOf } from '../workspace/git.ts'
import { NOBODY } from '../workspace/user-settings.ts'
import { bringChanges, type MarkedPlace, toldOfMove, waitingChanges } from './bring-changes.ts'
import { markChange } from './change-marks.ts'
import { effectiveTracker, type TrackerNow } from './effective-tracker.ts'
import { commitOn, idOfPath } from './issue-change.ts'
import { differences, filesOfCommit, type IssueFiles, type TrackerPlace } from './issue-files.ts'
import { ISSUES_REF } from './issues-ref.ts'
import { lossesIn, lossesText } from './losses.ts'

export interface SyncOrder {
  /** The top of the user's checkout. */
  readonly repo: string
  readonly folders: readonly string[]
  /** Whose version stands where both contradict each other; null: nobody's, and nothing is done. */
  readonly take: 'mine' | 'runs' | null
  /** Also what takes issues away, or most of their text. */
  readonly allowLoss: boolean
}

export interface SyncedIssues {
  readonly branch: string
  /** Where it stands now; the same as before where nothing waited. */
  readonly commit: string
  readonly before: string
  readonly commits: number
  /** Ids of the issues that changed by it. */
  readonly issues: readonly string[]
}

export async function syncIssues(order: SyncOrder): Promise<SyncedIssues | IssueRefusal> {
  const { repo, folders } = order
  const gitDir = resolve(repo, await gitLine(['rev-parse', '--git-common-dir'], { cwd: repo }))
  const place = { git: await asSomebody({ cwd: repo }), folders, gitDir }
  const on = await git(['symbolic-ref', '-q', '--short', 'HEAD'], place.git)
  const head = await git(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], place.git)
  if (on.code !== 0 || head.code !== 0)
    return refuse(
      'detached-head',
      'No branch with a commit is checked out here. Check one out: git switch BRANCH',
    )
  const unclean = await uncommitted(place)
  if (unclean.length > 0)
    return refuse(
      'not-clean',
      `There are changes of issues that are not committed: ${someNames(unclean)}. Commit or stash them first.`,
    )
  const [branch, before] = [on.stdout.trim(), head.stdout.trim()]
  const tip = await issuesTip(place.git)
  return tip === null
    ? { branch, commit: before, before, commits: 0, issues: [] }
    : synced(place, order, { branch, before, tip })
}

/** Whoever has no name for git yet is given the one that runs commit with. */
async function asSomebody(at: GitOptions): Promise<GitOptions> {
  if ((await git(['var', 'GIT_COMMITTER_IDENT'], at)).code === 0) return at
  const [name, email] = NOBODY.map(({ value }) => value)
  const who = { NAME: name ?? '', EMAIL: email ?? '' }
  const env = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(who).map(([part, value]) => [`GIT_${role}_${part}`, value]),
  )
  return { ...at, env: Object.fromEntries(env) }
}

/** Null where no run changed any. */
export async function issuesTip(at: TrackerPlace['git']): Promise<string | null> {
  const { code, stdout } = await git(['rev-parse', '-q', '--verify', `${ISSUES_REF}^{commit}`], at)
  return code === 0 ? stdout.trim() : null
}

/** Ids of the issues that differ from what they would be with all that runs changed. */
export async function waitingIssues(place: TrackerPlace): Promise<readonly string[]> {
  const tip = await issuesTip(place.git)
  const head = await git(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], place.git)
  if (tip === null || head.code !== 0) return []
  const base = head.stdout.trim()
  const { files, conflicts } = await effectiveTracker(place, { base, tip })
  return idsOf([...differences(await filesOfCommit(place, base), files), ...conflicts])
}

const idsOf = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => idOfPath(path) ?? [])),
]

/** Paths of files in the folders of issues. */
export async function uncommitted({ git: at, folders }: TrackerPlace): Promise<string[]> {
  const args = [
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '--untracked-files=all',
    '--',
    ...folders.map((each) => `:(top,literal)${each}`),
  ]
  return namesOf(await gitOutput(args, at)).map((line) => line.slice(3))
}

async function synced(
  place: MarkedPlace,
  { take, allowLoss }: Pick<SyncOrder, 'take' | 'allowLoss'>,
  { branch, before, tip }: { readonly branch: string; readonly before: string; readonly tip: string },
): Promise<SyncedIssues | IssueRefusal> {
  const now = await effectiveTracker(place, { base: before, tip })
  if (now.conflicts.length > 0 && take === null) return contradicted(now)
  const wanted = take === 'runs' ? await withTheirs(place, now, tip) : now.files
  const here = await filesOfCommit(place, before)
  const losses = allowLoss ? [] : await lossesIn(place, { before: here, after: wanted })
  if (losses.length > 0) return wouldLose(losses)
  const changed = differences(here, wanted)
  if (changed.length === 0 && now.conflicts.length === 0)
    return { branch, commit: before, before, commits: 0, issues: [] }
  const { commit, commits } =
    changed.length === 0 ? { commit: before, commits: 0 } : await made(place, { before, tip, wanted })
  const next = await toldOfMove(place, {
    tip,
    from: before,
    to: commit,
    kept: { files: wanted, conflicts: [] },
  })
  await forward(place, { before, commit })
  if (next !== null && !(await isCheckedOut(place.git))) {
    const args = ['update-ref', '-m', 'signalbox: issues', ISSUES_REF, next, tip]
    // Somebody changed one meanwhile: what they know of this branch is merged with the next change.
    await git(args, place.git)
  }
  return { branch, commit, before, commits, issues: idsOf([...changed, ...now.conflicts]) }
}

/** Moved under a checkout, the branch would leave it looking as if somebody had deleted what the branch got. */
const isCheckedOut = async (at: GitOptions): Promise<boolean> =>
  (await gitOutput(['worktree', 'list', '--porcelain'], at)).split('\n').includes(`branch ${ISSUES_REF}`)

const contradicted = ({ conflicts }: TrackerNow): IssueRefusal =>
  refuse(
    'both-changed',
    `${someNames(conflicts)} was changed here and by a run, in ways that contradict each other. Compare them with git diff HEAD...${ISSUES_REF.replace('refs/heads/', '')}, then say whose stands there: signalbox issue sync --take mine (or runs)`,
  )

const wouldLose = (losses: readonly string[]): IssueRefusal =>
  refuse(
    'issues-lost',
    `Issues would lose what they say (${lossesText(losses)}). Look at it with git diff HEAD...${ISSUES_REF.replace('refs/heads/', '')}; to take it all the same: signalbox issue sync --allow-loss`,
  )

async function withTheirs(
  place: TrackerPlace,
  { files, conflicts }: TrackerNow,
  tip: string,
): Promise<IssueFiles> {
  const theirs = await filesOfCommit(place, tip)
  const wanted = new Map(files)
  for (const path of conflicts) {
    const file = theirs.get(path)
    if (file === undefined) wanted.delete(path)
    else wanted.set(path, file)
  }
  return wanted
}

/** Together the changes must come to what is wanted, or they are made as one. */
async function made(
  place: MarkedPlace,
  { before, tip, wanted }: { readonly before: string; readonly tip: string; readonly wanted: IssueFiles },
): Promise<{ readonly commit: string; readonly commits: number }> {
  const changes = await waitingChanges(place, { tip, onto: before })
  const brought = await bringChanges(place, { onto: before, changes })
  if ('commit' in brought && differences(await filesOfCommit(place, brought.commit), wanted).length === 0) {
    const count = await gitLine(['rev-list', '--count', `${before}..${brought.commit}`], place.git)
    return { commit: brought.commit, commits: Number(count) }
  }
  const visits = changes.map(({ visit }) => `Signalbox-Visit: ${visit}\n`).join('')
  const message = `chore(todo): what runs changed\n\n${visits}`
  const commit = await commitOn(place, { parent: before, files: wanted, message })
  await markChange(place.gitDir, { commit, visits: changes.map(({ visit }) => visit) })
  return { commit, commits: 1 }
}

async function forward(
  { git: at }: TrackerPlace,
  { before, commit }: { readonly before: string; readonly commit: string },
): Promise<void> {
  if (before === commit) return
  const args = ['merge', '--ff-only', '--no-verify-signatures', '--quiet', commit]
  const moved = await git(args, at)
  if (moved.code !== 0) throw new GitFailure(sentenceOf(args, moved))
}
