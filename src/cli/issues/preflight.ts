/** `signalbox issue preflight`: whether work on an issue can begin here. A check tells by the exit code why it cannot. */
import { openTracker, trackerMissing } from '../../host/issue/issues.ts'
import { placeRefusals } from '../../host/issue/work-place.ts'
import { git } from '../../host/workspace/git.ts'
import { dependencyRefusals, issueIn } from '../../tracker/readiness.ts'
import { type IssueRefusal, type IssueRefusalCode, isRefused, refuse } from '../../tracker/refusal.ts'
import { EXIT } from '../exit.ts'
import { findRepository } from '../project/repository.ts'
import { complain } from '../terminal/complaint.ts'
import { configuredFolder } from './configured-folder.ts'
import type { IssueSetting } from './setting.ts'

export interface IssuePreflightOptions {
  readonly json?: boolean
  readonly base?: string
}

const NO_PLACE = 10

/** Of what is not among them: no place to work. */
const EXIT_BY_CODE: Partial<Readonly<Record<IssueRefusalCode, number>>> = {
  'not-clean': 11,
  'dependency-unmet': 12,
  'dependency-missing': 13,
  'dependency-cycle': 14,
}

export async function issuePreflight(
  id: string,
  options: IssuePreflightOptions,
  setting: IssueSetting,
): Promise<number> {
  const { terminal } = setting
  const refusals = await refusalsFor(id, options, setting)
  const problems = refusals.map(({ code, problem }) => ({
    code,
    problem,
    exit: EXIT_BY_CODE[code] ?? NO_PLACE,
  }))
  const worst = problems.toSorted((a, b) => rank(a.exit) - rank(b.exit))
  const [first] = worst
  if (options.json === true)
    terminal.write(JSON.stringify({ issue: id, ready: first === undefined, problems: worst }, null, 2))
  else if (first === undefined) terminal.write(`${terminal.paint('green', '✓')} ${id} can be worked on here.`)
  return first === undefined ? EXIT.ok : complain(terminal, `${first.problem} (${first.code})`, first.exit)
}

/** The place first, then the tree, then what is wrong with dependencies, and last what is only not done yet. */
const rank = (exit: number): number => [NO_PLACE, 11, 14, 13, 12].indexOf(exit)

async function refusalsFor(
  id: string,
  { base = null }: { readonly base?: string | null },
  { environment, dir = process.cwd() }: IssueSetting,
): Promise<IssueRefusal[]> {
  const found = await findRepository(dir)
  if ('problem' in found) {
    const bare = await git(['rev-parse', '--is-bare-repository'], { cwd: dir })
    return [refuse(bare.stdout.trim() === 'true' ? 'bare-repository' : 'no-repository', found.problem)]
  }
  const { repo } = found
  const place = { repo, configured: configuredFolder(environment, repo) }
  const tracker = await openTracker({ ...place, repo: environment.issues ?? repo })
  // In a run the issues stand as they are now, whatever its commit says of them.
  const spared = environment.ownRun === null ? null : (tracker?.folder ?? null)
  const here = await placeRefusals({ repo, base, spared })
  if (tracker === null) return [...here, trackerMissing(place)]
  const issue = issueIn(tracker, id)
  return [...here, ...(isRefused(issue) ? [issue] : dependencyRefusals(issue, tracker))]
}
