/** A disk that nobody speaks of. */
import type { Clock } from './clock.ts'
import { createStorage, type Storage } from './storage.ts'

export const quietStorage = (clock: Clock, closing = new AbortController().signal): Storage =>
  createStorage({ clock, closing, whyGone: () => null, say: () => undefined, onGone: () => undefined })
