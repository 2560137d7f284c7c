/** `signalbox attach`: a run watched from here, and answered here. */
import type { Command } from 'commander'
import { EXIT } from '../exit.ts'
import { reachHost } from '../hosting/reach-host.ts'
import { RUN_ID } from '../terminal/arguments.ts'
import { complain } from '../terminal/complaint.ts'
import { type CommandSetting, orComplain, settingOf, type Wiring } from '../wiring.ts'

export function addAttach(program: Command, wiring: Wiring): void {
  program
    .command('attach')
    .description('watch a run, and answer it here')
    .argument('<run>', RUN_ID)
    .action(async (run: string) =>
      wiring.finish(await orComplain(wiring, () => attach(run, settingOf(wiring)))),
    )
}

async function attach(prefix: string, setting: CommandSetting): Promise<number> {
  const { terminal, environment, version } = setting
  const reached = await reachHost({ environment, version, otherwise: 'join' })
  if ('problem' in reached) return complain(terminal, reached.problem, EXIT.failed)
  const { operations } = reached
  try {
    const found = await operations.find(prefix)
    if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
    const { watchRun } = await import('../runs/watch.ts')
    return await watchRun(reached, found.run, setting)
  } finally {
    await reached.close()
  }
}
