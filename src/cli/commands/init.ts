/** `signalbox init`: a repository set up. */
import type { Command } from 'commander'
import { settingOf, type Wiring } from '../wiring.ts'

export function addInit(program: Command, wiring: Wiring): void {
  const { terminal, finish } = wiring
  program
    .command('init')
    .description('set this repository up: a first runbook, the agents found here, editor support')
    .option('--flow <name>', 'take a flow that comes with Signalbox, such as issue-to-commit')
    .option('--mcp', 'write .mcp.json too, so that agents outside runs can ask you')
    .option('--claude', 'tell Claude Code of Signalbox: .mcp.json and a skill')
    .option('--codex', 'tell Codex of it: .codex/config.toml and AGENTS.md')
    .option('--gemini', 'tell Gemini CLI of it: .gemini/settings.json and GEMINI.md')
    .option('--opencode', 'tell opencode of it: opencode.json and AGENTS.md')
    .option('--remove', 'take out again what was written for the agents that are named')
    .option('--force', 'overwrite what is there')
    .action(async (options) => {
      const { init } = await import('../project/init.ts')
      finish(await init(options, terminal, settingOf(wiring)))
    })
}
