/** What comes to one session, one after the other: whoever comes meanwhile waits, however the one before went. */

export type Mailbox = <T>(act: () => Promise<T>) => Promise<T>

export function createMailbox(): Mailbox {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const mine = last.then(act, act)
    last = mine
    return mine
  }
}
