/** Whether something may be done that costs: said beforehand, or asked of whoever sits here. */
import { createInterface } from 'node:readline/promises'
import type { CommandSetting } from '../wiring.ts'

export type Consent = 'yes' | 'no' | 'unasked'

export async function consent(
  how: 'given' | 'asked',
  { signal, terminal }: CommandSetting,
): Promise<Consent> {
  if (how === 'given') return 'yes'
  const { stdin, stdout } = process
  if (stdin.isTTY !== true || stdout.isTTY !== true) return 'unasked'
  const reader = createInterface({ input: stdin, output: stdout })
  // Ctrl-C and Ctrl-D close the reader, and a question to a closed one is never answered.
  const gone = new AbortController()
  reader.once('close', () => gone.abort())
  try {
    const over = AbortSignal.any([signal, gone.signal])
    const said = await reader.question(terminal.paint('magenta', 'Go on? [y/N] '), { signal: over })
    return /^\s*y(?:es)?\s*$/i.test(said) ? 'yes' : 'no'
  } catch {
    return 'no'
  } finally {
    reader.close()
  }
}
