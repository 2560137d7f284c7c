/**
 * The file in which an agent without tools puts a decision to a person. It lies where the agent writes, so it may be
 * anything, as an answer may.
 */
import type { RawAnswer } from '../../model/answer.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { readJsonFile } from './answer-file.ts'

const LARGEST = 64 * 1024

export type DecisionFile =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'decision'; readonly payload: unknown; readonly bytes: Uint8Array }
  | { readonly kind: 'wrong'; readonly message: string }

export async function readDecisionFile(path: string, within: string): Promise<DecisionFile> {
  const { given, bytes } = await readJsonFile(path, { maxBytes: LARGEST, within })
  if (given.kind === 'nothing') return { kind: 'nothing' }
  if (given.kind === 'value' && bytes !== null) return { kind: 'decision', payload: given.value, bytes }
  return { kind: 'wrong', message: unreadable(path, given) }
}

/** The contract, what was given, and what would be right. */
const unreadable = (path: string, given: RawAnswer): string =>
  [
    'Your decision file could not be read, so nobody was asked.',
    '',
    `What was asked: a regular file of at most ${LARGEST / 1024} KiB with one JSON object, at ${path}`,
    '',
    `What you gave: ${given.kind === 'malformed' ? given.text : 'nothing'}`,
    '',
    'A correct one:',
    '```json',
    JSON.stringify(EXAMPLE_DECISION),
    '```',
  ].join('\n')
