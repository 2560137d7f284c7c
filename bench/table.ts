/** The one table of the bench: a row a figure. */
import type { Comparison } from './compare.ts'
import type { Figure, Reading } from './figure.ts'
import { valueText } from './value-text.ts'

export interface Row {
  readonly figure: Figure
  readonly reading: Reading
  readonly comparison: Comparison
}

export const HEADING = line(['', 'value', '', 'of kept', 'raw'], '')

export function rowText({ figure, reading, comparison }: Row): string {
  const value = reading.value === null ? reading.says : valueText(reading.value, figure.unit)
  const base = reading.base === null ? '' : `${times(reading.base.ratio)} of ${reading.base.of}`
  const says = reading.value === null ? '' : reading.says
  const remarks = [says, comparison.mark].filter((text) => text !== '').join('; ')
  return line(
    [`  ${figure.name}`, value, base, ratioText(comparison.normalised), ratioText(comparison.raw)],
    remarks,
  )
}

/** What the columns mean, and what fell, by name. */
export function legend(rows: readonly Row[]): string {
  const fell = rows.filter(({ comparison }) => comparison.fell).map(({ figure }) => figure.id)
  return [
    'of kept: against bench/figures.json, 2.00× is twice as good; corrected by the speed of the machine, measured',
    'beside each figure (a fixed loop; raw commits; starts of a process). raw: without that correction.',
    fell.length === 0
      ? 'Nothing fell by more than a quarter.'
      : `FELL by more than a quarter: ${fell.join(', ')}`,
  ].join('\n')
}

const ratioText = (ratio: number | null): string => (ratio === null ? '–' : times(ratio))

const times = (ratio: number): string => `${ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(2)}×`

function line([name, value, base, normalised, raw]: string[], remarks: string): string {
  const cells = [
    name!.padEnd(38),
    value!.padStart(24),
    `  ${base!}`.padEnd(28),
    normalised!.padStart(9),
    raw!.padStart(9),
  ]
  return `${cells.join('')}  ${remarks}`.trimEnd()
}
