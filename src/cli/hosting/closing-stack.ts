/**
 * What was opened, to be closed in reverse: whoever opens one thing after the other puts each here at once, so that a
 * failure halfway leaves nothing open. `AsyncDisposableStack` in small, which Node 20 does not have.
 */
export interface ClosingStack {
  /** Closed before everything that is here already. */
  defer(close: () => unknown): void
  /** Everything, also where one of them fails; the first failure is thrown then. Nothing happens the second time. */
  close(): Promise<void>
}

export function createClosingStack(): ClosingStack {
  const closers: (() => unknown)[] = []
  return {
    defer: (close) => {
      closers.push(close)
    },
    close: async () => {
      const failures: unknown[] = []
      for (let close = closers.pop(); close !== undefined; close = closers.pop())
        try {
          await close()
        } catch (error) {
          failures.push(error)
        }
      if (failures.length > 0) throw failures[0]
    },
  }
}
