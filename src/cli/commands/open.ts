/** `signalbox open`: a login link for a browser, and the browser, where there is one. */
import type { Command } from 'commander'
import { homeAt } from '../../host/machine/home.ts'
import { EXIT } from '../exit.ts'
import { createHttpClient, HostLostError } from '../hosting/http-client.ts'
import { reachHost } from '../hosting/reach-host.ts'
import { openBrowser } from '../terminal/browser.ts'
import { complain } from '../terminal/complaint.ts'
import { type CommandSetting, orComplain, settingOf, type Wiring } from '../wiring.ts'

export function addOpen(program: Command, wiring: Wiring): void {
  program
    .command('open')
    .description('open the web application, logged in')
    .option('--as <name>', 'a link for somebody of your config under `people`, to hand to them')
    .option('--print', 'only print the link')
    .action(async (options: OpenOptions) =>
      wiring.finish(await orComplain(wiring, () => open(options, settingOf(wiring)))),
    )
}

interface OpenOptions {
  readonly as?: string
  readonly print?: boolean
}

async function open({ as, print }: OpenOptions, setting: CommandSetting): Promise<number> {
  const { environment, version, terminal } = setting
  // A host in the background: this command ends, and somebody must be there for the browser.
  const reached = await reachHost({ environment, version, otherwise: 'background' })
  if ('problem' in reached) return complain(terminal, reached.problem, EXIT.failed)
  const host = reached.remote!
  const { url } = host
  const lost = () => new HostLostError(`The host at ${url} does not answer any more.`)
  const made = await createHttpClient(host, lost).ask('POST /api/v1/login/links', {
    body: { person: as ?? null },
  })
  if ('problem' in made) return complain(terminal, made.problem, EXIT.usage)
  terminal.write(`${url}${made.path}`)
  if (print !== true && as === undefined) openBrowser(`${url}${made.path}`, homeAt(environment.home).logins)
  return EXIT.ok
}
