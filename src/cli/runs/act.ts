/** What a person does to a run: cancel, move, retry, extend, discard. */
import type { Action, Operations } from '../../host/operations.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface Setting {
  readonly terminal: Terminal
  readonly operations: Operations
}

export async function act(
  prefix: string,
  { action, said }: { readonly action: Action; readonly said: string },
  { terminal, operations }: Setting,
): Promise<number> {
  const found = await operations.find(prefix)
  if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
  const done = await operations.act(found.run, action)
  if ('problem' in done) return complain(terminal, done.problem, EXIT.failed)
  terminal.write(`${found.run} ${said}`)
  return EXIT.ok
}
