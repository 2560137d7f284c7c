/** Where Signalbox keeps its state: one directory of the user's for all projects. */
import { join } from 'node:path'

export interface Home {
  readonly dir: string
  readonly database: string
  /** Where the journal's streams ended, written down outside of it, see journal/anchor.ts. */
  readonly anchor: string
  /** Held by the one host there may be. */
  readonly lock: string
  /** Where browsers and agents reach the host: address, pid. */
  readonly door: string
  /** Where the user's own commands reach the host, as its owner. */
  readonly socket: string
  /** What people's tokens, sessions and links are signed with. */
  readonly secret: string
  /** A mark for each person for whom something was signed, see http/people-secrets.ts. */
  readonly people: string
  /** Pages that lead the user's browser to a login link, see http/login-keys.ts. */
  readonly logins: string
  /** There since somebody stopped the host on purpose: whoever watched a run must not take its place. */
  readonly stopped: string
  readonly worktrees: string
  /** What the host keeps of each run's ground beside its worktree, see workspace/ground.ts. */
  readonly grounds: string
  /** What setup made of the files of a base, for all runs that begin there, see workspace/prepared.ts. */
  readonly prepared: string
  readonly logs: string
  readonly processes: string
  /** Locks of those who wait for a decision they asked, see inbox/awaited.ts. */
  readonly awaited: string
  /** Answers that came over MCP and wait for their turn to end. */
  readonly answers: string
  /** Sessions of scripted agents. */
  readonly scripted: string
}

export const homeAt = (dir: string): Home => ({
  dir,
  database: join(dir, 'signalbox.db'),
  anchor: join(dir, 'anchor.jsonl'),
  lock: join(dir, 'host.lock'),
  door: join(dir, 'host.json'),
  socket: join(dir, 'host.sock'),
  secret: join(dir, 'people.secret'),
  people: join(dir, 'people'),
  logins: join(dir, 'logins'),
  stopped: join(dir, 'host.stopped'),
  worktrees: join(dir, 'worktrees'),
  grounds: join(dir, 'grounds'),
  prepared: join(dir, 'prepared'),
  logs: join(dir, 'logs'),
  processes: join(dir, 'processes'),
  awaited: join(dir, 'awaited'),
  answers: join(dir, 'answers'),
  scripted: join(dir, 'scripted'),
})
