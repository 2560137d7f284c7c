/** The last answer, and taking it back: for as long as nothing comes of it. */
import type { ListedDecision } from '../../model/api/decision-record.ts'
import { useActionList } from '../action/actions.tsx'
import { useMe } from '../live/live.tsx'
import { useNow } from '../ui/now.ts'
import type { Go } from './go.ts'
import { Ledger } from './ledger.tsx'
import { useDeeds } from './use-answers.ts'

export function LastAnswer({ recent, go }: { readonly recent: readonly ListedDecision[]; readonly go: Go }) {
  const { person } = useMe()
  const deeds = useDeeds()
  const now = useNow()
  const last = recent.find(({ by }) => by?.kind === 'person' && by.name === person) ?? recent[0]
  const leftMs = (last?.undoableUntil ?? 0) - now
  const canUndo = leftMs > 0
  const [undo] = useActionList(
    () => [
      {
        id: 'inbox.undo',
        label: 'Take the last answer back',
        group: 'Inbox',
        keys: ['z'],
        available: canUndo,
        run: () => {
          if (last === undefined) return
          void deeds.undo(last.id).then((isUndone) => isUndone && go(last.id))
        },
      },
    ],
    [last, canUndo, deeds, go],
  )
  if (last === undefined || undo === undefined) return null
  return <Ledger last={last} undo={undo} undoText={`undo, ${Math.ceil(leftMs / 1000)} s left`} />
}
