/** The folder of issues that the config of a repository names; null where it names none. */
import { isIssueFolder } from '../../host/issue/issue-folder.ts'
import { readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'

/** In a run its host has the word: what config stands in the run's own files, an agent may have written. */
export function configuredFolder(
  { configDir, issueFolder }: Pick<Environment, 'configDir' | 'issueFolder'>,
  repo: string,
): string | null {
  if (issueFolder === null) return readConfig({ configDir, repo }).config.issues
  return isIssueFolder(issueFolder) ? issueFolder : null
}
