/** What became of a decision, as a sentence. */
import type { Actor } from '../../model/answer.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'

export interface DecisionEnding {
  readonly text: string
  readonly at: number | null
  /** What was said with it, and what was done. */
  readonly words: readonly string[]
}

/** Null while it is open. */
export function endingOf(record: DecisionRecord): DecisionEnding | null {
  const { status, note, edited, did, stages, delivery } = record
  const at = stages.at(-1)?.at ?? null
  switch (status) {
    case 'open':
      return null
    case 'expired':
      return { text: 'Nobody answered in time.', at, words: [] }
    case 'withdrawn':
      return { text: 'It was withdrawn: there is nothing to answer any more.', at, words: said(note) }
    case 'superseded':
      return { text: 'Another question has taken its place.', at, words: [] }
    case 'undeliverable':
      return {
        text: `${answerText(record)} The answer reached nobody: ${delivery.trouble}`,
        at,
        words: said(note),
      }
    case 'answered':
    case 'delivered':
    case 'acknowledged':
    case 'acted':
      return {
        text: answerText(record),
        at: stages.findLast((stage) => stage.status === 'answered')?.at ?? null,
        words: [
          ...said(note),
          ...(edited === null ? [] : [`It shall mean: ${edited}`]),
          ...(did === '' ? [] : [`Then: ${did}`]),
        ],
      }
  }
}

const said = (note: string): readonly string[] => (note === '' ? [] : [`“${note}”`])

const answerText = (record: DecisionRecord): string =>
  `${nameOf(record.by)} answered ${record.pick === '' ? 'in words' : `with “${labelOf(record)}”`}.`

const nameOf = (by: Actor | null): string => {
  if (by === null) return 'Somebody'
  if (by.kind === 'signalbox') return 'Signalbox'
  return by.kind === 'policy' ? `The policy ${by.name}` : by.name
}

const labelOf = ({ pick, shown }: Pick<DecisionRecord, 'pick' | 'shown'>): string =>
  shown.options.find(({ key }) => key === pick)?.label ?? pick
