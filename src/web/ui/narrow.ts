/** Whether there is only room for one thing beside the thumb. */
import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 700px)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
