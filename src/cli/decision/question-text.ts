/** A decision in the midst of a run's story: the card, set apart by its mark. */
import type { DecisionRecord } from '../../model/decision-record.ts'
import { type Terminal, textColumns } from '../terminal/terminal.ts'
import { cardLines } from './card.ts'

/** Of each text, so that the options stay in sight. */
const MOST_LINES = 30

export function questionText(record: DecisionRecord, { paint }: Terminal): string {
  const look = { paint, columns: textColumns() - INDENT.length, now: Date.now(), mostLines: MOST_LINES }
  const [headline = '', ...rest] = cardLines(record, look)
  const set = rest.map((line) => (line === '' ? '' : `${INDENT}${line}`))
  return ['', `${paint('magenta', '?')} ${headline}`, ...set].join('\n')
}

const INDENT = '  '
