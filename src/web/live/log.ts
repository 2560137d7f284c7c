/** What the agents of the run that is looked at say: a connection of its own for as long as somebody looks, for it is no part of the journal. */
import { useEffect, useState } from 'react'
import type { LoggedLine } from '../../model/api/events.ts'

export interface LiveLog {
  readonly lines: readonly LoggedLine[]
  /** All that was said before is here. */
  readonly isWhole: boolean
}

const NOTHING: LiveLog = { lines: [], isWhole: false }
/** The log of a long run is long: older lines are in its file. */
const MOST_LINES = 5000

export function useLog(run: string): LiveLog {
  const [log, setLog] = useState(NOTHING)
  useEffect(() => {
    setLog(NOTHING)
    const source = new EventSource(`/api/v1/runs/${encodeURIComponent(run)}/log`)
    let heard: LoggedLine[] = []
    let isWhole = false
    let frame: number | undefined
    const show = (): void => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        const news = heard
        heard = []
        setLog(({ lines }) => ({ lines: [...lines, ...news].slice(-MOST_LINES), isWhole }))
      })
    }
    source.addEventListener('message', (message) => {
      heard.push(JSON.parse(message.data as string) as LoggedLine)
      if (isWhole) show()
    })
    source.addEventListener('whole', () => {
      isWhole = true
      show()
    })
    return () => {
      source.close()
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [run])
  return log
}
