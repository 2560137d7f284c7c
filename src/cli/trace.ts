/** The wire traffic of agents as JSON lines, one file a session, secrets masked. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

export type Trace = (run: string, who: string, direction: 'in' | 'out', message: unknown) => void

const SECRET_KEY = /authorization|token|secret|api[-_]?key|password/i

export function openTrace(dir: string): Trace {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return (run, who, direction, message) => {
    const line = JSON.stringify({ at: new Date().toISOString(), run, who, direction, message }, masked)
    try {
      appendFileSync(join(dir, `${run}-${who.replaceAll(/[^\w.-]+/g, '-')}.jsonl`), `${line}\n`)
    } catch {
      // A full disk must not end a run because of its trace.
    }
  }
}

/** Values under telling names, and headers given as name and value. */
function masked(key: string, value: unknown): unknown {
  if (SECRET_KEY.test(key) && typeof value === 'string') return '***'
  if (typeof value !== 'object' || value === null || !('name' in value) || !('value' in value)) return value
  return typeof value.name === 'string' && SECRET_KEY.test(value.name) ? { ...value, value: '***' } : value
}
