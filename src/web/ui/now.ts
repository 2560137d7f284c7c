/** What time it is, for texts that grow old: one clock for the whole page, that stands still while nobody looks. */
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

const TICK_MS = 1000

function tick(): void {
  if (document.hidden) return
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** As exact as the text needs it, so that a list of ages is not drawn again every second. */
export const useNow = (exactMs = TICK_MS): number =>
  useSyncExternalStore(subscribe, () => Math.floor(now / exactMs) * exactMs)
