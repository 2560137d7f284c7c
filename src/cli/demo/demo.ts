/** `signalbox demo`: a whole run on a small repository, with scripted agents and no model, in a folder of its own. */
import { join } from 'node:path'
import { homeAt } from '../../host/machine/home.ts'
import { logFile } from '../../host/machine/log.ts'
import { EXIT } from '../exit.ts'
import { becomeHost, type Hosting } from '../hosting/become-host.ts'
import { followRun } from '../runs/follow-run.ts'
import { openBrowser } from '../terminal/browser.ts'
import { complain } from '../terminal/complaint.ts'
import { ownCommand, shellWord } from '../terminal/own-command.ts'
import { personHere } from '../terminal/terminal.ts'
import type { CommandSetting } from '../wiring.ts'
import { ISSUE, RUNBOOK_FILE } from './project.ts'
import { layOutDemo, startDemo } from './start-demo.ts'

export interface DemoOptions {
  readonly answer?: string
  /** It is answered in the browser. */
  readonly web?: boolean
}

export async function demo({ answer, web = false }: DemoOptions, setting: CommandSetting): Promise<number> {
  const { terminal, version, signal } = setting
  const { paint } = terminal
  if (answer !== undefined && answer !== 'recommended')
    return complain(terminal, '--answer takes only "recommended".', EXIT.usage)
  if (web && answer !== undefined)
    return complain(terminal, '--web is answered in the browser: leave out --answer.', EXIT.usage)
  const place = await layOutDemo()
  const { folder, repo } = place
  const home = join(folder, 'home')
  const environment = { ...setting.environment, home, configDir: join(folder, 'config') }
  terminal.write(
    [
      `${paint('bold', 'A small repository with one issue, two scripted agents, and you.')}`,
      paint('dim', `The repository: ${repo}`),
      paint('dim', `The issue:      ${ISSUE}, titles of three words break their address`),
      paint('dim', `The runbook:    ${RUNBOOK_FILE}: develop (gate: node --test), review, sign_off`),
      '',
    ].join('\n'),
  )
  const hosting = await becomeHost({ environment, version, port: 0, work: true, trace: null })
  if (hosting === null || 'problem' in hosting)
    return complain(terminal, hosting?.problem ?? 'The demo has a host already.', EXIT.failed)
  try {
    const { operations } = hosting
    if (web) showInBrowser(hosting, terminal, homeAt(home).logins)
    const started = await startDemo(operations, place)
    if ('problems' in started) return complain(terminal, started.problems.join('\n'), EXIT.failed)
    const { run } = started
    const { searchPath } = environment
    const again = `SIGNALBOX_HOME=${shellWord(home)} ${ownCommand({ script: process.argv[1] ?? '', searchPath })}`
    const code = await followRun({
      operations,
      run,
      terminal,
      log: logFile(homeAt(home).logs, run),
      answers: web ? 'browser' : answer === 'recommended' ? 'recommended' : (personHere() ?? 'elsewhere'),
      signal,
      cursor: { version: 0, startedAt: null },
      command: again,
    })
    const detail = await operations.show(run)
    if ('problem' in detail) return code
    const { branch } = detail.placement
    terminal.write(
      [
        '',
        code === EXIT.waiting ? NOBODY : paint('bold', 'Where to look'),
        `  the commits     ${paint('cyan', `git -C ${shellWord(repo)} log --oneline ${branch}`)}`,
        `  the change      ${paint('cyan', `git -C ${shellWord(repo)} diff main...${branch}`)}`,
        `  the whole story ${paint('cyan', `${again} show ${run}`)}`,
        `  what was said   ${paint('cyan', `${again} logs ${run}`)}`,
        `  to clean up     ${paint('cyan', `rm -rf ${shellWord(folder)}`)}`,
      ].join('\n'),
    )
    if (web && !signal.aborted) {
      terminal.write(paint('dim', '\nThe browser can look at it until you stop this with Ctrl-C.'))
      await new Promise<void>((stop) => signal.addEventListener('abort', () => stop(), { once: true }))
    }
    return code
  } finally {
    await hosting.close()
  }
}

function showInBrowser(
  { createLoginLink }: Hosting,
  { write, paint }: CommandSetting['terminal'],
  pages: string,
): void {
  const link = createLoginLink!()
  write(`In the browser: ${paint('cyan', link)} ${paint('dim', '(opens once)')}\n`)
  openBrowser(link, pages)
}

const NOBODY =
  'Nobody sits at this terminal: --answer recommended takes what is recommended. Where to look until then'
