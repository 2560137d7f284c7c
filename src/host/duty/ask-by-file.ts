/** A turn that ended without an answer may have ended with a decision for a person, in a file. */
import { type AnswerPlaces, clearAnswers, findDecision } from '../answers.ts'
import { raiseDecision } from '../proof.ts'
import type { Tools } from './duty.ts'
import type { Prompting } from './prompting.ts'

export type AskedByFile =
  | { readonly kind: 'nothing' }
  /** It lies with a person; the duty is settled. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'wrong'; readonly message: string }

export async function askByFile(tools: Tools, work: Prompting, places: AnswerPlaces): Promise<AskedByFile> {
  const file = await findDecision(places)
  if (file.kind !== 'decision') return file
  const { step, visit, member, attempt } = work.duty
  const raised = await raiseDecision(tools, {
    run: work.run,
    address: { step, visit, member, attempt },
    payload: file.payload,
    door: 'file',
    call: file.bytes,
    claim: work.claim,
  })
  if ('rejected' in raised)
    return { kind: 'wrong', message: `${raised.rejected}\n\nIt was read from ${file.path}.` }
  await clearAnswers(places)
  return { kind: 'asked' }
}
