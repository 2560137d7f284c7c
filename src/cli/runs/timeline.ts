/** A run's story in a terminal. */
import { type StoryTone, storyEntry } from '../../engine/index.ts'
import { elapsed } from '../../model/elapsed.ts'
import type { RunEvent } from '../../model/event.ts'
import { type Terminal, visible } from '../terminal/terminal.ts'

type Paint = Terminal['paint']

const STYLES: Readonly<Record<StoryTone, Parameters<Paint>[0]>> = {
  bad: 'red',
  good: 'green',
  plain: 'dim',
  question: 'magenta',
  step: 'cyan',
  strong: 'bold',
  warning: 'yellow',
}

export function lineOf(event: RunEvent, startedAt: number, paint: Paint): string | null {
  const told = storyEntry(event, (at) => new Date(at).toLocaleString())
  if (told === null) return null
  const { mark, tone, text, inner } = told
  const clock = paint('dim', elapsed(event.at - startedAt).padStart(8))
  return `${clock}  ${inner ? '  ' : ''}${paint(STYLES[tone], mark)} ${visible(text)}`
}
