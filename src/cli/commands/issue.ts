/** `signalbox issue`: issues in a folder of the repository. */
import type { Command } from 'commander'
import type { Wiring } from '../wiring.ts'

export function addIssue(program: Command, { terminal, finish }: Wiring): void {
  const issue = program.command('issue').description('issues in a folder of the repository')
  issue
    .command('new')
    .description('write a new one; parallel runs never pick the same id')
    .argument('<title>', 'what is to be done, in a few words')
    .option('--body <text>', 'the rest')
    .option('--file <path>', 'the rest, from a file; - for standard input')
    .option('--json', 'print as JSON')
    .action(async (title: string, options) => {
      const { issueNew } = await import('../project/issue.ts')
      finish(await issueNew(title, options, { terminal }))
    })
  issue
    .command('list')
    .description('all of them, and what each waits for')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { issueList } = await import('../project/issue.ts')
      finish(await issueList(options, terminal, {}))
    })
  issue
    .command('show')
    .description('one of them')
    .argument('<issue>', 'its id')
    .option('--json', 'print as JSON')
    .action(async (id: string, options) => {
      const { issueShow } = await import('../project/issue.ts')
      finish(await issueShow(id, options, { terminal }))
    })
}
