/** `signalbox check`: what can be proved of runbooks. */
import type { Command } from 'commander'
import { isProjectCommand } from '../../model/project-command.ts'
import { readEnvironment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import type { CheckOptions } from '../runbooks/check.ts'
import { repositoryAround, runbookFile } from '../runbooks/find-runbook.ts'
import { complain } from '../terminal/complaint.ts'
import type { Wiring } from '../wiring.ts'

export function addCheck(program: Command, { terminal, finish }: Wiring): void {
  program
    .command('check')
    .description('prove a runbook total and bounded, or say everything that is wrong with it')
    .argument('<files...>', 'runbooks: .yaml, .hcl or .ts files, or names of those in .signalbox/')
    .option('--matrix', 'print the routing matrix too')
    .option('--mermaid', 'print the flow as a Mermaid chart instead')
    .option('--json', 'print diagnostics and certificate as JSON')
    .action(async (names: string[], options) => {
      const files: string[] = []
      for (const name of names) {
        const found = runbookFile(name)
        if ('problem' in found) return finish(complain(terminal, found.problem, EXIT.usage))
        files.push(found.file)
      }
      const { check } = await import('../runbooks/check.ts')
      finish(await check(files, { ...options, ...(await projectHere()) }, terminal))
    })
}

/** The one that whoever asks stands in, if any. */
async function projectHere(): Promise<Pick<CheckOptions, 'project'>> {
  const repo = repositoryAround()
  if (repo === null) return {}
  const { commandsHere } = await import('../project/commands-here.ts')
  const { commands } = commandsHere(repo, readEnvironment(process.env))
  return { project: { commands: new Set(Object.keys(commands).filter(isProjectCommand)) } }
}
