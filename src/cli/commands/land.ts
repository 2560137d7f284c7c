/** `signalbox land`: a run's work brought into a branch of yours, once its gates have passed on it there. */
import { type Command, Option } from 'commander'
import type { Operations } from '../../host/operations.ts'
import type { Landing, LandOrder } from '../../model/api/course.ts'
import { EXIT } from '../exit.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import { plural, type Terminal, visible } from '../terminal/terminal.ts'
import { type Wiring, withOperations } from '../wiring.ts'

export function addLand(program: Command, wiring: Wiring): void {
  program
    .command('land')
    .description('bring the work of a run into the branch it came from, once its gates have passed there')
    .argument('<run>', RUN_ID)
    .option('--into <branch>', 'another branch of yours')
    .addOption(new Option('--squash', 'as one commit').conflicts('cherryPick'))
    .addOption(new Option('--cherry-pick', 'commit by commit, without a merge'))
    .option('--message <text>', 'of the merge, or of the one commit')
    .option('--unfinished', 'what is committed so far, though the run goes on')
    .option('--no-gate', 'without putting its gates to it')
    .option('--json', 'print as JSON')
    .action(async (run: string, options: LandOptions) =>
      wiring.finish(
        await withOperations(wiring, (operations) => land(run, options, { ...wiring, operations })),
      ),
    )
}

interface LandOptions {
  readonly into?: string
  readonly squash?: boolean
  readonly cherryPick?: boolean
  readonly message?: string
  readonly unfinished?: boolean
  readonly gate: boolean
  readonly json?: boolean
}

async function land(
  prefix: string,
  options: LandOptions,
  { terminal, operations }: { readonly terminal: Terminal; readonly operations: Operations },
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const order: LandOrder = {
    how: options.squash === true ? 'squash' : options.cherryPick === true ? 'cherry-pick' : 'merge',
    into: options.into ?? null,
    unfinished: options.unfinished === true,
    gates: options.gate ? 'put' : 'skip',
    message: options.message ?? '',
  }
  for (;;) {
    terminal.progress(options.gate ? 'Its gates are put to what would be landed …' : 'Landing …')
    const landing = await operations.course.land(found.run, order)
    terminal.clearProgress()
    if ('problem' in landing) return complain(terminal, landing.problem, EXIT.failed)
    if (landing.state === 'going-on') continue
    terminal.write(options.json === true ? JSON.stringify(landing, null, 2) : landedText(found.run, landing))
    return EXIT.ok
  }
}

function landedText(
  run: string,
  {
    into,
    commit,
    how,
    gates,
    checkout,
    issues,
    redefined,
    issuesWait,
  }: Extract<Landing, { state: 'landed' }>,
): string {
  const changed = issues === 0 ? '' : `\n${plural(issues, 'change')} of issues came along`
  const waits = issuesWait === null ? '' : `\nIts changes of issues wait: ${issuesWait}`
  const meaning = redefined
    .map(
      ({ gate, files }) =>
        `\nThe gate \`${visible(gate)}\` runs what ${files.map(visible).join(', ')} says, which this changes.`,
    )
    .join('')
  if (how === 'nothing') return `${into} has all that ${run} did, at ${commit.slice(0, 9)}${changed}${waits}`
  const judged = gates === 0 ? 'no gate was put to it' : `${plural(gates, 'gate')} passed on it`
  const along = checkout === null ? '' : `\n${checkout} is brought along`
  return `${run} is landed in ${into} at ${commit.slice(0, 9)} (${how}); ${judged}${along}${changed}${waits}${meaning}`
}
