/** A turn that ended without an answer may have ended with a question for a person: in a file, or in its last message. */
import type { Proof } from '../../model/proof.ts'
import { type AnswerFiles, clearAnswers, decisionInFiles } from './answer-files.ts'
import type { Edges } from './edges.ts'
import { questionInWords } from './end-words.ts'
import type { Prompting } from './prompting.ts'
import { raiseDecision } from './raise.ts'

export type AskedAtEnd =
  | { readonly kind: 'nothing' }
  /** It lies with a person; the duty is settled. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'wrong'; readonly message: string }

export const NOT_ASKED: AskedAtEnd = { kind: 'nothing' }

export async function askByFile(edges: Edges, work: Prompting, files: AnswerFiles): Promise<AskedAtEnd> {
  const file = await decisionInFiles(files)
  if (file.kind !== 'decision') return file
  const { payload, bytes: call } = file
  const asked = await raise(edges, work, { payload, door: 'file', call })
  if (asked.kind === 'wrong')
    return { ...asked, message: `${asked.message}\n\nIt was read from ${file.path}.` }
  await clearAnswers(files)
  return asked
}

/** Its messages as a decision, the last of which asks. */
export function askInWords(edges: Edges, work: Prompting, messages: readonly string[]): Promise<AskedAtEnd> {
  const payload = questionInWords(work.duty.agent, messages)
  return raise(edges, work, { payload, door: 'message', call: messages.at(-1) ?? '' })
}

async function raise(
  edges: Edges,
  work: Prompting,
  about: { readonly payload: unknown; readonly door: Proof['door']; readonly call: string | Uint8Array },
): Promise<AskedAtEnd> {
  const { step, visit, member, attempt } = work.duty
  const raised = await raiseDecision(edges, {
    run: work.run,
    address: { step, visit, member, attempt },
    claim: work.claim,
    ...about,
  })
  return 'rejected' in raised ? { kind: 'wrong', message: raised.rejected } : { kind: 'asked' }
}
