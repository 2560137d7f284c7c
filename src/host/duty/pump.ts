/**
 * Works whenever it is told that there may be something to do: one turn at a time, and another one for whatever it was
 * told meanwhile. Between turns nothing runs.
 */
export interface Pump {
  readonly prod: () => void
  /** When nothing is being done any more. */
  idle(): Promise<void>
}

export interface PumpOptions {
  /** Takes up what there is. */
  readonly work: () => Promise<void>
  /** Nothing is left for now: sees to it that it is prodded when something is due. */
  readonly rest: () => Promise<void>
  readonly isClosed: () => boolean
  readonly onFailure: (error: unknown) => void
}

export function createPump({ work, rest, isClosed, onFailure }: PumpOptions): Pump {
  let again = false
  let pumping: Promise<void> | null = null

  const turn = async (): Promise<void> => {
    while (again && !isClosed()) {
      again = false
      await work()
    }
    if (!isClosed()) await rest()
  }
  const prod = (): void => {
    again = true
    pumping ??= turn()
      .catch(onFailure)
      .finally(() => {
        pumping = null
        // Told of something after it had looked the last time.
        if (again && !isClosed()) prod()
      })
  }
  return { prod, idle: async () => pumping ?? undefined }
}
