/** A run watched from here, whoever hosts it; where its host goes away, it goes on in this process. */
import { existsSync } from 'node:fs'
import { homeAt } from '../../host/machine/home.ts'
import { logFile } from '../../host/machine/log.ts'
import type { Operations } from '../../host/operations.ts'
import { EXIT } from '../exit.ts'
import { reachHost } from '../hosting/reach-host.ts'
import { ConnectionError } from '../hosting/remote.ts'
import { complain } from '../terminal/complaint.ts'
import { personHere } from '../terminal/terminal.ts'
import type { CommandSetting } from '../wiring.ts'
import { type Cursor, followRun } from './follow-run.ts'

export const watchRun = (operations: Operations, run: string, setting: CommandSetting): Promise<number> =>
  watchFrom({ version: 0, startedAt: null }, { operations, run }, setting)

async function watchFrom(
  cursor: Cursor,
  { operations, run }: { readonly operations: Operations; readonly run: string },
  setting: CommandSetting,
): Promise<number> {
  const { terminal, environment, version, signal } = setting
  const { paint } = terminal
  const home = homeAt(environment.home)
  const kept = paint('dim', `\n${run} is kept as it is. To go on: signalbox attach ${run}`)
  try {
    const code = await followRun({
      operations,
      run,
      terminal,
      log: logFile(home.logs, run),
      answers: personHere() ?? 'elsewhere',
      signal,
      cursor,
    })
    if (code === EXIT.interrupted) terminal.write(kept)
    else if (code !== EXIT.waiting)
      terminal.write(paint('dim', `\nsignalbox show ${run} tells the whole story.`))
    return code
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
  }
  if (existsSync(home.stopped)) {
    terminal.write(`\nSignalbox was stopped.${kept}`)
    return EXIT.interrupted
  }
  // The host was another command's, and that has ended.
  const reached = await reachHost({ environment, version, otherwise: 'work' })
  if ('problem' in reached) return complain(terminal, reached.problem, EXIT.failed)
  try {
    return await watchFrom(cursor, { operations: reached.operations, run }, setting)
  } finally {
    await reached.close()
  }
}
