/**
 * A command in a sandbox of macOS. Seatbelt only judges: what bubblewrap mounts, a home and a /tmp, are folders of our own
 * here, told by the environment and removed afterwards. Not run by those who wrote it: see `seatbelt-profile.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginningTrouble, begunArgv } from './beginning.ts'
import { variablesFor, withLocalDoors } from './doorway.ts'
import { inOrder, type Mount } from './mounts.ts'
import { realPathOf } from './real-path.ts'
import { type Sandbox, type SandboxEngine, WORLD } from './sandbox.ts'
import type { CommandToBox, SandboxedCommand } from './sandboxed-command.ts'
import { seatbeltProfile } from './seatbelt-profile.ts'
import { grantsOf } from './view.ts'

type Seatbelt = Extract<SandboxEngine, { kind: 'seatbelt' }>

const FOLDERS = [
  ...['/usr', '/bin', '/sbin', '/System', '/opt', '/nix/store', '/private/etc', '/private/var/select'],
  ...['/private/var/db/dyld', '/private/var/db/timezone', '/private/var/db/xcode_select_link'],
  ...['/Library/Apple', '/Library/Developer', '/Library/Fonts', '/Library/Frameworks', '/Library/Java'],
  ...[
    '/Library/Preferences',
    '/Library/Perl',
    '/Library/Python',
    '/Applications/Xcode.app',
    '/etc',
    '/var',
    '/tmp',
  ],
]

export function seatbeltCommand(
  engine: Seatbelt,
  sandbox: Sandbox,
  { argv, env }: CommandToBox,
): SandboxedCommand {
  if (sandbox.shown.length > 0) throw new Error('Seatbelt shows nothing at another place.')
  const own = realPathOf(mkdtempSync(join(tmpdir(), 'signalbox-sandbox-')))?.path ?? ''
  const home = sandbox.home === null ? null : (sandbox.home.from ?? own)
  const writable = [...sandbox.writable, own, ...(home === null ? [] : [home])]
  const { limits, sockets, onRefused } = sandbox
  const network = withLocalDoors(sandbox.network)
  const isWide = network.hosts.includes(WORLD)
  const pass =
    !isWide && network.hosts.length > 0
      ? engine.proxy.admit({ hosts: network.hosts, upstream: network.upstream ?? null, onRefused })
      : null
  const profile = seatbeltProfile({
    mounts: inOrder([
      { kind: 'empty', at: '/' },
      ...systemOf(FOLDERS),
      ...grantsOf({ ...sandbox, writable }),
    ]),
    temporary: own,
    sockets,
    isWide,
    ports: [...network.ports, ...(pass === null ? [] : [engine.proxy.port])],
  })
  return {
    // Processes are counted for the whole user here.
    argv: [
      ...[engine.program, '-p', profile],
      ...begunArgv({ limits: { ...limits, processes: null }, doors: [], node: process.execPath }, argv),
    ],
    env: {
      ...env,
      ...{ TMPDIR: own, TMP: own, TEMP: own },
      ...(home === null ? {} : { HOME: home }),
      ...(pass === null ? {} : variablesFor(pass.url)),
    },
    descriptors: ['pipe', 'pipe', 'pipe'],
    attend: () => ({
      end() {
        pass?.dismiss()
        rmSync(own, { recursive: true, force: true })
      },
      overLimit: () => null,
    }),
    encloses: false,
    lastIn: () => null,
    troubleIn: ({ code, stderr, words }) => {
      const [, said] = /^sandbox-exec: (.*)/.exec(stderr) ?? []
      const isOwn = said !== undefined && REFUSALS.includes(code)
      return isOwn ? `The sandbox could not be set up (${said}).` : beginningTrouble(words)
    },
  }
}

/** How sandbox-exec ends where it did not get to the program. */
const REFUSALS = [64, 65, 71]

/** A folder that is a link is only the link: what it leads to is named itself. */
function systemOf(paths: readonly string[]): Mount[] {
  return paths.flatMap((path): Mount[] => {
    const real = realPathOf(path)
    if (real === null) return []
    const links = real.links.map(({ at, text }): Mount => ({ kind: 'link', at, text }))
    return links.length > 0 ? links : [{ kind: 'bind', at: path, from: path, access: 'read' }]
  })
}
