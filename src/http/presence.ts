/** Who has a page open and what they look at there. In memory and only while the page follows the stream: nothing of it is history. */
import type { Onlooker } from '../model/api/entrance.ts'

export interface Presence {
  /** A page has come; gives back what takes it away again. */
  join(page: string, person: string, tell: () => void): () => void
  /** False for a page that is not there, or is another person's. */
  look(page: string, person: string, place: string | null): boolean
  /** The others: those who look at something, each person once a place. */
  othersThan(page: string): readonly Onlooker[]
}

interface OpenPage {
  readonly person: string
  readonly tell: () => void
  place: string | null
}

export function createPresence(): Presence {
  const pages = new Map<string, OpenPage>()
  const tellAll = (): void => {
    for (const { tell } of pages.values()) tell()
  }
  return {
    join: (page, person, tell) => {
      const joined: OpenPage = { person, tell, place: pages.get(page)?.place ?? null }
      pages.set(page, joined)
      tellAll()
      return () => {
        // A page that was cut off and came again is there by its new stream.
        if (pages.get(page) !== joined) return
        pages.delete(page)
        tellAll()
      }
    },
    look: (page, person, place) => {
      const found = pages.get(page)
      if (found === undefined || found.person !== person) return false
      if (found.place !== place) {
        found.place = place
        tellAll()
      }
      return true
    },
    othersThan: (page) => {
      const me = pages.get(page)?.person
      const seen = new Map<string, Onlooker>()
      for (const { person, place } of pages.values())
        if (place !== null && person !== me) seen.set(`${person} ${place}`, { person, place })
      return [...seen.values()]
    },
  }
}
