/** A turn that ended without an answer may have ended with a decision for a person, in a file. */
import { type AnswerFiles, clearAnswers, decisionInFiles } from './answer-files.ts'
import type { Edges } from './edges.ts'
import type { Prompting } from './prompting.ts'
import { raiseDecision } from './raise.ts'

export type AskedByFile =
  | { readonly kind: 'nothing' }
  /** It lies with a person; the duty is settled. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'wrong'; readonly message: string }

export async function askByFile(edges: Edges, work: Prompting, files: AnswerFiles): Promise<AskedByFile> {
  const file = await decisionInFiles(files)
  if (file.kind !== 'decision') return file
  const { step, visit, member, attempt } = work.duty
  const raised = await raiseDecision(edges, {
    run: work.run,
    address: { step, visit, member, attempt },
    payload: file.payload,
    door: 'file',
    call: file.bytes,
    claim: work.claim,
  })
  if ('rejected' in raised)
    return { kind: 'wrong', message: `${raised.rejected}\n\nIt was read from ${file.path}.` }
  await clearAnswers(files)
  return { kind: 'asked' }
}
