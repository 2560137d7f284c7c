/** What an agent asks and nobody has answered yet is held until then: so many requests at a time, and so much in all of them. */

export interface WaitingRequests {
  /** One more, of so many characters; a sentence where that is too much. */
  add(id: unknown, length: number): string | null
  answered(id: unknown): void
}

const MOST = 100
const MOST_CHARACTERS = 16 * 1024 * 1024

export function createWaitingRequests(): WaitingRequests {
  /** By id, and there more than one where an agent uses an id again. */
  const lengths = new Map<unknown, readonly number[]>()
  let count = 0
  let characters = 0
  return {
    add: (id, length) => {
      lengths.set(id, [...(lengths.get(id) ?? []), length])
      count++
      characters += length
      if (count > MOST) return `It made more than ${MOST} requests ${UNHEARD}`
      if (characters > MOST_CHARACTERS)
        return `It made requests of more than ${MOST_CHARACTERS / 1024 / 1024} MiB ${UNHEARD}`
      return null
    },
    answered: (id) => {
      const [first, ...others] = lengths.get(id) ?? []
      if (first === undefined) return
      if (others.length === 0) lengths.delete(id)
      else lengths.set(id, others)
      count--
      characters -= first
    },
  }
}

const UNHEARD = 'without waiting for what is said to them.'
