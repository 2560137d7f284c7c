/** `signalbox mcp`: an MCP server on standard input and output, for agents outside any run. */
import type { Command } from 'commander'
import { connected, settingOf, type Wiring } from '../wiring.ts'

export function addMcp(program: Command, wiring: Wiring): void {
  program
    .command('mcp')
    .description('an MCP server on standard input and output, for agents outside any run')
    .action(async () => {
      const [{ serveAgentsOutside }, { TEMPLATE_LIBRARY }, { findRepository }] = await Promise.all([
        import('../../mcp/stdio.ts'),
        import('../../runbook/compile/template-library.ts'),
        import('../project/repository.ts'),
      ])
      const { version } = wiring
      const { signal } = settingOf(wiring)
      const cwd = process.cwd()
      const found = await findRepository(cwd)
      const kinds = Object.entries(TEMPLATE_LIBRARY).map(([name, { hint, requiredContext }]) => ({
        name,
        hint,
        requires: requiredContext,
      }))
      const repo = 'repo' in found ? found.repo : cwd
      await serveAgentsOutside({
        kinds,
        repo,
        cwd,
        version,
        withOperations: connected(wiring, 'keep'),
        signal,
      })
    })
}
