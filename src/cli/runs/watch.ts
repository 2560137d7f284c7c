/** A run watched from here, whoever hosts it; where its host goes away, it goes on in this process. */
import { existsSync } from 'node:fs'
import { homeAt } from '../../host/machine/home.ts'
import { logFile } from '../../host/machine/log.ts'
import { usualHoldMs } from '../decision/hold.ts'
import { EXIT } from '../exit.ts'
import { type ReachedHost, reachHost } from '../hosting/reach-host.ts'
import { ConnectionError } from '../hosting/remote.ts'
import { complain } from '../terminal/complaint.ts'
import { personHere } from '../terminal/terminal.ts'
import type { CommandSetting } from '../wiring.ts'
import { type Cursor, followRun } from './follow-run.ts'

type Watched = Pick<ReachedHost, 'operations' | 'remote'>

export const watchRun = (reached: Watched, run: string, setting: CommandSetting): Promise<number> =>
  watchFrom({ version: 0, startedAt: null }, { ...reached, run }, setting)

/** What to type next. */
async function lastWord(operations: Watched['operations'], run: string): Promise<string> {
  const story = `signalbox show ${run} tells the whole story.`
  const detail = await operations.show(run)
  if ('problem' in detail || detail.work === null || detail.work.ahead === 0 || detail.work.merged)
    return story
  return [
    `signalbox diff ${run} shows what it changed, signalbox land ${run} brings that into ${detail.work.into}.`,
    story,
  ].join('\n')
}

async function watchFrom(
  cursor: Cursor,
  { operations, remote, run }: Watched & { readonly run: string },
  setting: CommandSetting,
): Promise<number> {
  const { terminal, environment, version, signal } = setting
  const { paint } = terminal
  const home = homeAt(environment.home)
  try {
    const code = await followRun({
      operations,
      run,
      terminal,
      log: logFile(home.logs, run),
      answers: personHere() ?? 'elsewhere',
      signal,
      holdMs: await usualHoldMs(environment),
      cursor,
    })
    if (code === EXIT.interrupted)
      terminal.write(
        paint(
          'dim',
          `
${leftText(run, remote)}`,
        ),
      )
    else if (code !== EXIT.waiting)
      terminal.write(
        paint(
          'dim',
          `
${await lastWord(operations, run)}`,
        ),
      )
    return code
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
  }
  if (existsSync(home.stopped)) {
    terminal.write(`\nSignalbox was stopped. ${paint('dim', leftText(run, null))}`)
    return EXIT.interrupted
  }
  // The host was another command's, and that has ended.
  const reached = await reachHost({ environment, version, otherwise: 'work' })
  if ('problem' in reached) return complain(terminal, reached.problem, EXIT.failed)
  try {
    return await watchFrom(cursor, { ...reached, run }, setting)
  } finally {
    await reached.close()
  }
}

/** Whoever leaves must know whether the work goes on without them. */
const leftText = (run: string, remote: ReachedHost['remote']): string =>
  remote === null
    ? `Nobody hosts ${run} now: it stands still, kept as it is. To go on: signalbox attach ${run}, or signalbox up. To end it: signalbox cancel ${run}`
    : `${run} goes on without you: the host at ${remote.url} has it. To watch it: signalbox attach ${run}. To end it: signalbox cancel ${run}`
