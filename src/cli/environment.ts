/** What the command takes from its environment, read in one place. */
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

export interface Environment {
  /** Signalbox's own data: the journal, logs, worktrees. */
  readonly home: string
  /** The user's config. */
  readonly configDir: string
  /** Who answers and starts, for the record. */
  readonly user: string
  readonly searchPath: string
  readonly variables: Readonly<Record<string, string>>
  /** The agent's session this command is used in; null where a person uses it. */
  readonly session: CallingSession | null
  /** What a command of a runbook may read of its own run; null where this is none. */
  readonly ownRun: string | null
  /** The issues as they are now, for a command of a runbook that only reads them; null where they are in its own folder. */
  readonly issues: string | null
  /** The folder of issues that the host says for a command of a runbook, empty where the config names none; null where no host does. */
  readonly issueFolder: string | null
}

export interface CallingSession {
  readonly url: string
  readonly token: string
}

export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const userHome = homeOf(env)
  return {
    home:
      named(env['SIGNALBOX_HOME']) ?? join(xdg(env['XDG_DATA_HOME'], userHome, '.local/share'), 'signalbox'),
    configDir:
      named(env['SIGNALBOX_CONFIG']) ?? join(xdg(env['XDG_CONFIG_HOME'], userHome, '.config'), 'signalbox'),
    user: userOf(env),
    searchPath: env['PATH'] ?? '',
    variables: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    session: sessionOf(env),
    ownRun: named(env['SIGNALBOX_RUN_FILE']),
    issues: named(env['SIGNALBOX_ISSUES']),
    issueFolder: env['SIGNALBOX_ISSUE_FOLDER'] ?? null,
  }
}

/** Either of them is enough to be an agent: half a session must not pass for a person. */
function sessionOf(env: NodeJS.ProcessEnv): CallingSession | null {
  const [url, token] = [env['SIGNALBOX_SESSION_URL'] ?? '', env['SIGNALBOX_SESSION_TOKEN'] ?? '']
  return url === '' && token === '' ? null : { url, token }
}

/** Our own variables may be relative to where the user stands. */
const named = (path: string | undefined): string | null =>
  path === undefined || path === '' ? null : resolve(path)

/** The XDG specification: a path that is relative is to be ignored. */
const xdg = (path: string | undefined, userHome: string, otherwise: string): string =>
  path !== undefined && isAbsolute(path) ? path : join(userHome, otherwise)

function homeOf(env: NodeJS.ProcessEnv): string {
  const told = env['HOME'] ?? ''
  if (isAbsolute(told)) return told
  try {
    return homedir()
  } catch {
    // A user whom nobody registered. Writing there fails with a path that tells why.
    return '/'
  }
}

function userOf(env: NodeJS.ProcessEnv): string {
  try {
    const { username } = userInfo()
    if (username !== '') return username
  } catch {
    // In a container, a user may have a number and no name.
  }
  return env['USER'] || env['LOGNAME'] || `user-${process.getuid?.() ?? 0}`
}
