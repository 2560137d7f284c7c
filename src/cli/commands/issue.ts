/** `signalbox issue`: issues in a folder of the repository. */
import { type Command, Option } from 'commander'
import { readEnvironment } from '../environment.ts'
import type { IssueSetting } from '../issues/setting.ts'
import { collect } from '../terminal/arguments.ts'
import type { Wiring } from '../wiring.ts'

const ID = 'its id'
const JSON_TOO = 'print as JSON'

export function addIssue(program: Command, { terminal, finish }: Wiring): void {
  const setting = (): IssueSetting => ({ terminal, environment: readEnvironment(process.env) })
  const issue = program.command('issue').description('issues in a folder of the repository')
  addReads(issue, { setting, finish })
  addWrites(issue, { setting, finish })
}

interface IssueWiring extends Pick<Wiring, 'finish'> {
  readonly setting: () => IssueSetting
}

function addReads(issue: Command, { setting, finish }: IssueWiring): void {
  issue
    .command('list')
    .description('all of them, and what each waits for')
    .option('--status <status>', 'only those with this one: todo, in-progress, done')
    .option('--label <label>', 'only those that have it; may be repeated', collect)
    .option('--parent <issue>', 'only the parts of this one')
    .option('--json', JSON_TOO)
    .action(async (options) => {
      const { issueList } = await import('../issues/read.ts')
      finish(await issueList(options, setting()))
    })
  issue
    .command('show')
    .description('one of them')
    .argument('<issue>', ID)
    .option('--json', JSON_TOO)
    .action(async (id: string, options) => {
      const { issueShow } = await import('../issues/read.ts')
      finish(await issueShow(id, options, setting()))
    })
  issue
    .command('next')
    .description('the one to begin with: it waits for nothing; ends with 3 where there is none')
    .option('--json', JSON_TOO)
    .action(async (options) => {
      const { issueNext } = await import('../issues/read.ts')
      finish(await issueNext(options, setting()))
    })
  issue
    .command('preflight')
    .description(
      'whether work on it can begin here: 0; else 10 no place to work, 11 not clean, 12 to 14 dependencies',
    )
    .argument('<issue>', ID)
    .option('--base <branch>', 'the branch that work goes to in the end')
    .option('--json', JSON_TOO)
    .action(async (id: string, options) => {
      const { issuePreflight } = await import('../issues/preflight.ts')
      finish(await issuePreflight(id, options, setting()))
    })
}

function addWrites(issue: Command, { setting, finish }: IssueWiring): void {
  issue
    .command('new')
    .description('write a new one; parallel worktrees never pick the same id')
    .argument('<title>', 'what is to be done, in a few words')
    .option('--body <text>', 'the rest; criteria are checkboxes under "## Acceptance criteria"')
    .option('--file <path>', 'the rest, from a file; - for standard input')
    .option('--parent <issue>', 'the issue it is a part of')
    .option('--label <label>', 'a label; may be repeated', collect)
    .option('--depends-on <issue>', 'what must be done first; may be repeated', collect)
    .option('--category <name>', 'where it stands in the index')
    .option('--json', JSON_TOO)
    .action(async (title: string, options) => {
      const { issueNew } = await import('../issues/write.ts')
      finish(await issueNew(title, options, setting()))
    })
  issue
    .command('edit')
    .description('change what it says; all else in its file stays as it is')
    .argument('<issue>', ID)
    .option('--title <title>', 'another title')
    .option('--body <text>', 'another text; comments and sub-issues stay, and criteria, if it has none')
    .option('--file <path>', 'another text, from a file; - for standard input')
    .option('--add-label <label>', 'may be repeated', collect)
    .option('--remove-label <label>', 'may be repeated', collect)
    .option('--depends-on <issue>', 'what must be done first, too; may be repeated', collect)
    .option('--no-longer-depends-on <issue>', 'may be repeated', collect, [])
    .option('--parent <issue>', 'the issue it is a part of')
    .option('--no-parent', 'it is a part of none')
    .option('--category <name>', 'where it stands in the index; "" for nowhere in particular')
    .option('--check <criterion...>', 'met: by number, by text, or "all"; the status follows')
    .option('--uncheck <criterion...>', 'not met')
    .option('--json', JSON_TOO)
    .action(async (id: string, options) => {
      const { issueEdit } = await import('../issues/write.ts')
      finish(await issueEdit(id, options, setting()))
    })
  issue
    .command('comment')
    .description('say something about it')
    .argument('<issue>', ID)
    .argument('[text]', 'what to say; - for standard input')
    .option('--file <path>', 'what to say, from a file; - for standard input')
    .option('--by <name>', 'who says it; by default the name you commit with')
    .option('--json', JSON_TOO)
    .action(async (id: string, text: string | undefined, options) => {
      const { issueComment } = await import('../issues/write.ts')
      finish(await issueComment({ id, text }, options, setting()))
    })
  issue
    .command('split')
    .description('file every task of a list as a part of it, each with a text that stands alone')
    .argument('<issue>', ID)
    .requiredOption('--tasks <file>', 'the list, as JSON; - for standard input')
    .option('--label <label>', 'instead of split-from-run; may be repeated', collect)
    .option('--branch <name>', 'where it was worked on; by default the branch that is checked out')
    .option('--json', JSON_TOO)
    .action(async (id: string, options) => {
      const { issueSplit } = await import('../issues/split.ts')
      finish(await issueSplit(id, options, setting()))
    })
  issue
    .command('status')
    .description('print its status, or set it: todo, in-progress, done')
    .argument('<issue>', ID)
    .argument('[status]', 'the new one')
    .option('--from-criteria', 'done if every criterion is met, else in progress')
    .option('--json', JSON_TOO)
    .action(async (id: string, status: string | undefined, options) => {
      const { issueStatus } = await import('../issues/write.ts')
      finish(await issueStatus({ id, status }, options, setting()))
    })
  issue
    .command('sync')
    .description('bring what runs changed of issues to the branch you stand on')
    .addOption(
      new Option('--take <whose>', 'where you and a run contradict each other').choices(['mine', 'runs']),
    )
    .option('--allow-loss', 'also bring what takes issues away, or most of their text')
    .option('--json', JSON_TOO)
    .action(async (options) => {
      const { issueSync } = await import('../issues/sync.ts')
      finish(await issueSync(options, setting()))
    })
}
