/** A decision in the midst of a run's story: the card, set apart by its mark. */
import type { DecisionRecord } from '../../model/decision-record.ts'
import { type Terminal, textColumns } from '../terminal/terminal.ts'
import { cardLines } from './card.ts'

/** Whole, because it may be answered here. */
export function questionText(record: DecisionRecord, { paint }: Terminal): string {
  const columns = textColumns() - INDENT.length
  const look = { paint, columns, now: Date.now(), mostLines: Number.POSITIVE_INFINITY }
  const [headline = '', ...rest] = cardLines(record, look)
  const set = rest.map((line) => (line === '' ? '' : `${INDENT}${line}`))
  return ['', `${paint('magenta', '?')} ${headline}`, ...set].join('\n')
}

const INDENT = '  '
