/**
 * A run's place: made when it is needed, held to its branch and its boundary, committed after every piece of work. One
 * at a time for each worktree, because git locks and panels share one.
 */
import { existsSync } from 'node:fs'
import type { ProcessRegistry } from '../../drivers/index.ts'
import type { Journal } from '../../journal/index.ts'
import type { Fact } from '../../model/fact.ts'
import { commandWorld } from '../confinement/command-world.ts'
import { groundEnvironment, holdOnGround, showsOwnGit } from '../confinement/hold.ts'
import type { ProcessEnvironment } from '../confinement/process-environment.ts'
import type { Clock } from '../machine/clock.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { createKeyedMutex } from '../streams/keyed-mutex.ts'
import { createOnce } from '../streams/once.ts'
import { createIssuePlaces, type IssuePlaces, type IssuePlacesOptions } from '../tracker/issue-places.ts'
import { bringArtifacts, newSince } from './artifacts.ts'
import { type BringRequest, type BroughtBase, bringBase, settleBringing } from './bring-base.ts'
import { changesBetween, diffstat } from './changes.ts'
import { type CleanCheckout, makeCleanCheckout } from './clean-checkout.ts'
import { clearRepositories } from './clear-repositories.ts'
import { createConfined } from './confined.ts'
import { ensureGround } from './ensure-ground.ts'
import { problemOf } from './git.ts'
import { type Ground, groundAt } from './ground.ts'
import { ignoredFiles } from './ignored.ts'
import { artifactsIn, keepArtifacts, type LeftAt } from './kept-artifacts.ts'
import { type Prepared, type PrepareRequest, prepare as prepareFiles } from './prepared.ts'
import { layIn } from './prepared-files.ts'
import type { Problem } from './problem.ts'
import { removeGround } from './remove-ground.ts'
import { enterRole, settleRole } from './role-files.ts'
import { RUN_DIR } from './run-folder.ts'
import { type Holds, searchGround } from './search-objects.ts'
import { hasPeopleRepository } from './shown-git.ts'
import { takeSnapshot } from './staging.ts'
import { hasStore, tipOf } from './store.ts'
import { type CollectedWork, takeInWork, type WorkToCollect } from './take-in-work.ts'
import { renewAgentRepository, setRepositories } from './working-repository.ts'
import { seeWorktree, type WorktreeSeen } from './worktree-seen.ts'

export interface Workplaces {
  readonly issues: IssuePlaces
  ensure(loaded: LoadedRun): Promise<{ readonly path: string } | Problem>
  /** Does something the first time it is asked for under this name; whoever asks again waits for the first. */
  once(name: string, act: () => Promise<void>): Promise<void>
  /** The agents' repository as the host makes it: nothing that one agent left in it reaches the next. */
  renewRepository(loaded: LoadedRun): Promise<void>
  /** For people, who use their own git there: no repository that an agent made is left. What fails is not needed for the run. */
  leaveToPeople(loaded: LoadedRun): Promise<void>
  /** What was done since the last commit: held to branch and boundary, kept, committed. */
  collectWork(work: WorkToCollect): Promise<CollectedWork | Problem>
  /** What setup makes of the run's last commit, see workspace/prepared.ts. */
  prepare(loaded: LoadedRun, setup: Preparing): Promise<Prepared | Problem>
  /** Files that no commit has become those of this role, see role-files.ts. `new`: setup is to be laid in, then `settleRole`. */
  enterRole(loaded: LoadedRun, role: string, setup: () => Promise<string>): Promise<'here' | 'new'>
  settleRole(loaded: LoadedRun, role: string): Promise<void>
  layPrepared(loaded: LoadedRun, files: string): Promise<Problem | null>
  /** A clean checkout of the run's last commit, for one command. */
  checkOut(loaded: LoadedRun, wanted: Wanted): Promise<CleanCheckout | Problem>
  /** What was left in the run's folder of a checkout: kept, and brought to the worktree. */
  keepFrom(checkout: CleanCheckout, left: LeftAt & Pick<WorkToCollect, 'loaded'>): Promise<readonly Fact[]>
  ignored(loaded: LoadedRun): Promise<readonly string[] | Problem>
  /** What the branch it came from has now, brought into the run's; null: nobody wants it. See bring-base.ts. */
  bringBase(loaded: LoadedRun, how: HowToBring): Promise<BroughtBase | Problem | null>
  /** What the run has changed since its base. */
  changed(loaded: LoadedRun): Promise<string>
  changedFiles(loaded: LoadedRun): Promise<readonly string[]>
  /** Names what a person can see in a worktree: the commit it stands at, and everything in it. */
  content(loaded: LoadedRun): Promise<string>
  /** While an agent is at work there. */
  see(loaded: LoadedRun): Promise<WorktreeSeen | Problem>
  /** Where the repositories of a ground have something, as a sentence; null: nowhere. */
  searchGround(ground: Ground, holds: Holds): Promise<string | null>
  remove(run: Pick<LoadedRun, 'placed'>): Promise<{ readonly removed: true } | Problem>
}

