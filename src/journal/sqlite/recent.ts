/** What was used lately, in two generations: the older one is dropped whole when the younger is full. */
export interface Recent<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  drop(key: string): void
  clear(): void
}

export function createRecent<T>(generationSize: number): Recent<T> {
  let young = new Map<string, T>()
  let old = new Map<string, T>()

  function set(key: string, value: T): void {
    if (young.size >= generationSize) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    get(key) {
      const known = young.get(key)
      if (known !== undefined) return known
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    drop(key) {
      young.delete(key)
      old.delete(key)
    },
    clear() {
      young.clear()
      old.clear()
    },
  }
}
