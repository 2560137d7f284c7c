/** `signalbox demo`: a whole run to look at. */
import type { Command } from 'commander'
import { settingOf, type Wiring } from '../wiring.ts'

export function addDemo(program: Command, wiring: Wiring): void {
  program
    .command('demo')
    .description('a whole run on a small repository, with scripted agents and no model')
    .option('--answer <how>', '"recommended": take what is recommended instead of asking')
    .option('--web', 'answer in the browser')
    .action(async (options) => {
      const { demo } = await import('../demo/demo.ts')
      wiring.finish(await demo(options, settingOf(wiring)))
    })
}
