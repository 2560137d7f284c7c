/** A host in the background: the same command, `up`, in a session of its own, with its words in a file. */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '../environment.ts'
import { findHost } from './find-host.ts'

const PATIENCE_MS = 15_000
const OTHERS_MS = 2_000
const AGAIN_MS = 50

export async function startBackgroundHost(
  environment: Environment,
): Promise<{ readonly started: true } | { readonly problem: string }> {
  mkdirSync(environment.home, { recursive: true, mode: 0o700 })
  const words = join(environment.home, 'host.log')
  const out = openSync(words, 'a', 0o600)
  // At any port: the usual one may be taken by a host of another user, or of another home.
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'up', '--port', '0'], {
    detached: true,
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  let deadline = Date.now() + PATIENCE_MS
  // Somebody else may have been quicker, and be the host in a moment.
  child.once('exit', () => {
    deadline = Date.now() + OTHERS_MS
  })
  child.unref()
  while (Date.now() < deadline) {
    if ((await findHost(environment)) !== null) return { started: true }
    await pause(AGAIN_MS)
  }
  return { problem: `A host could not be started in the background. ${words} says why.` }
}
