/** What `signalbox doctor` says of notices: which channels work, and what could not be told lately. */
import { THREADS, type ThreadRow } from '../../host/notices/outbox.ts'
import type { JournalReader } from '../../journal/index.ts'
import type { Config } from '../config/config.ts'
import type { Environment } from '../environment.ts'
import { plural, visible } from '../terminal/terminal.ts'
import { openChannels } from './channels.ts'

interface Finding {
  readonly about: 'notices'
  readonly state: 'good' | 'note' | 'bad'
  readonly text: string
}

const LATELY_MS = 7 * 86_400_000
const MOST = 100

export function channelFindings({ notify }: Config, environment: Environment): Finding[] {
  return openChannels(notify, environment).map(({ name, channel }) =>
    'problem' in channel
      ? { about: 'notices', state: 'note', text: `${name}: ${channel.problem}` }
      : { about: 'notices', state: 'good', text: `${name}; signalbox notify test tries it` },
  )
}

export async function lostFindings(reader: Pick<JournalReader, 'list'>, now: number): Promise<Finding[]> {
  const rows = await reader.list({ model: THREADS, facet: 'given-up', before: null, limit: MOST })
  const lately = rows.filter(({ rank }) => rank > now - LATELY_MS).map(({ data }) => data as ThreadRow)
  return [...new Set(lately.map(({ name }) => name))].map((name) => {
    const lost = lately.filter((row) => row.name === name)
    const [last] = lost
    const text = `${name} could not be told of ${plural(lost.length, 'decision')} in the last week; last: ${last?.trouble}`
    return { about: 'notices', state: 'bad', text: visible(text) }
  })
}
