/** `signalbox people`: who may answer here beside you. */
import type { Command } from 'commander'
import { durationArgument } from '../terminal/duration-argument.ts'
import { settingOf, type Wiring } from '../wiring.ts'

export function addPeople(program: Command, wiring: Wiring): void {
  const { finish } = wiring
  const people = program
    .command('people')
    .description('who may answer here beside you')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { listPeople } = await import('../config/people.ts')
      finish(listPeople(options, settingOf(wiring)))
    })
  people
    .command('token')
    .description('print a token for a person of your config')
    .argument('<name>', 'as in your config under `people`')
    .option(
      '--for <duration>',
      'how long it works, such as 30d; 90d by default, 366d at most',
      durationArgument,
    )
    .action(async (name: string, { for: forMs }: { readonly for?: number }) => {
      const { printPersonalToken } = await import('../config/people.ts')
      finish(printPersonalToken({ name, ...(forMs === undefined ? {} : { forMs }) }, settingOf(wiring)))
    })
  people
    .command('revoke')
    .description('end every token, browser session and link of a person')
    .argument('<name>', 'a person of your config, or you')
    .action(async (name: string) => {
      const { revokePerson } = await import('../config/people.ts')
      finish(revokePerson(name, settingOf(wiring)))
    })
}
