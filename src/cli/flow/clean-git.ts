/** Git in the clean checkout that a check or a judge runs on: thrown away afterwards, so its files and index may be changed. */
import { spawnSync } from 'node:child_process'

const MOST_BYTES = 512 * 1024 * 1024

/** Bytes in and out, as text of one character a byte: a file need not be UTF-8. */
export function git(
  argv: readonly string[],
  input = '',
): { readonly output: string } | { readonly problem: string } {
  const { status, stdout, stderr, error } = spawnSync('git', ['-c', 'core.quotePath=false', ...argv], {
    input: Buffer.from(input, 'latin1'),
    maxBuffer: MOST_BYTES,
  })
  if (error !== undefined) return { problem: error.message }
  if (status !== 0) return { problem: stderr.toString('utf8').trim() || `git ended with ${status}` }
  return { output: stdout.toString('latin1') }
}
