/**
 * Issues as the checks and commands of runs meet them. Whoever changes some does so one after another in each repository, on
 * the tracker as it is then; what is changed is on the branch that keeps it before anybody hears of it.
 */
import { join } from 'node:path'
import { isIssueId } from '../../tracker/issue.ts'
import { ISSUE_FOLDERS } from '../issue/issue-folder.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import type { KeyedMutex } from '../streams/keyed-mutex.ts'
import type { CleanCheckout } from '../workspace/clean-checkout.ts'
import type { Confined } from '../workspace/confined.ts'
import { someNames } from '../workspace/file-name.ts'
import { problemOf } from '../workspace/git.ts'
import type { Ground } from '../workspace/ground.ts'
import type { Problem } from '../workspace/problem.ts'
import { inStore } from '../workspace/store.ts'
import { type AddedComment, addedComments } from './added-comments.ts'
import {
  bringChanges,
  commitOfChange,
  type MarkedPlace,
  toldOfMove,
  waitingChanges,
  withFoundations,
} from './bring-changes.ts'
import { markChange } from './change-marks.ts'
import { claimedIds, claimIds } from './claimed-ids.ts'
import { collectChange } from './collect-change.ts'
import { effectiveTracker, type TrackerNow } from './effective-tracker.ts'
import {
  type ChangedBy,
  changeMessage,
  commitChange,
  type IssueChange,
  idsOf,
  visitText,
  withChange,
} from './issue-change.ts'
import { filesOfCommit, ISSUES_BRANCH } from './issue-files.ts'
import { clearIssuesLock, moveIssuesRef, tipsOf } from './issues-ref.ts'
import { layApart, layInCheckout } from './lay-tracker.ts'
import { lossesIn, lossesText } from './losses.ts'
import { forgetUnfinished, keepUnfinished, type UnfinishedChange, unfinishedOf } from './unfinished-change.ts'

export interface IssuePlaces {
  /** One who changes issues at a time, in each repository. */
  inTurn<T>(loaded: LoadedRun, act: () => Promise<T>): Promise<T>
  now(loaded: LoadedRun): Promise<TrackerNow | Problem>
  lay(loaded: LoadedRun, tracker: TrackerNow, checkout: CleanCheckout): Promise<Problem | null>
  collect(loaded: LoadedRun, tracker: TrackerNow, checkout: CleanCheckout): Promise<IssueChange | Problem>
  commit(loaded: LoadedRun, by: ChangedBy, change: IssueChange): Promise<CommittedChange | Problem>
  /** A run's changes on top of what is landed, which then only has to be moved to. */
  bring(loaded: LoadedRun, landing: LandingPlace): Promise<BroughtChanges | Problem>
  /** What keeps the changes hears of it. Of no consequence where it cannot. */
  tellLanded(loaded: LoadedRun, landing: LandingPlace & { readonly to: string }): Promise<void>
  /** The folder that the user's config names for them; null where it names none. */
  folder(loaded: LoadedRun): string | null
  /** The issues as they are now, in a folder that commands of the run can read; null where they cannot be had. */
  readable(loaded: LoadedRun): Promise<string | null>
  unfinished(loaded: LoadedRun, by: ChangedBy): Promise<UnfinishedChange | null>
  keepUnfinished(loaded: LoadedRun, unfinished: UnfinishedChange): Promise<void>
  forgetUnfinished(loaded: LoadedRun): Promise<void>
}

/** `outdated`: what it was made of is no longer so, and only whoever made it can make it anew. */
export type CommittedChange =
  | {
      readonly commit: string
      readonly issues: readonly string[]
      readonly comments: readonly AddedComment[]
    }
  | { readonly outdated: string }

export interface LandingPlace {
  /** Where the branch was seen. */
  readonly from: string
  /** Where it would be without changes of issues. */
  readonly work: string
}

export interface BroughtChanges {
  readonly commit: string
  readonly count: number
  /** Why they wait all the same; null where they do not. */
  readonly waiting: string | null
}

export interface IssuePlacesOptions {
  readonly groundOf: (loaded: LoadedRun) => Ground
  readonly inTurn: KeyedMutex
  /** What the config of a repository names; null where it names none. */
  readonly issueFolderFor: (repo: string) => string | null
  readonly confined: Confined
}

