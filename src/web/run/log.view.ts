/** The journal's story and what agents said, in one order of time. */
import { type StoryTone, storyEntry } from '../../engine/views/story.ts'
import type { LoggedLine } from '../../model/api/events.ts'
import type { StatusSign } from '../../model/status-sign.ts'
import type { TimedEvent } from './axis.view.ts'

export interface LogEntry {
  readonly key: string
  readonly at: number
  readonly text: string
  readonly look: 'head' | 'note' | 'output' | 'plain' | 'thought' | 'tool'
  readonly sign: StatusSign | null
  readonly who: string | null
}

/** `until`: the moment that is looked at; null for now. */
export function logEntries(
  events: readonly TimedEvent[],
  lines: readonly LoggedLine[],
  until: number | null,
): readonly LogEntry[] {
  const told = events.flatMap(({ version, event }) => {
    const entry = storyEntry(event, clock)
    if (entry === null) return []
    const look = entry.inner ? 'plain' : 'head'
    return [
      {
        key: `e${version}`,
        at: event.at,
        text: entry.text,
        look,
        sign: SIGNS[entry.tone],
        who: null,
      } as const,
    ]
  })
  const said = lines
    .filter(({ at }) => until === null || at <= until)
    .map(({ at, kind, who, text }, index) => ({
      ...{ key: `l${index}`, at, text: text.trimEnd(), sign: null },
      look: kind === 'text' ? ('plain' as const) : kind,
      who: kind === 'text' ? who : null,
    }))
  // Both are in order: of one moment, the story comes first.
  const all: LogEntry[] = []
  let next = 0
  for (const line of said) {
    for (let entry = told[next]; entry !== undefined && entry.at <= line.at; entry = told[++next])
      all.push(entry)
    all.push(line)
  }
  return [...all, ...told.slice(next)]
}

const clock = (at: number): string => new Date(at).toLocaleString()

const SIGNS: Readonly<Record<StoryTone, StatusSign | null>> = {
  step: null,
  plain: null,
  strong: null,
  good: 'done',
  bad: 'fault',
  warning: null,
  question: 'waiting',
}
