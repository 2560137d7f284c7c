/** What a section shows: asked for when it is first looked at, and looked at again when somebody wants that. */
import { useCallback, useMemo, useRef, useState } from 'react'
import type { UserAction } from '../action/action.ts'
import { useActions } from '../action/actions.tsx'
import type { HostProblem } from '../live/ask.ts'
import { useAskedOnce, useLive } from '../live/live.tsx'
import type { Loaded } from '../live/loaded.ts'

export interface Asked<T> {
  readonly loaded: Loaded<T>
  readonly look: UserAction
  /** Asks again without a word: something was changed. */
  readonly refresh: () => Promise<void>
  readonly isBusy: boolean
}

export function useAsked<T>(key: string, asking: () => Promise<T | HostProblem>): Asked<T> {
  const { once } = useLive()
  const [isBusy, setBusy] = useState(false)
  const latest = useRef(asking)
  latest.current = asking
  const loaded = useAskedOnce(key, asking)
  const refresh = useCallback(() => once.again(key, () => latest.current()), [once, key])
  const isAsked = isBusy || loaded.kind === 'loading'
  const actions = useMemo(
    () => [
      {
        id: 'settings.look',
        label: 'Look again',
        group: 'Settings',
        keys: ['r'],
        available: !isAsked,
        run: () => {
          setBusy(true)
          void refresh().finally(() => setBusy(false))
        },
      },
    ],
    [refresh, isAsked],
  )
  useActions(actions)
  return { loaded, look: actions[0]!, refresh, isBusy }
}
