/** What a person does to a run: cancel, move, retry, extend. */
import type { Action } from '../../host/operations.ts'
import { EXIT, exitOf } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { type Wiring, withOperations } from '../wiring.ts'

/** The words with which a run is dealt with, and what is said when it is done. */
export async function act(
  wiring: Wiring,
  prefix: string,
  { action, said }: { readonly action: Action; readonly said: string },
): Promise<void> {
  const { terminal, finish } = wiring
  const code = await withOperations(wiring, async (operations) => {
    const found = await operations.find(prefix)
    if ('problem' in found) return complain(terminal, found.problem, EXIT.usage)
    const done = await operations.act(found.run, action)
    if ('problem' in done) return complain(terminal, done.problem, exitOf(done))
    terminal.write(`${found.run} ${said}`)
    return EXIT.ok
  })
  finish(code)
}

export interface Reason {
  readonly reason: string
}

/** Every one of them may say why. */
export const REASON = ['--reason <text>', 'why, for the record', ''] as const
