/** What the agents of the run that is looked at say: a connection of its own for as long as somebody looks, for it is no part of the journal. */
import { useEffect, useState } from 'react'
import type { LoggedLine } from '../../model/api/events.ts'
import { openEvents } from './event-source.ts'

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
    let cursor = ''
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
    const source = openEvents({
      path: () => `/api/v1/runs/${encodeURIComponent(run)}/log${cursor === '' ? '' : `?after=${cursor}`}`,
      onEvent: ({ kind, data, id }) => {
        if (id !== '') cursor = id
        if (kind === 'message') heard.push(JSON.parse(data) as LoggedLine)
        if (kind === 'whole') isWhole = true
        if (isWhole) show()
      },
    })
    return () => {
      source.close()
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [run])
  return log
}
