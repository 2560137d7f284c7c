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
