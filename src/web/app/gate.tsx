/** Nothing is shown before it is known for whom. */
import { type ReactNode, useEffect, useState } from 'react'
import type { WhoIsHere } from '../../model/api/entrance.ts'
import { ask, type HostProblem, isProblem } from '../live/ask.ts'
import { LiveProvider } from '../live/live.tsx'
import { ProblemState } from '../ui/page.tsx'
import { Login } from './login.tsx'

const AGAIN_MS = 2_000

export function Gate({ children }: { readonly children: ReactNode }) {
  const [me, setMe] = useState<WhoIsHere | HostProblem | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      const answer = await ask('GET /api/v1/me', {})
      setMe(answer)
      if (isProblem(answer) && answer.code !== 'unauthorized') timer = setTimeout(() => void look(), AGAIN_MS)
    }
    void look()
    return () => clearTimeout(timer)
  }, [])
  if (me === null) return null
  // Here, without loading a page anew: whatever refused it need not be the host, and could send another page in its place.
  if (isProblem(me) && me.code === 'unauthorized') return <Login />
  return isProblem(me) ? (
    <ProblemState problem={me.problem} />
  ) : (
    <LiveProvider me={me}>{children}</LiveProvider>
  )
}
