/** What `signalbox mcp` tells its server of where it was started, and the kinds of decision there are. */
import type { OutsideOptions } from '../../mcp/outside.ts'
import { TEMPLATE_LIBRARY } from '../../runbook/compile/template-library.ts'
import { findRepository } from '../project/repository.ts'

export async function outsideOptions(): Promise<Pick<OutsideOptions, 'kinds' | 'repo' | 'cwd'>> {
  const cwd = process.cwd()
  const found = await findRepository(cwd)
  const kinds = Object.entries(TEMPLATE_LIBRARY).map(([name, { hint, requiredContext }]) => ({
    name,
    hint,
    requires: requiredContext,
  }))
  return { kinds, repo: 'repo' in found ? found.repo : cwd, cwd }
}
