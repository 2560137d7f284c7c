/** Looks again at what may have changed: each once however often it was named, a few at a time, and all of it where that is less. */
export interface Refresh {
  mark(id: string): void
  /** Everything, from the beginning. */
  all(): void
}

const AT_ONCE = 6
const TOO_MANY = 40
const GATHER_MS = 15

export function createRefresh({
  one,
  everything,
}: {
  readonly one: (id: string) => Promise<void>
  readonly everything: () => Promise<void>
}): Refresh {
  const marked = new Set<string>()
  let isAllWanted = false
  let isBusy = false
  let isSoon = false
  const work = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    while (marked.size > 0 || isAllWanted) {
      if (isAllWanted || marked.size > TOO_MANY) {
        isAllWanted = false
        marked.clear()
        await everything()
        continue
      }
      const some = [...marked].slice(0, AT_ONCE)
      for (const id of some) marked.delete(id)
      await Promise.all(some.map(one))
    }
    isBusy = false
  }
  const soon = (): void => {
    if (isSoon) return
    isSoon = true
    setTimeout(() => {
      isSoon = false
      void work()
    }, GATHER_MS)
  }
  return {
    mark: (id) => {
      marked.add(id)
      soon()
    },
    all: () => {
      isAllWanted = true
      soon()
    },
  }
}
