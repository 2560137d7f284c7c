/** A record as the line of a list. */
import {
  type DecisionRecord,
  type DecisionRow,
  type DecisionStatus,
  isPending,
} from '../model/decision-record.ts'

export function decisionRow(record: DecisionRecord): DecisionRow {
  const { shown, earlier: _, proof, stages: __, fields: ___, ...line } = record
  return {
    ...line,
    headline: shown.headline,
    ask: shown.question,
    options: shown.options.map(({ body: ____, ...option }) => option),
    recommended: shown.recommended,
    ...(shown.runs === undefined ? {} : { runs: shown.runs }),
    answeredAt: lastAt(record, 'answered'),
    closedAt: closedAt(record),
    // What somebody outside was told is not known here.
    dictated: proof === null || proof.prompts.length === 0 ? null : proof.dictated.length > 0,
  }
}

/** When it left the inbox. */
export function closedAt(record: DecisionRecord): number | null {
  if (isPending(record)) return null
  return lastAt(record, 'answered') ?? record.stages.at(-1)?.at ?? null
}

const lastAt = ({ stages }: DecisionRecord, status: DecisionStatus): number | null =>
  stages.findLast((stage) => stage.status === status)?.at ?? null
