/** What goes on beside a turn. Whoever waits for the end of the turn waits for this too, and hears of what went wrong. */

export interface Background {
  readonly add: (doing: Promise<unknown>) => void
  readonly settled: () => Promise<unknown>
}

export function createBackground(): Background {
  const going = new Set<Promise<unknown>>()
  return {
    add: (doing) => {
      going.add(doing)
      const over = (): boolean => going.delete(doing)
      doing.then(over, over)
    },
    settled: () => Promise.all(going),
  }
}
