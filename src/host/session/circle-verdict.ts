/**
 * Whether an agent that goes round in circles comes no further. Its calls alone do not say so: it may edit and test in
 * turn, and tell neither what it edits nor what it sees. So its worktree is held against what it was when the circle began;
 * only then, because looking at one takes git a while. Pure.
 */
import type { WorktreeSeen } from '../workspace/worktree-seen.ts'
import { type Circle, circleIn, type Watched } from './watch.ts'

/** The worktree when a circle was first seen, and how many calls had been made by then. */
export interface CircleBegan {
  readonly mark: string
  readonly count: number
}

export type CircleVerdict =
  | { readonly kind: 'none' }
  /** It may be one; nothing can be said of it yet. */
  | { readonly kind: 'going-on' }
  | { readonly kind: 'look-at-worktree' }
  | { readonly kind: 'began'; readonly began: CircleBegan }
  /** Its worktree changes. */
  | { readonly kind: 'progress' }
  | { readonly kind: 'stuck'; readonly circle: Circle }

export interface CircleSeen {
  readonly watched: Watched
  readonly mostRounds: number
  readonly began: CircleBegan | null
  /** As it is now; null where nobody has looked. */
  readonly worktree: WorktreeSeen | null
}

export function verdictOnCircle({ watched, mostRounds, began, worktree }: CircleSeen): CircleVerdict {
  if (circleIn(watched, FIRST_ROUNDS) === null) return { kind: 'none' }
  const circle = circleIn(watched, mostRounds)
  // Whatever a round changes shows after a whole one; the call that was under way may have changed it before.
  const isDue = circle !== null && watched.count > (began?.count ?? 0) + circle.calls.length
  if (began !== null && !isDue) return { kind: 'going-on' }
  if (worktree === null) return { kind: 'look-at-worktree' }
  const isUnchanged = worktree.isAsTaken || worktree.mark === began?.mark
  if (circle !== null && isUnchanged) return { kind: 'stuck', circle }
  return began === null
    ? { kind: 'began', began: { mark: worktree.mark, count: watched.count } }
    : { kind: 'progress' }
}

const FIRST_ROUNDS = 2
