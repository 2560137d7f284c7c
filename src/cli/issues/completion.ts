/** The issues that somebody may want to name on a command line. */
import { openTracker } from '../../host/issue/issues.ts'
import type { Environment } from '../environment.ts'
import { findRepository } from '../project/repository.ts'
import { configuredFolder } from './configured-folder.ts'

export async function issuesToName(
  environment: Pick<Environment, 'configDir' | 'issues' | 'issueFolder'>,
  dir: string,
): Promise<readonly string[]> {
  const found = await findRepository(dir)
  if ('problem' in found) return []
  const tracker = await openTracker({
    repo: environment.issues ?? found.repo,
    configured: configuredFolder(environment, found.repo),
  })
  return tracker?.issues.map(({ id }) => id) ?? []
}
