/** What all runs of the day have used: looked at again when one of them has used something, a few times a minute at most. */
import type { DaySpending } from '../../model/spending.ts'
import { type Ask, isProblem } from './ask.ts'
import { createStore, type Store } from './store.ts'
import type { Stream } from './stream.ts'

const GATHER_MS = 5_000

export function openSpending(ask: Ask, stream: Stream): Store<DaySpending | null> {
  const spending = createStore<DaySpending | null>(null)
  let isSoon = false
  const look = async (): Promise<void> => {
    isSoon = false
    const told = await ask('GET /api/v1/spending', {})
    if (!isProblem(told)) spending.set(told)
  }
  stream.follow((event) => {
    if (event !== null && event.type !== 'usage.recorded') return
    if (event === null) return void look()
    if (isSoon) return
    isSoon = true
    setTimeout(() => void look(), GATHER_MS)
  })
  return spending
}
