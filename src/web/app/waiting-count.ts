/** How many decisions wait, in the title and on the icon of the tab. */
import { useEffect } from 'react'
import { STATUS_SIGNS } from '../../model/status-sign.ts'

const WAITING = '%23C98A12'
const NONE = '%239A9A92'

export function useWaitingCount(waiting: number): void {
  useEffect(() => {
    document.title = waiting === 0 ? 'Signalbox' : `${STATUS_SIGNS.waiting.shape} ${waiting} · Signalbox`
    document.querySelector('link[rel="icon"]')?.setAttribute('href', iconFor(waiting))
  }, [waiting])
}

/** The same shape as everywhere: a diamond for what waits, with its number; a round lamp where nothing does. */
function iconFor(waiting: number): string {
  const mark =
    waiting === 0
      ? `<circle cx='16' cy='16' r='9' fill='${NONE}'/>`
      : `<path d='M16 1 31 16 16 31 1 16Z' fill='${WAITING}'/><text x='16' y='22' font-family='sans-serif' font-size='17' font-weight='700' text-anchor='middle' fill='white'>${waiting > 9 ? '9+' : waiting}</text>`
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${mark}</svg>`
}
