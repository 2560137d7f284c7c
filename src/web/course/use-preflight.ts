/** What the host says a start would come to, asked again a moment after something was changed. */
import { useEffect, useState } from 'react'
import type { StartPlan } from '../../model/api/repositories.ts'
import { isProblem } from '../live/ask.ts'
import { useLive } from '../live/live.tsx'
import { orderOf, type StartDraft } from './start.view.ts'

const GATHER_MS = 200

export interface Preflight {
  /** Null: not known yet. */
  readonly plan: StartPlan | null
  /** Why it cannot be told; null where it can. */
  readonly problem: readonly string[] | null
  readonly lookAgain: () => void
}

export function usePreflight(draft: StartDraft): Preflight {
  const { ask } = useLive()
  const [told, setTold] = useState<Omit<Preflight, 'lookAgain'>>({ plan: null, problem: null })
  const [times, setTimes] = useState(0)
  // A text is not filed before it is started: it changes nothing of the rest.
  const wanted = JSON.stringify(orderOf(draft, told.plan?.program ?? null))
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever wants to look again does
  useEffect(() => {
    const order = JSON.parse(wanted) as ReturnType<typeof orderOf>
    if (order.runbook === '') return
    const abort = new AbortController()
    const look = async (): Promise<void> => {
      const answer = await ask('POST /api/v1/preflight', { body: order }, abort.signal)
      if (abort.signal.aborted) return
      if (isProblem(answer)) setTold({ plan: null, problem: answer.problems ?? [answer.problem] })
      else setTold({ plan: answer, problem: null })
    }
    const timer = setTimeout(() => void look(), GATHER_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [ask, wanted, times])
  return { ...told, lookAgain: () => setTimes(times + 1) }
}
