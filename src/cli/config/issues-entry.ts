/** `issues:` of the config: the folder that the project keeps its issues in. */
import { isIssueFolder } from '../../host/issue/issue-folder.ts'
import type { Report } from '../../runbook/report.ts'
import { childOf, type MapTree, textOf } from '../../runbook/tree.ts'

/** Null where nothing is said, or nothing that can be taken. */
export function readIssuesFolder(tree: MapTree, report: Report): string | null {
  const said = childOf(tree, 'issues')
  const folder = textOf(said)?.replace(/^\.\//, '').replace(/\/+$/, '')
  if (said === undefined || folder === undefined) return null
  if (isIssueFolder(folder)) return folder
  report.add({
    code: 'config',
    at: said.at,
    path: said.path,
    message: `"${folder.slice(0, 80)}" is no folder of the repository for issues.`,
    help: 'Name one from the root of the repository, without `..`: `TODO`, `docs/issues`.',
  })
  return null
}
