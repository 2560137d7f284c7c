/** What a person has typed for a decision and not sent yet. Each decision has its own, and nothing of it ever goes with another. */
import { useCallback, useState } from 'react'

export interface AnswerDraft {
  readonly note: string
  /** What an option shall mean instead. */
  readonly edited: { readonly pick: string; readonly text: string } | null
  readonly fields: Readonly<Record<string, string>>
}

const NO_DRAFT: AnswerDraft = { note: '', edited: null, fields: {} }

export interface Drafts {
  readonly of: (id: string) => AnswerDraft
  /** Null: it is sent, or of no use any more. */
  readonly change: (id: string, draft: AnswerDraft | null) => void
}

export function useDrafts(): Drafts {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, AnswerDraft>>(new Map())
  const of = useCallback((id: string) => drafts.get(id) ?? NO_DRAFT, [drafts])
  const change = useCallback((id: string, draft: AnswerDraft | null) => {
    setDrafts((before) => {
      const after = new Map(before)
      if (draft === null) after.delete(id)
      else after.set(id, draft)
      return after
    })
  }, [])
  return { of, change }
}

/** As it is kept for copying where it could not be sent. */
export const draftText = ({ note, edited, fields }: AnswerDraft): string =>
  [note, edited?.text ?? '', ...Object.entries(fields).map(([name, text]) => `${name}: ${text}`)]
    .filter((text) => text.trim() !== '')
    .join('\n')
