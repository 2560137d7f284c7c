/** Signs that an agent goes round in circles: the same tool call, again and again. Pure. */
import type { Update } from '../../drivers/index.ts'

export interface Watched {
  /** Calls not finished yet, as far as they are known. */
  readonly open: Readonly<Record<string, string>>
  readonly last: string
  readonly repeats: number
}

export const NOTHING_SEEN: Watched = { open: {}, last: '', repeats: 0 }

/** So many equal calls in a row are a loop and no longer patience. */
export const MOST_REPEATS = 12

export function observe(watched: Watched, update: Update): Watched {
  if (update.kind !== 'tool') return watched
  const { id, title, status, input } = update
  // A later update may leave out what an earlier one said.
  const known = watched.open[id]
  const said = title === '' && input === undefined ? known : `${title}\n${JSON.stringify(input ?? null)}`
  const call = said ?? known ?? ''
  if (status !== 'completed' && status !== 'failed')
    return { ...watched, open: { ...watched.open, [id]: call } }
  const { [id]: _, ...open } = watched.open
  return { open, last: call, repeats: call === watched.last ? watched.repeats + 1 : 1 }
}

export const isGoingInCircles = ({ repeats }: Watched): boolean => repeats >= MOST_REPEATS
