/** What can be done on the page now: every part that is shown offers its own, and takes them back when it goes. */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { UserAction } from './action.ts'
import { actionFor } from './key.ts'

interface Offers {
  readonly offer: (by: string, actions: readonly UserAction[] | null) => void
  readonly all: () => readonly UserAction[]
  readonly subscribe: (listener: () => void) => () => void
}

const OffersContext = createContext<Offers | null>(null)

export function ActionsProvider({ children }: { readonly children: ReactNode }) {
  const [offers] = useState(createOffers)
  useEffect(() => listenToKeys(offers), [offers])
  return <OffersContext value={offers}>{children}</OffersContext>
}

/** Offered for as long as whoever calls this is on the page. */
export function useActions(actions: readonly UserAction[]): void {
  const offers = useOffers()
  const by = useId()
  useLayoutEffect(() => offers.offer(by, actions), [offers, by, actions])
  useLayoutEffect(() => () => offers.offer(by, null), [offers, by])
}

/** Everything that is offered, latest last. */
export function useAllActions(): readonly UserAction[] {
  const offers = useOffers()
  return useSyncExternalStore(offers.subscribe, offers.all)
}

/** Several that are made anew with what they stand on. */
export const useActionList = (
  make: () => readonly UserAction[],
  needs: readonly unknown[],
): readonly UserAction[] => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever calls says what they stand on
  const actions = useMemo(make, needs)
  useActions(actions)
  return actions
}

function useOffers(): Offers {
  const offers = useContext(OffersContext)
  if (offers === null) throw new Error('there is no ActionsProvider around this')
  return offers
}

function createOffers(): Offers {
  const byPart = new Map<string, readonly UserAction[]>()
  const listeners = new Set<() => void>()
  let all: readonly UserAction[] = []
  return {
    offer: (by, actions) => {
      if (actions === null) byPart.delete(by)
      else byPart.set(by, actions)
      all = [...byPart.values()].flat()
      for (const listener of listeners) listener()
    },
    all: () => all,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function listenToKeys(offers: Offers): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.repeat === true || event.isComposing) return
    const { key, metaKey, ctrlKey, altKey } = event
    const isTyping = isTextField(event.target)
    // What has the focus and is pressed with Enter or Space does its own.
    if ((key === 'Enter' || key === ' ') && isPressable(event.target)) return
    const found = actionFor({ key, metaKey, ctrlKey, altKey, isTyping }, offers.all())
    if (found === null) return
    event.preventDefault()
    found.run()
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['button', 'checkbox', 'radio', 'range'].includes(target.type)))

const isPressable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('button, a, summary, [role="button"], [role="tab"]') !== null