export type HowToBring = Pick<BringRequest, 'commit' | 'by' | 'conflicts'>

interface Wanted {
  readonly prepared: string | null
  readonly command: string
}

export type Preparing = Pick<PrepareRequest, 'command' | 'needs' | 'run'>

export interface WorkplacesOptions extends Pick<IssuePlacesOptions, 'issueFolderFor'> {
  readonly journal: Journal
  readonly clock: Clock
  readonly processEnvironment: ProcessEnvironment
  readonly registry: ProcessRegistry
}

export function createWorkplaces(options: WorkplacesOptions): Workplaces {
  const { journal, clock, processEnvironment, registry } = options
  const inTurn = createKeyedMutex()
  // The first time this process meets a worktree, a lock in it can only be a dead process's.
  const met = new Set<string>()
  const once = createOnce()
  const published = new Map<string, string | null>()
  const confined = createConfined({
    sandboxFor: (places) => holdOnGround(processEnvironment, places),
    environment: groundEnvironment(processEnvironment),
    registry,
  })
  const groundOf = ({ placed }: Pick<LoadedRun, 'placed'>): Ground =>
    groundAt(processEnvironment.home, placed.placement)
  const alone = <T>(run: Pick<LoadedRun, 'placed'>, act: (ground: Ground) => Promise<T>): Promise<T> =>
    inTurn(run.placed.placement.worktree, () => act(groundOf(run)))

  const prepare = (loaded: LoadedRun, { command, needs, run }: Preparing): Promise<Prepared> => {
    const ground = groundOf(loaded)
    // Two that need the same wait for one another.
    return inTurn(`prepare ${ground.userGitDir} ${command}`, () =>
      prepareFiles({
        ground,
        commit: loaded.commit,
        baseCommit: loaded.placed.placement.baseCommit,
        command,
        needs,
        world: commandWorld(processEnvironment, loaded),
        shared: processEnvironment.home.prepared,
        confined,
        run,
        now: clock.now(),
      }),
    )
  }

  const checkOut = async (loaded: LoadedRun, { prepared, command }: Wanted): Promise<CleanCheckout> => {
    const ground = groundOf(loaded)
    const { repo, branch } = loaded.placed.placement
    // Only to a command that names their folder: a test runner would run whatever looks like a test in it, and no commit has that.
    const artifacts = command.includes(RUN_DIR) ? (await artifactsIn(ground.worktree)).kept : []
    return makeCleanCheckout({ ground, repo, branch, commit: loaded.commit, prepared, artifacts, confined })
  }

  const keepFrom: Workplaces['keepFrom'] = async ({ files, artifacts }, of) => {
    const { kept, refused } = await artifactsIn(files)
    const news = newSince(artifacts, kept)
    if (news.length + refused.length === 0) return []
    await bringArtifacts({ ground: groundOf(of.loaded), artifacts: news, confined })
    return keepArtifacts({ journal, clock }, { kept: news, refused }, of)
  }

  const renew = (loaded: LoadedRun): Promise<void> =>
    renewAgentRepository(groundOf(loaded), loaded.placed.placement.branch)

  const leaveToPeople = async (loaded: LoadedRun, ground: Ground): Promise<void> => {
    const { branch } = loaded.placed.placement
    const commit = await tipOf(ground, branch)
    await clearRepositories({ ground, before: commit, confined, aside: [] })
    if (hasPeopleRepository(ground)) await setRepositories(ground, { branch, commit })
    else await renew(loaded)
  }

  return {
    issues: createIssuePlaces({ ...options, groundOf, inTurn, confined }),
    ensure: (loaded) => {
      const { repo, branch, baseCommit, worktree } = loaded.placed.placement
      return inTurn(worktree, async () => {
        const ensured = await ensureGround({
          ground: groundOf(loaded),
          repo,
          branch,
          baseCommit,
          lastCommit: loaded.commit,
          brings: processEnvironment.rulesFor(repo).brings,
          gitIsShown: showsOwnGit(processEnvironment, repo),
          confined,
          since: met.has(worktree) ? 'seen' : 'crash',
        })
        if (!('path' in ensured)) return ensured
        try {
          const place = { ground: groundOf(loaded), branch, lastBase: loaded.base, confined }
          await settleBringing(place, met.has(worktree) ? 'perhaps' : 'nobody')
        } catch (error) {
          return problemOf(error)
        }
        met.add(worktree)
        return ensured
      })
    },
    once,
    renewRepository: (loaded) => inTurn(loaded.placed.placement.worktree, () => renew(loaded)),
    leaveToPeople: (loaded) =>
      inTurn(loaded.placed.placement.worktree, async () => {
        const ground = groundOf(loaded)
        if (hasStore(ground) && existsSync(ground.worktree))
          await leaveToPeople(loaded, ground).catch(problemOf)
      }),
    collectWork: (work) =>
      alone(work.loaded, (ground) => takeInWork({ journal, clock, confined, published, ground }, work)),
    prepare: (loaded, setup) => prepare(loaded, setup).catch(problemOf),
    enterRole: (loaded, role, setup) =>
      alone(loaded, (ground) =>
        enterRole({ ground, repo: loaded.placed.placement.repo, role, setup, confined }),
      ),
    settleRole: (loaded, role) => alone(loaded, (ground) => settleRole(ground, role)),
    layPrepared: (loaded, from) =>
      alone(loaded, (ground) =>
        layIn({ ground, from, to: ground.worktree, confined }).then(() => null, problemOf),
      ),
    checkOut: (loaded, wanted) => checkOut(loaded, wanted).catch(problemOf),
    keepFrom,
    ignored: (loaded) => alone(loaded, (ground) => ignoredFiles(ground, confined).catch(problemOf)),
    bringBase: (loaded, how) =>
      alone(loaded, async (ground) => {
        const { branch, base } = loaded.placed.placement
        const place = { ground, branch, lastBase: loaded.base, confined }
        const brought = await bringBase({ ...place, ...how, run: loaded.run, base }).catch(problemOf)
        if (brought !== null) published.delete(ground.worktree)
        return brought
      }),
    changed: (loaded) => diffstat(groundOf(loaded), loaded.base, loaded.commit),
    changedFiles: async (loaded) =>
      (await changesBetween(groundOf(loaded), loaded.base, loaded.commit)).map(({ name }) => name),
    content: (loaded) =>
      alone(loaded, async (ground) => {
        const tip = await tipOf(ground, loaded.placed.placement.branch)
        return `${tip}:${await takeSnapshot(ground, confined)}`
      }),
    see: (loaded) => alone(loaded, (ground) => seeWorktree({ ground, loaded, confined }).catch(problemOf)),
    searchGround: (ground, holds) => inTurn(ground.worktree, () => searchGround(ground, holds, confined)),
    remove: (loaded) => {
      const { worktree, branch } = loaded.placed.placement
      return inTurn(worktree, () => removeGround({ ground: groundOf(loaded), branch }))
    },
  }
}
