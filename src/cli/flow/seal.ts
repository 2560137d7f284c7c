/**
 * A paper of a run (its plan, its tasks, what is to be fixed) as a gate found it. The gate prints a seal, which is then in the record;
 * so a later gate can tell that a paper did not change though it was sent back, or that somebody changed one that was agreed on.
 */
import { createHash } from 'node:crypto'
import type { RunEvent } from '../../model/event.ts'
import { withSteps } from './own-record.ts'

export interface Seal {
  readonly name: string
  /** Of what it says: letters and digits, whatever stands between them. */
  readonly words: string
  /** Of what it is. */
  readonly bytes: string
}

export const sealOf = (name: string, text: string): Seal => ({
  name,
  words: sha256(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  ),
  bytes: sha256(text),
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const sealText = ({ name, words, bytes }: Seal): string => `sealed ${name} ${words} ${bytes}`

const SEAL = /^sealed (\S+) ([0-9a-f]{64}) ([0-9a-f]{64})$/gm

/** The seals of a paper that gates of these steps printed and passed with, oldest first. Other gates run what agents wrote. */
export function sealsOf(
  events: readonly RunEvent[],
  { name, steps }: { readonly name: string; readonly steps: readonly string[] },
): Seal[] {
  const seals: Seal[] = []
  for (const { step, event } of withSteps(events)) {
    if (event.type !== 'gate.passed' || !steps.includes(step)) continue
    for (const [, sealed = '', words = '', bytes = ''] of event.evidence.output.matchAll(SEAL))
      if (sealed === name) seals.push({ name, words, bytes })
  }
  return seals
}
