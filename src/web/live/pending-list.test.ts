import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ListedDecision } from '../../model/api/decision-record.ts'
import { delayRank } from '../../model/delay.ts'
import { createPendingList } from './pending-list.ts'

const row = (id: string, openedAt: number, urgency: 'high' | 'low' | 'normal'): ListedDecision =>
  ({ id, openedAt, urgency, expiresAt: null, run: null, status: 'open' }) as unknown as ListedDecision

it('[Q18] keeps what waits in the order of what waiting costs, whatever comes and goes', () => {
  const change = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    openedAt: fc.nat(3).map((hour) => hour * 3_600_000),
    urgency: fc.constantFrom('high' as const, 'normal' as const, 'low' as const),
    goes: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const list = createPendingList()
      const rows = new Map<string, ListedDecision>()
      for (const { id, openedAt, urgency, goes } of changes) {
        if (goes) {
          rows.delete(id)
          list.delete(id)
        } else {
          rows.set(id, row(id, openedAt, urgency))
          list.set(rows.get(id)!)
        }
      }
      const sorted = [...rows.values()].sort(
        (one, other) => delayRank(other) - delayRank(one) || (one.id < other.id ? 1 : -1),
      )
      expect(list.all()).toEqual(sorted)
    }),
  )
})
