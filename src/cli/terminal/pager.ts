/** A long text for whoever sits here: through their pager where they have one, plainly where nobody looks. */
import { spawn } from 'node:child_process'
import { harmless, type Terminal } from './terminal.ts'

/** Resolves when they have read it. */
export function page(text: string, terminal: Terminal, environment: NodeJS.ProcessEnv): Promise<void> {
  const { stdout } = process
  const pager = environment['PAGER'] ?? 'less'
  const isLong = text.split('\n').length >= (stdout.rows ?? Number.POSITIVE_INFINITY)
  if (stdout.isTTY !== true || !isLong || pager === '' || pager === 'cat') {
    terminal.write(text)
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    // Theirs, and started as their shell would; what it reads is harmless before it gets there.
    const child = spawn(pager, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { LESS: 'FRX', ...environment },
    })
    child.stdin.on('error', () => undefined)
    child.on('error', () => {
      terminal.write(text)
      resolve()
    })
    child.on('close', () => resolve())
    child.stdin.end(`${harmless(text)}\n`)
  })
}
