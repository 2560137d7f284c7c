/**
 * The wire traffic of agents as JSON lines, one file a run, secrets masked: what was said over ACP and over MCP, in the
 * order in which it passed. Written line by line, so that a host that is killed has lost nothing of it, and the next one
 * goes on in the same file.
 */
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { createMask, type Mask } from './mask.ts'

export interface WireMessage {
  readonly run: string
  /** Step and member. */
  readonly who: string
  readonly wire: 'acp' | 'mcp'
  /** In: from the agent. */
  readonly direction: 'in' | 'out'
  readonly message: unknown
}

export interface Trace {
  write(message: WireMessage): void
  readonly mask: Pick<Mask, 'hide' | 'hideVariables'>
  close(): void
}

export function openTrace(
  dir: string,
  variables: Readonly<Record<string, string>>,
): Trace | { readonly problem: string } {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    if (!statSync(dir).isDirectory()) return { problem: `Traces cannot be kept in ${dir}: it is no folder.` }
  } catch (error) {
    return { problem: `Traces cannot be kept in ${dir}. ${textOf(error)}` }
  }
  const mask = createMask()
  mask.hideVariables(variables)
  const begun = new Set<string>()
  return {
    mask,
    write: ({ run, who, wire, direction, message }) => {
      const file = join(dir, `${run.replaceAll(/[^\w.-]+/g, '-')}.jsonl`)
      try {
        const line = { at: new Date().toISOString(), run, who, wire, direction }
        const text = JSON.stringify({ ...line, message: masked(mask, message) })
        const before = begun.has(file) ? '' : beginning(file)
        appendFileSync(file, `${before}${text}\n`, { mode: 0o600 })
        begun.add(file)
      } catch {
        // A full disk must not end a run because of its trace.
      }
    },
    close: () => {
      for (const file of begun) flush(file)
    },
  }
}

/** What cannot be masked is not kept. */
function masked(mask: Mask, message: unknown): unknown {
  try {
    return mask.apply(message)
  } catch {
    return '(left out: it could not be searched for secrets)'
  }
}

/** A host that died in the middle of a line leaves half of it: ours begins on the next. */
function beginning(file: string): '' | '\n' {
  if (!existsSync(file)) return ''
  chmodSync(file, 0o600)
  const { size } = statSync(file)
  if (size === 0) return ''
  const handle = openSync(file, 'r')
  try {
    const last = Buffer.alloc(1)
    readSync(handle, last, 0, 1, size - 1)
    return last.toString() === '\n' ? '' : '\n'
  } finally {
    closeSync(handle)
  }
}

function flush(file: string): void {
  try {
    const handle = openSync(file, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch {
    // Removed meanwhile, or on a disk that is gone.
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
