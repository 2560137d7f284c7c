/** `signalbox people`: who may answer here beside you. */
import type { Command } from 'commander'
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
    .description('print the token of somebody in your config, for the HTTP door')
    .argument('<name>', 'as in your config under `people`')
    .action(async (name: string) => {
      const { printPersonalToken } = await import('../config/people.ts')
      finish(printPersonalToken(name, settingOf(wiring)))
    })
}
