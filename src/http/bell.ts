/** Wakes whoever waits for news. */
export interface Bell {
  readonly ring: () => void
  rung(): Promise<void>
}

/** Rung while nobody waits, it is heard by the next who does. */
export function createBell(): Bell {
  let heard: (() => void) | null = null
  let isRung = false
  return {
    ring: () => {
      isRung = true
      heard?.()
    },
    rung: async () => {
      if (!isRung)
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      isRung = false
      heard = null
    },
  }
}
