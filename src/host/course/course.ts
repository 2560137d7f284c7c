/** What a person does with a run and its work, beside answering it: whatever the door, in their own name. */
import type { Actor } from '../../model/answer.ts'
import type {
  Landing,
  LandOrder,
  Resumed,
  ResumeOrder,
  RunDiff,
  RunUpdate,
  TakenRun,
  WordSaid,
} from '../../model/api/course.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { noRun } from '../runs/no-run.ts'
import { problemOf } from '../workspace/git.ts'
import { groundAt } from '../workspace/ground.ts'
import { type DiffQuery, diffRun } from './diff.ts'
import { filesInTurn } from './files-in-turn.ts'
import { landRun } from './land.ts'
import type { LongActs } from './long-acts.ts'
import { resumeRun } from './resume.ts'
import { sayToRun } from './say.ts'
import { type TakingNeeds, takeRun } from './take.ts'
import { updateRun } from './update.ts'

export interface Course {
  diff(run: string, query: DiffQuery): Promise<RunDiff | Rejection>
  /** Moves a branch of the user's, once the gates have passed on what it would get. */
  land(run: string, order: LandOrder): Promise<Landing | Rejection>
  /** To the agents at work, or to the next one. */
  say(run: string, text: string): Promise<WordSaid | Rejection>
  /** What the branch it came from got since. */
  update(run: string): Promise<RunUpdate | Rejection>
  /** By hand from here on: nobody else is at work until it is resumed. */
  take(run: string, reason: string): Promise<TakenRun | Rejection>
  resume(run: string, order: ResumeOrder): Promise<Resumed | Rejection>
}

export interface CourseOptions {
  readonly needs: TakingNeeds
  readonly longActs: LongActs
  readonly by: Actor
}

export function createCourse({ needs, longActs, by }: CourseOptions): Course {
  const about = async (loaded: LoadedRun) => ({
    loaded,
    ground: groundAt(needs.processEnvironment.home, loaded.placed.placement),
    events: await needs.runs.events(loaded.run),
    by,
  })
  return {
    diff: async (run, query) => {
      const loaded = await needs.runs.load(run)
      if (loaded === null) return noRun(run)
      const diffed = await diffRun(await about(loaded), query).catch(problemOf)
      return 'code' in diffed || 'parts' in diffed ? diffed : { code: 'gone', problem: diffed.problem }
    },
    land: async (run, order) => {
      const loaded = await needs.runs.load(run)
      if (loaded === null) return noRun(run)
      const name = JSON.stringify(['land', run, by, order])
      const landed = await longActs.take(name, async () => landRun(needs, await about(loaded), order))
      return landed ?? { state: 'going-on' }
    },
    say: async (run, text) => {
      if ((await needs.runs.load(run)) === null) return noRun(run)
      return sayToRun(needs, { run, by, text })
    },
    update: (run) => filesInTurn(run, () => updateRun(needs, { run, by })),
    take: (run, reason) => takeRun(needs, { run, by, reason }),
    resume: async (run, order) => {
      const name = JSON.stringify(['resume', run, by, order])
      return (await longActs.take(name, () => resumeRun(needs, { run, by, order }))) ?? { state: 'going-on' }
    },
  }
}
