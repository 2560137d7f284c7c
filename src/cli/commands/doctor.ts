/** `signalbox doctor`: what is in force here, and what is wrong. */
import type { Command } from 'commander'
import { settingOf, type Wiring } from '../wiring.ts'

export function addDoctor(program: Command, wiring: Wiring): void {
  program
    .command('doctor')
    .description('what is in force here, what is wrong, what to do about it')
    .option('--rebuild', 'make the read models again from the events')
    .option('--against <file>', 'hold the record against what an earlier `decision export` says of it')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { doctor } = await import('../doctor/doctor.ts')
      wiring.finish(await doctor(options, settingOf(wiring)))
    })
}
