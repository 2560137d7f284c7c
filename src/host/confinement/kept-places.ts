/**
 * What an agent keeps is made where it is missing: in a home where it was never used there is nothing to be shown, and what it
 * then wrote would be gone with the run. Only in the user's home, and only where nothing that agents write leads there.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import type { AgentProgram } from '../session/agent-program.ts'
import { resolveGrant } from './grant.ts'
import { expanded, type ProcessEnvironment } from './process-environment.ts'

export function makeKeptPlaces(
  { keeps, begins = {}, ofProject }: AgentProgram,
  { guard, userHome }: Pick<ProcessEnvironment, 'guard' | 'userHome'>,
): void {
  // What a project's agent keeps lies in the home of its run.
  if (ofProject === true || userHome === '/') return
  for (const place of keeps.filter((each) => each.startsWith('~/'))) {
    const path = expanded(place, userHome)
    if (resolveGrant(path, guard).kind !== 'missing') continue
    const text = Object.hasOwn(begins, place) ? begins[place] : undefined
    // What a place of the user's own that looks like a file should hold, nobody knows.
    if (text === undefined && extname(path) !== '') continue
    make(path, text)
  }
}

function make(path: string, text: string | undefined): void {
  try {
    mkdirSync(text === undefined ? path : dirname(path), { recursive: true, mode: 0o700 })
    if (text !== undefined) writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  } catch {
    // A home that cannot be written to: the agent tells of it, if it minds.
  }
}
