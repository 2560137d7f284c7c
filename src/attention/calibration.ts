/** How often a recommendation was taken, by how sure its asker said to be. */
import type { DecisionRow } from '../model/decision-record.ts'

export const CONFIDENCES = ['0–0.5', '0.5–0.7', '0.7–0.9', '0.9–1', 'unsaid'] as const
export type Confidence = (typeof CONFIDENCES)[number]

export interface Share {
  readonly taken: number
  readonly of: number
}

export interface Calibration extends Share {
  readonly byConfidence: Readonly<Record<Confidence, Share>>
}

export interface CalibrationGroup extends Calibration {
  readonly name: string
}

/** Of decisions that came with a recommendation and were answered by people; words are an answer that does not take it. */
export function calibrationOf(answers: readonly DecisionRow[]): Calibration {
  const recommended = answers.filter((row) => row.recommended !== null)
  const share = (rows: readonly DecisionRow[]): Share => ({
    taken: rows.filter((row) => row.pick === row.recommended).length,
    of: rows.length,
  })
  return {
    ...share(recommended),
    byConfidence: Object.fromEntries(
      CONFIDENCES.map((confidence) => [
        confidence,
        share(recommended.filter((row) => confidenceOf(row) === confidence)),
      ]),
    ) as Record<Confidence, Share>,
  }
}

/** The same for each name; what has none is left out. Most answers first. */
export function calibrationBy(
  answers: readonly DecisionRow[],
  nameOf: (row: DecisionRow) => string,
): CalibrationGroup[] {
  const names = [...new Set(answers.map(nameOf))].filter((name) => name !== '')
  return names
    .map((name) => ({ name, ...calibrationOf(answers.filter((row) => nameOf(row) === name)) }))
    .filter((group) => group.of > 0)
    .sort((a, b) => b.of - a.of || (a.name < b.name ? -1 : 1))
}

/** What was said of the recommended option. A value on a border belongs above it. */
function confidenceOf({ options, recommended }: DecisionRow): Confidence {
  const said = options.find(({ key }) => key === recommended)?.confidence ?? null
  if (said === null) return 'unsaid'
  if (said < 0.5) return '0–0.5'
  if (said < 0.7) return '0.5–0.7'
  return said < 0.9 ? '0.7–0.9' : '0.9–1'
}
