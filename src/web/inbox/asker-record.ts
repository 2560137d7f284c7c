/** How often whoever asks was right in what it recommended, in decisions of this kind. */
import { calibrationOf } from '../../attention/calibration.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { isProblem } from '../live/ask.ts'
import { useAskedOnce, useLive } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'

const MOST = 500
/** Fewer say nothing. */
const LEAST = 3

/** In words; empty where too little is known. */
export function useAskerRecord({ asker, kind, shown }: DecisionRecord): string {
  const { ask } = useLive()
  const agent = asker?.agent ?? ''
  const isWanted = agent !== '' && shown.recommended !== null
  const key = isWanted ? `record ${agent} ${kind}` : null
  const known = useAskedOnce(key, async () => {
    const query = { status: 'closed', agent, limit: MOST, ...(kind === '' ? {} : { kind }) } as const
    const page = await ask('GET /api/v1/decisions', { query })
    if (isProblem(page)) return page
    return calibrationOf(page.rows.filter(({ by }) => by?.kind === 'person'))
  })
  const share = valueIn(known)
  return share === null || share.of < LEAST ? '' : `right ${share.taken} of ${share.of} times`
}
