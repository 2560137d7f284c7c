/** `signalbox doctor` as a process of its own: it reads every event and every kept byte, and the host has other things to do meanwhile. */
import { execFile } from 'node:child_process'
import type { HostFinding } from '../../model/api/settings.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { Environment } from '../environment.ts'
import { OWN_COMMAND } from '../hosting/process-environment.ts'

const LONGEST_MS = 10 * 60_000
const LARGEST_BYTES = 4 * 1024 * 1024

export function runOwnDoctor({
  home,
  variables,
}: Pick<Environment, 'home' | 'variables'>): Promise<readonly HostFinding[] | Rejection> {
  const options = { cwd: home, env: variables, timeout: LONGEST_MS, maxBuffer: LARGEST_BYTES }
  return new Promise((resolve) => {
    execFile(process.execPath, [OWN_COMMAND, 'doctor', '--json'], options, (_, stdout, stderr) =>
      resolve(findingsIn(stdout) ?? { code: 'bug', problem: `The doctor said nothing. ${stderr.trim()}` }),
    )
  })
}

/** Null where it is none of ours. */
function findingsIn(text: string): readonly HostFinding[] | null {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) ? (found as HostFinding[]) : null
  } catch {
    return null
  }
}
