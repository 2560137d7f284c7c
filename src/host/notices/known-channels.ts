/** Since when each channel is there: it is not told of questions that had been waiting before anybody thought of it. */
import type { Journal } from '../../journal/index.ts'
import { isAltered } from '../../model/failure.ts'
import type { Clock } from '../machine/clock.ts'
import type { Tell } from '../streams/apart.ts'
import type { Channel } from './channel.ts'

export async function knownSince({
  journal,
  clock,
  channels,
  onBug,
}: {
  readonly journal: Journal
  readonly clock: Clock
  readonly channels: readonly Channel[]
  readonly onBug: Tell
}): Promise<ReadonlyMap<string, number>> {
  const since = new Map<string, number>()
  for (const { id, name } of channels) {
    const stream = `notice-channel/${id}`
    const [at, isNew] = await journal.read(stream, 0).then(
      ([first]) => [first?.at ?? clock.now(), first === undefined] as const,
      (error: unknown) => {
        if (!isAltered(error)) throw error
        onBug(error)
        // It is known. Rather told of too much than of too little.
        return [0, false] as const
      },
    )
    since.set(id, at)
    if (!isNew) continue
    const events = [{ type: 'channel.known', at, data: { type: 'channel.known', at, name } }]
    await journal.append({ stream, expected: 0, events, tickets: [], retire: [], settle: null, rows: [] })
  }
  return since
}
