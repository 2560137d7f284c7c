/** What went wrong, in one sentence, where it does not mix with what was asked for. */
import { harmless, type Terminal } from './terminal.ts'

export function complain(terminal: Terminal, problem: string, code: number): number {
  process.stderr.write(harmless(`${terminal.paint('red', 'error:')} ${problem}\n`))
  return code
}
