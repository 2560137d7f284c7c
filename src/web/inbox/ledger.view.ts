/** How far an answer has come: from a person until whoever asked acted on it. */
import type { ListedDecision } from '../../model/api/decision-record.ts'
import type { DecisionStatus } from '../../model/decision-record.ts'

export interface LedgerStage {
  readonly word: string
  readonly isReached: boolean
}

const WAY: readonly DecisionStatus[] = ['answered', 'delivered', 'acknowledged', 'acted']

/** A question of the flow itself is answered to the flow, which goes on when the answer counts. */
export function stagesOf({
  status,
  cause,
  undoableUntil,
}: Pick<ListedDecision, 'cause' | 'status' | 'undoableUntil'>): readonly LedgerStage[] {
  if (cause !== 'agent' && cause !== 'outside')
    return [
      { word: 'answered', isReached: true },
      { word: 'the run goes on', isReached: undoableUntil === undefined },
    ]
  if (status === 'undeliverable')
    return [
      { word: 'answered', isReached: true },
      { word: 'reached nobody', isReached: false },
    ]
  const reached = WAY.indexOf(status)
  return WAY.map((word, index) => ({ word, isReached: index <= reached }))
}

export const pickText = ({ pick, options, by }: ListedDecision, me: string): string => {
  const label = pick === '' ? 'in words' : (options.find(({ key }) => key === pick)?.label ?? pick)
  const who = by === null || by.kind === 'signalbox' || by.name === me ? '' : `${by.name}: `
  return `${who}${label}`
}
