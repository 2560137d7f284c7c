/** Wires the notifier to this user's config: which channels, whose links, who is in which group. */

import type { Host } from '../../host/host.ts'
import { systemClock } from '../../host/machine/clock.ts'
import type { Home } from '../../host/machine/home.ts'
import { createLog } from '../../host/machine/log.ts'
import { type Notifier, startNotifier } from '../../host/notices/notifier.ts'
import { createSender } from '../../host/notices/sender.ts'
import type { PeopleSecrets } from '../../http/people-secrets.ts'
import { own } from '../../model/own.ts'
import type { Config } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { openChannels, workingChannels } from './channels.ts'

export interface NoticesOptions {
  readonly host: Host
  readonly home: Home
  readonly config: Config
  readonly environment: Environment
  /** Sign the links. */
  readonly secrets: PeopleSecrets
  /** Where this host is reached from this machine. */
  readonly url: string
  readonly onBug: (error: unknown) => void
}

export async function openNotices(options: NoticesOptions): Promise<Notifier> {
  const { host, home, config, environment, secrets, onBug } = options
  const { createLinks } = await import('../../http/links.ts')
  const { people, publicUrl } = config
  const { user } = environment
  const log = createLog({ dir: home.logs, clock: systemClock })
  const note = (text: string): void =>
    log.write('host', { step: '', visit: 0, who: 'host', kind: 'note', text })
  const opened = openChannels(config.notify, environment)
  for (const { name, channel } of opened)
    if ('problem' in channel) note(`${name} is not told of anything: ${channel.problem}`)
  const notifier = startNotifier({
    journal: host.journal,
    clock: systemClock,
    channels: workingChannels(opened),
    decisions: host.decisions({ kind: 'signalbox' }),
    linkFor: createLinks({ url: publicUrl ?? options.url, secrets }),
    personFor: (audience) =>
      audience === null ? user : audience === user || own(people, audience) !== undefined ? audience : null,
    belongs: (audience, assignee) =>
      isIn(people, { person: audience, group: assignee }) ||
      isIn(people, { person: assignee, group: audience }),
    send: createSender({ fetch }),
    patienceMs: 1_000,
    note,
    onBug,
  })
  return {
    close: async () => {
      await notifier.close()
      await log.flush()
    },
  }
}

const isIn = (
  people: Config['people'],
  { person, group }: { readonly person: string; readonly group: string },
): boolean => own(people, person)?.groups.includes(group) ?? false
