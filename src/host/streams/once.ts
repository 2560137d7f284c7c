/** Does something the first time it is asked for under a name; whoever asks again waits for the first. */

export type Once = (name: string, act: () => Promise<void>) => Promise<void>

export function createOnce(): Once {
  const begun = new Map<string, Promise<void>>()
  return (name, act) => {
    const doing = begun.get(name) ?? act()
    begun.set(name, doing)
    // What failed is tried again with the duty.
    doing.catch(() => begun.delete(name))
    return doing
  }
}
