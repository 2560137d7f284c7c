/** The channels of the user's config without their addresses, and one of them tried. */
import type { QuietHours } from '../../host/notices/quiet-hours.ts'
import type { ChannelTest, ListedChannel } from '../../model/api/settings.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { Environment } from '../environment.ts'
import { openChannels } from '../notify/channels.ts'
import type { NotifyEntry } from '../notify/notify-entry.ts'
import { tryChannel } from '../notify/try-channel.ts'

interface ChannelsHere {
  /** As the config has them now. */
  readonly entries: readonly NotifyEntry[]
  readonly environment: Pick<Environment, 'searchPath' | 'variables'>
}

export function listChannels({
  entries,
  started,
  environment,
}: ChannelsHere & { readonly started: readonly NotifyEntry[] }): readonly ListedChannel[] {
  const inForce = new Set(openChannels(started, environment).map(({ id }) => id))
  return openChannels(entries, environment).map(({ id, name, channel }, index) => {
    const { kind, audience, leastUrgency, events, quiet, full } = entries[index]!
    return {
      ...{ id, name, kind, audience, leastUrgency, events, full },
      quiet: quiet === null ? null : quietText(quiet),
      problem: 'problem' in channel ? channel.problem : null,
      inForce: inForce.has(id),
    }
  })
}

export async function testChannel(
  id: string,
  { entries, environment }: ChannelsHere,
): Promise<ChannelTest | Rejection> {
  const found = openChannels(entries, environment).find((channel) => channel.id === id)
  return found === undefined
    ? { code: 'unknown', problem: 'Your config has no such channel any more: look at the list again.' }
    : tryChannel(found)
}

const quietText = ({ zone, fromMinute, toMinute }: QuietHours): string =>
  `${clockText(fromMinute)} to ${clockText(toMinute)}, ${zone}`

const clockText = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