export function createIssuePlaces(options: IssuePlacesOptions): IssuePlaces {
  const { groundOf, inTurn, confined } = options
  const met = new Set<string>()
  const placeOf = (loaded: LoadedRun): MarkedPlace => {
    const configured = options.issueFolderFor(loaded.placed.placement.repo)
    const ground = groundOf(loaded)
    const folders = configured === null ? ISSUE_FOLDERS : [configured]
    return { git: inStore(ground), folders, gitDir: ground.userGitDir }
  }

  const now = async (loaded: LoadedRun): Promise<TrackerNow> => {
    const ground = groundOf(loaded)
    return effectiveTracker(placeOf(loaded), await tipsOf(ground, loaded.placed.placement))
  }

  const commit = async (loaded: LoadedRun, by: ChangedBy, change: IssueChange): Promise<CommittedChange> => {
    const ground = groundOf(loaded)
    const place = placeOf(loaded)
    const said = { issues: idsOf(change), comments: await addedComments(place.git, change) }
    for (let tries = 1; ; tries++) {
      const tracker = await now(loaded)
      const { tip } = tracker
      const visit = visitText(by)
      const made = await commitOfChange(place, { tip, visit })
      if (made !== null) return { commit: made, ...said }
      const changed = await withChange(place, tracker, change)
      if ('contradicted' in changed) return { outdated: contradiction(changed.contradicted) }
      const news = idsOf(change.filter(({ before }) => before === null))
      const taken = await claimIds(ground.userGitDir, { ids: news, by: `${visit}\n` })
      if (taken.length > 0) return { outdated: `${someNames(taken)} was taken by somebody else meanwhile.` }
      const message = changeMessage(change, by)
      const to = await commitChange(place, { tracker, files: changed.files, message })
      await markChange(place.gitDir, { commit: to, visits: [visit] })
      if (await moveIssuesRef(ground, { from: tip, to })) return { commit: to, ...said }
      if (tries === MOST_TRIES)
        return { outdated: `The branch ${ISSUES_BRANCH} is moved by somebody else all the time.` }
    }
  }

  const bring = async (loaded: LoadedRun, work: string): Promise<BroughtChanges> => {
    const ground = groundOf(loaded)
    const place = placeOf(loaded)
    const { tip } = await tipsOf(ground, loaded.placed.placement)
    const own = await waitingChanges(place, { tip, onto: work, run: loaded.run })
    const before = await filesOfCommit(place, work)
    const orLosing = async (commit: string, count: number): Promise<BroughtChanges> => {
      const losses = await lossesIn(place, { before, after: await filesOfCommit(place, commit) })
      return losses.length === 0
        ? { commit, count, waiting: null }
        : {
            commit: work,
            count: 0,
            waiting: `Issues would lose what they say (${lossesText(losses)}). ${SYNC}`,
          }
    }
    const alone = await bringChanges(place, { onto: work, changes: own })
    if ('commit' in alone) return orLosing(alone.commit, own.length)
    const all = await waitingChanges(place, { tip, onto: work })
    const changes = await withFoundations(place, { all, own })
    const brought = await bringChanges(place, { onto: work, changes })
    return 'commit' in brought
      ? orLosing(brought.commit, changes.length)
      : { commit: work, count: 0, waiting: contradiction(brought.contradicted, 'there') }
  }

  return {
    inTurn: (loaded, act) => {
      const { userGitDir } = groundOf(loaded)
      return inTurn(`issues ${userGitDir}`, act)
    },
    now: async (loaded) => {
      const ground = groundOf(loaded)
      if (!met.has(ground.userGitDir)) await clearIssuesLock(ground)
      met.add(ground.userGitDir)
      return now(loaded).catch(problemOf)
    },
    lay: async (loaded, { files }, checkout) => {
      const ground = groundOf(loaded)
      const claimed = (await claimedIds(ground.userGitDir)).filter(isIssueId)
      const { commit: of } = loaded
      const request = { ground, place: placeOf(loaded), files, commit: of, checkout, claimed, confined }
      return layInCheckout(request).then(() => null, problemOf)
    },
    collect: (loaded, { files }, checkout) =>
      collectChange(placeOf(loaded), { laid: files, dir: checkout.files, run: loaded.run }).catch(problemOf),
    commit: (loaded, by, change) => commit(loaded, by, change).catch(problemOf),
    folder: ({ placed }) => options.issueFolderFor(placed.placement.repo),
    readable: async (loaded) => {
      const ground = groundOf(loaded)
      try {
        const { base, tip } = await tipsOf(ground, loaded.placed.placement)
        const name = `${base.slice(0, 20)}-${tip?.slice(0, 20) ?? 'none'}`
        const place = placeOf(loaded)
        const filesOf = async () => (await effectiveTracker(place, { base, tip })).files
        return await layApart(place, { filesOf, under: join(ground.own, 'issues'), name })
      } catch (error) {
        // Whoever asks for an issue then is told that there is none; a command that does not must not fail over it.
        problemOf(error)
        return null
      }
    },
    bring: (loaded, { work }) => bring(loaded, work).catch(problemOf),
    tellLanded: async (loaded, { from, to }) => {
      const ground = groundOf(loaded)
      const place = placeOf(loaded)
      const { tip } = await tipsOf(ground, loaded.placed.placement)
      if (tip === null) return
      const kept = await effectiveTracker(place, { base: from, tip })
      const next = await toldOfMove(place, { tip, from, to, kept })
      if (next !== null) await moveIssuesRef(ground, { from: tip, to: next })
    },
    unfinished: (loaded, by) => unfinishedOf(groundOf(loaded), by),
    keepUnfinished: (loaded, unfinished) => keepUnfinished(groundOf(loaded), unfinished),
    forgetUnfinished: (loaded) => forgetUnfinished(groundOf(loaded)),
  }
}

const MOST_TRIES = 5

const contradiction = (paths: readonly string[], where = 'meanwhile'): string =>
  `${someNames(paths)} was changed by somebody else ${where}, in a way that contradicts what the run did. ${SYNC}`

const SYNC = 'signalbox issue sync settles it.'
