/** Those who want to be told. Each call of `add` gives back how to stop. */
export interface Listeners<T> {
  add(listener: (news: T) => void): () => void
  tell(news: T): void
  readonly any: boolean
}

export function createListeners<T>(): Listeners<T> {
  const entries = new Set<{ readonly listener: (news: T) => void }>()
  return {
    add(listener) {
      // An entry of its own, so that the same function added twice is stopped one at a time.
      const entry = { listener }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    tell(news) {
      for (const entry of [...entries]) entry.listener(news)
    },
    get any() {
      return entries.size > 0
    },
  }
}

/** Those who are waited for before something is done, one after the other; whoever throws keeps it from being done. */
export function createAnnouncements<T>(): {
  add(listener: (news: T) => Promise<void>): () => void
  tell(news: T): Promise<void>
} {
  const entries = new Set<{ readonly listener: (news: T) => Promise<void> }>()
  return {
    add(listener) {
      const entry = { listener }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    async tell(news) {
      for (const { listener } of [...entries]) await listener(news)
    },
  }
}
