/** `signalbox agents` and what stands below it: arguments here, what they do in a page of their own. */
import type { Command } from 'commander'
import { durationArgument } from '../terminal/duration-argument.ts'
import { settingOf, type Wiring } from '../wiring.ts'

export function addAgentCommands(program: Command, wiring: Wiring): void {
  const { terminal, finish } = wiring
  const agents = program
    .command('agents')
    .description('the agents known here, what they can do, and what will not work with them')
    .option('--probe', 'start each that is installed, and ask it')
    .option('--json', 'print as JSON')
    .action(async (options) => {
      const { agents } = await import('./agents.ts')
      finish(await agents(options, terminal, settingOf(wiring)))
    })

  agents
    .command('test')
    .description('have one of them work for a minute, with your model, and say what it does and does not do')
    .argument('<name>', 'as signalbox agents lists it')
    .option('--scripted', 'with a scripted model instead of yours, for those that stand ready')
    .option('--yes', 'do not ask whether your model may be used')
    .option('--time <duration>', 'how long it may take; 3m by default', durationArgument)
    .option('--trace <dir>', 'keep the wire traffic there')
    .action(async (name: string, options) => {
      if (options.scripted === true) {
        const { testScripted } = await import('./scripted-trial.ts')
        finish(await testScripted(name, options, settingOf(wiring)))
        return
      }
      const { testAgent } = await import('./trial.ts')
      finish(await testAgent(name, options, settingOf(wiring)))
    })
}
