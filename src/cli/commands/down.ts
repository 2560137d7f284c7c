/** `signalbox down`: the host stopped, wherever it runs. */
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { homeAt } from '../../host/machine/home.ts'
import { EXIT } from '../exit.ts'
import { hostPresence, silentText } from '../hosting/host-presence.ts'
import { complain } from '../terminal/complaint.ts'
import { type CommandSetting, settingOf, type Wiring } from '../wiring.ts'

export function addDown(program: Command, wiring: Wiring): void {
  program
    .command('down')
    .description('stop the host; runs go on when it is up again')
    .action(async () => wiring.finish(await down(settingOf(wiring))))
}

const LEAVING_MS = 30_000
const AGAIN_MS = 50

async function down({ environment, terminal }: CommandSetting): Promise<number> {
  if (environment.ownRun !== null) {
    const { ONLY_ITS_RUN } = await import('../hosting/own-run.ts')
    return complain(terminal, ONLY_ITS_RUN, EXIT.failed)
  }
  const presence = await hostPresence(environment)
  if (presence.is === 'silent') return complain(terminal, silentText(presence), EXIT.failed)
  if (presence.is === 'absent') {
    terminal.write('No host is running.')
    return EXIT.ok
  }
  const found = presence.door
  const home = homeAt(environment.home)
  writeFileSync(home.stopped, '', { mode: 0o600 })
  process.kill(found.pid, 'SIGTERM')
  const { acquireHostLock } = await import('../../journal/index.ts')
  /** Its last act is to let go of the lock. */
  const isHeld = (): boolean => {
    const lock = acquireHostLock({ file: home.lock })
    lock?.release()
    return lock === null
  }
  const deadline = Date.now() + LEAVING_MS
  while (isHeld()) {
    if (Date.now() > deadline)
      return complain(terminal, `The host (process ${found.pid}) has not ended yet.`, EXIT.failed)
    await pause(AGAIN_MS)
  }
  terminal.write('Signalbox is down. Its runs go on when it is up again.')
  return EXIT.ok
}
