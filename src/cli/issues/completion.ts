/** The issues that somebody may want to name on a command line. */
import { openTracker } from '../../host/issue/issues.ts'
import { readConfig } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { findRepository } from '../project/repository.ts'

export async function issuesToName(
  { configDir, issues }: Pick<Environment, 'configDir' | 'issues'>,
  dir: string,
): Promise<readonly string[]> {
  const found = await findRepository(dir)
  if ('problem' in found) return []
  const { config } = readConfig({ configDir, repo: found.repo })
  const tracker = await openTracker({ repo: issues ?? found.repo, configured: config.issues })
  return tracker?.issues.map(({ id }) => id) ?? []
}
