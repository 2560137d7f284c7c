/** Since when each channel is there: it is not told of questions that had been waiting before anybody thought of it. */
import type { Journal } from '../../journal/index.ts'
import { orAltered } from '../../model/failure.ts'
import type { Clock } from '../machine/clock.ts'
import type { Channel } from './channel.ts'

export async function knownSince({
  journal,
  clock,
  channels,
}: {
  readonly journal: Journal
  readonly clock: Clock
  readonly channels: readonly Channel[]
}): Promise<ReadonlyMap<string, number>> {
  const since = new Map<string, number>()
  for (const { id, name } of channels) {
    const stream = `notice-channel/${id}`
    const known = await orAltered(() => journal.read(stream, 0))
    const [first] = 'problem' in known ? [] : known
    const at = first?.at ?? clock.now()
    since.set(id, at)
    if ('problem' in known || first !== undefined) continue
    const events = [{ type: 'channel.known', at, data: { type: 'channel.known', at, name } }]
    await journal.append({ stream, expected: 0, events, tickets: [], retire: [], settle: null, rows: [] })
  }
  return since
}
