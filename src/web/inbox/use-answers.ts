/** What a person can do about a decision, sent to the host: shown at once, taken back with its sentence where it is refused. */
import { useCallback, useMemo } from 'react'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { EventOf, QuestionEvent } from '../../model/event.ts'
import { fieldValues } from '../../model/field-values.ts'
import { isProblem } from '../live/ask.ts'
import { useLive } from '../live/live.tsx'
import { useSay } from '../ui/notice.tsx'
import { type AnswerDraft, draftText } from './draft.ts'

export interface Answering {
  readonly record: DecisionRecord
  /** Empty: the words alone. */
  readonly pick: string
  readonly draft: AnswerDraft
  /** All that ask the same. */
  readonly isTogether: boolean
}

export interface DecisionDeeds {
  /** True once the host has it. */
  answer(answering: Answering): Promise<boolean>
  undo(id: string): Promise<boolean>
  snooze(record: DecisionRecord, until: number | null): Promise<boolean>
  assign(record: DecisionRecord, to: string | null): Promise<boolean>
  retry(record: DecisionRecord): Promise<boolean>
}

export function useDeeds(): DecisionDeeds {
  const { ask, decisions, me } = useLive()
  const say = useSay()
  const by = useMemo(() => ({ kind: 'person', name: me.person }) as const, [me.person])
  const report = useCallback(
    (problem: { readonly problem: string } | null, kept = ''): boolean => {
      if (problem !== null) say({ sign: 'fault', text: problem.problem, ...(kept === '' ? {} : { kept }) })
      return problem === null
    },
    [say],
  )
  return useMemo(
    () => ({
      answer: async ({ record, pick, draft, isTogether }) => {
        const { id, digest, question, shown } = record
        const { note } = draft
        const edited = draft.edited?.pick === pick ? draft.edited.text : null
        const fields = fieldValues(shown.fields, withoutEmpty(draft.fields))
        const { holdMs } = me.host
        const body = { pick, note, fields, edited, digest, together: isTogether, holdMs }
        const problem = await decisions.attempt({
          id,
          expected: () => foretold({ question, by, pick, note, holdMs }),
          send: async () => {
            const answered = await ask('POST /api/v1/decisions/{id}/answer', { params: { id }, body })
            if (!isProblem(answered))
              for (const refused of answered.refused)
                say({ sign: 'fault', text: `${refused.id}: ${refused.problem}` })
            return answered
          },
        })
        return report(problem, draftText(draft))
      },
      undo: async (id) => {
        const problem = await decisions.attempt({
          id,
          expected: ({ question }) => ({ type: 'question.undone', at: Date.now(), question, by }),
          send: () => ask('POST /api/v1/decisions/{id}/undo', { params: { id } }),
        })
        return report(problem)
      },
      snooze: async ({ id }, until) => {
        const problem = await decisions.attempt({
          id,
          expected: ({ question }) => ({ type: 'decision.snoozed', at: Date.now(), question, by, until }),
          send: () => ask('POST /api/v1/decisions/{id}/snooze', { params: { id }, body: { until } }),
        })
        return report(problem)
      },
      assign: async ({ id }, to) => {
        const problem = await decisions.attempt({
          id,
          expected: ({ question }) => ({ type: 'decision.assigned', at: Date.now(), question, by, to }),
          send: () => ask('POST /api/v1/decisions/{id}/assign', { params: { id }, body: { to } }),
        })
        return report(problem)
      },
      retry: async ({ id }) => {
        const problem = await decisions.attempt({
          id,
          expected: null,
          send: () => ask('POST /api/v1/decisions/{id}/retry', { params: { id } }),
        })
        return report(problem)
      },
    }),
    [ask, by, decisions, me.host, report, say],
  )
}

/** What the journal will say of it. */
function foretold({ holdMs, ...answer }: ForetoldAnswer): QuestionEvent {
  const at = Date.now()
  if (holdMs === 0) return { type: 'question.answered', at, ...answer }
  return { type: 'answer.held', at, until: at + holdMs, extra: null, given: { kind: 'nothing' }, ...answer }
}

interface ForetoldAnswer extends Pick<EventOf<'question.answered'>, 'by' | 'note' | 'pick' | 'question'> {
  readonly holdMs: number
}

const withoutEmpty = (fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''))
