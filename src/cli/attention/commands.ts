/** The commands about people's attention: policies, and what asking them comes to. Arguments here, deeds elsewhere. */
import { type Command, Option } from 'commander'
import { readEnvironment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { durationArgument } from '../terminal/duration-argument.ts'
import { wholeNumber } from '../terminal/number.ts'
import { type Wiring, withOperations } from '../wiring.ts'
import type { PolicySetting } from './policy.ts'
import type { SuggestOptions } from './policy-suggest.ts'

const MONTH_MS = 30 * 86_400_000

export function addAttentionCommands(program: Command, wiring: Wiring): void {
  const { finish } = wiring
  const policy = program.command('policy').description('answers that are given without asking you')
  policy
    .command('list')
    .description('which are in force, and how often each was used')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { policyList } = await import('./policy.ts')
      const here = settingFor(wiring)
      finish(await withOperations(wiring, (operations) => policyList(options, { ...here, operations })))
    })
  policy
    .command('check')
    .description('whether your policies can be applied')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { policyCheck } = await import('./policy.ts')
      finish(policyCheck(options, settingFor(wiring)))
    })
  policy
    .command('suggest')
    .description('what your answers speak for, with what it would have got wrong')
    .addOption(since('how far back answers count'))
    .option('--min <n>', 'at least so many that were alike', wholeNumber, 5)
    .option('--disagreeing', 'also what would have answered something otherwise than you did')
    .option('--ratify <name>', 'add this one to your policies')
    .option('--json', 'print as JSON')
    .action(async (options: SuggestOptions) => {
      const { policySuggest } = await import('./policy-suggest.ts')
      const { session, ...here } = settingFor(wiring)
      if (session !== null && options.ratify !== undefined) {
        return finish(complain(here.terminal, 'Only a person ratifies a policy.', EXIT.failed))
      }
      finish(await withOperations(wiring, (operations) => policySuggest(options, { ...here, operations })))
    })

  program
    .command('insights')
    .description('what asking and answering comes to: trust, waiting, time spent')
    .addOption(since('how far back'))
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { insights } = await import('./insights.ts')
      const { terminal, now } = settingFor(wiring)
      finish(await withOperations(wiring, (operations) => insights(options, { terminal, operations, now })))
    })
}

const since = (what: string): Option =>
  new Option('--since <duration>', what).argParser(durationArgument).default(MONTH_MS, '30d')

function settingFor({ terminal }: Wiring): PolicySetting & { readonly session: object | null } {
  const { configDir, session } = readEnvironment(process.env)
  return { terminal, configDir, session, now: Date.now() }
}
