/** The commands about people's attention: policies, and what asking them comes to. Arguments here, deeds elsewhere. */
import { type Command, Option } from 'commander'
import type { Operations } from '../../host/operations.ts'
import { EXIT } from '../exit.ts'
import { durationArgument } from '../terminal/duration-argument.ts'
import { wholeNumber } from '../terminal/number.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { PolicySetting } from './policy.ts'
import type { SuggestOptions } from './policy-suggest.ts'

export interface AttentionWiring {
  readonly terminal: Terminal
  readonly finish: (code: number) => void
  readonly withOperations: (act: (operations: Operations) => Promise<number>) => Promise<number>
}

const MONTH_MS = 30 * 86_400_000

export function addAttentionCommands(program: Command, wiring: AttentionWiring): void {
  const { finish } = wiring
  const policy = program.command('policy').description('answers that are given without asking you')
  policy
    .command('list')
    .description('which are in force, and how often each was used')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { policyList } = await import('./policy.ts')
      const here = await setting(wiring)
      finish(await asking(wiring, (operations) => policyList(options, { ...here, operations })))
    })
  policy
    .command('check')
    .description('whether your policies can be applied')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { policyCheck } = await import('./policy.ts')
      finish(policyCheck(options, await setting(wiring)))
    })
  policy
    .command('suggest')
    .description('what your answers speak for, with what it would have got wrong')
    .addOption(since('how far back answers count'))
    .option('--min <n>', 'at least so many of a kind', wholeNumber, 5)
    .option('--ratify <name>', 'add this one to your policies')
    .option('--json', 'print as JSON')
    .action(async (options: SuggestOptions) => {
      const { policySuggest } = await import('./policy-suggest.ts')
      const { session, ...here } = await setting(wiring)
      if (session !== null && options.ratify !== undefined) {
        const { complain } = await import('../terminal/complaint.ts')
        return finish(complain(here.terminal, 'Only a person ratifies a policy.', EXIT.failed))
      }
      finish(await asking(wiring, (operations) => policySuggest(options, { ...here, operations })))
    })

  program
    .command('insights')
    .description('what asking and answering comes to: trust, waiting, time spent')
    .addOption(since('how far back'))
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { insights } = await import('./insights.ts')
      const { terminal, now } = await setting(wiring)
      finish(await asking(wiring, (operations) => insights(options, { terminal, operations, now })))
    })
}

const since = (what: string): Option =>
  new Option('--since <duration>', what).argParser(durationArgument).default(MONTH_MS, '30d')

async function setting({
  terminal,
}: AttentionWiring): Promise<PolicySetting & { readonly session: object | null }> {
  const { readEnvironment } = await import('../environment.ts')
  const { configDir, session } = readEnvironment(process.env)
  return { terminal, configDir, session, now: Date.now() }
}

/** A host that cannot be reached is told in a sentence. */
async function asking(
  { terminal, withOperations }: AttentionWiring,
  act: (operations: Operations) => Promise<number>,
): Promise<number> {
  const { ConnectionError } = await import('../hosting/remote.ts')
  try {
    return await withOperations(act)
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    const { complain } = await import('../terminal/complaint.ts')
    return complain(terminal, error.message, EXIT.failed)
  }
}
