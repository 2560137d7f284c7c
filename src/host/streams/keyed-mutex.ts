/** One at a time for each key: whoever comes meanwhile waits for the one before, whether it went well or not. */

export type KeyedMutex = <T>(key: string, act: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (key, act) => {
    const before = last.get(key)
    const mine = before === undefined ? act() : before.then(act, act)
    last.set(key, mine)
    const done = (): void => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(done, done)
    return mine
  }
}
