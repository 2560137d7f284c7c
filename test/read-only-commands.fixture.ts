/**
 * `check` and `rehearse` in this process, as the command calls them: what they write, and the code they would end with. How the
 * command itself is started, reads its arguments and ends is shown in `cli.test.ts`, with processes.
 */
import { type CheckOptions, check } from '../src/cli/runbooks/check.ts'
import { type RehearseOptions, rehearseFile } from '../src/cli/runbooks/rehearse.ts'
import { harmless, type Terminal } from '../src/cli/terminal/terminal.ts'
import type { Ran } from './command.fixture.ts'

export const checkHere = (files: readonly string[], options: CheckOptions = {}): Promise<Ran> =>
  written((terminal) => check(files, options, terminal))

export const rehearseHere = (file: string, options: Partial<RehearseOptions> = {}): Promise<Ran> =>
  written((terminal) => rehearseFile(file, { maxStates: 2_000_000, ...options }, terminal))

async function written(command: (terminal: Terminal) => Promise<number>): Promise<Ran> {
  let out = ''
  const code = await command({
    write: (text) => {
      out += `${harmless(text)}\n`
    },
    paint: (_style, text) => text,
    progress: () => {},
    clearProgress: () => {},
  })
  return { code, out, err: '' }
}
