/** `signalbox issue split`: every task of a list becomes a sub-issue. */
import { fileIssues } from '../../host/issue/issues.ts'
import { git } from '../../host/workspace/git.ts'
import { namesOf } from '../../tracker/edit-issue.ts'
import { issueIn } from '../../tracker/readiness.ts'
import { isRefused, refuse } from '../../tracker/refusal.ts'
import { parseSplit, splitDrafts } from '../../tracker/split.ts'
import { EXIT } from '../exit.ts'
import { visible } from '../terminal/terminal.ts'
import { issuesData } from './issue-view.ts'
import { atPlace, deny, givenText, type IssueSetting } from './setting.ts'

export interface IssueSplitOptions {
  /** The list, in a file; `-` is standard input. */
  readonly tasks: string
  readonly label?: readonly string[]
  readonly branch?: string
  readonly json?: boolean
}

export async function issueSplit(
  id: string,
  options: IssueSplitOptions,
  setting: IssueSetting,
): Promise<number> {
  const { terminal } = setting
  const read = await givenText({ file: options.tasks }, setting)
  if (isRefused(read)) return deny(terminal, read)
  const parsed = parseSplit(read.text ?? '')
  if ('problems' in parsed)
    return deny(
      terminal,
      refuse('tasks-malformed', `${options.tasks} cannot be filed. ${parsed.problems.join(' ')}`),
    )
  const { tasks } = parsed
  return atPlace(setting, async (place) => {
    const branch = options.branch ?? (await branchIn(place.repo))
    const labels = namesOf(options.label ?? ['split-from-run'])
    const filed = await fileIssues(place, {
      count: tasks.length,
      drafts: (ids, tracker) => {
        const parent = issueIn(tracker, id)
        return isRefused(parent) ? parent : splitDrafts(tasks, { ids, parent, branch, labels })
      },
    })
    if (isRefused(filed)) return deny(terminal, filed)
    const made = filed.ids.flatMap((each) => filed.tracker.byId.get(each) ?? [])
    if (options.json === true)
      terminal.write(JSON.stringify({ issues: issuesData(made, filed.tracker), problems: [] }, null, 2))
    else
      for (const issue of made)
        terminal.write(
          `${terminal.paint('green', '✓')} ${terminal.paint('bold', issue.id)}  ${visible(issue.title)}  ${terminal.paint('dim', issue.path)}`,
        )
    return EXIT.ok
  })
}

/** Null where none is checked out. */
async function branchIn(repo: string): Promise<string | null> {
  const { code, stdout } = await git(['symbolic-ref', '-q', '--short', 'HEAD'], { cwd: repo })
  return code === 0 ? stdout.trim() : null
}
