/** Tickets: claimed by one at a time, settled once, lost when the lease is over. */
import { expect, it } from 'vitest'
import type { Claim, Journal, Ticket } from '../journal.ts'
import { appendOf, happened, type Subject } from './subject.fixture.ts'

export function ticketContract(subject: Subject): void {
  it('hands out due tickets, earliest first, each to one claimer', async () => {
    const { journal } = subject
    await file(journal, [
      ticketOf('late', 30),
      ticketOf('early', 10),
      ticketOf('mid', 20),
      ticketOf('far', 999),
    ])
    expect(await journal.nextDueAt()).toBe(10)
    expect(await claimed(journal, { now: 9 })).toEqual([])
    const [early, ...others] = await claimed(journal, { now: 30, limit: 2 })
    expect(early?.ticket).toEqual(ticketOf('early', 10))
    expect(others.map(({ ticket }) => ticket.id)).toEqual(['mid'])
    expect((await claimed(journal, { now: 30 })).map(({ ticket }) => ticket.id)).toEqual(['late'])
    expect(await journal.nextDueAt()).toBe(999)
  })

  it('hands out only the kinds asked for', async () => {
    const { journal } = subject
    await file(journal, [ticketOf('a', 1, 'agent'), ticketOf('c', 2, 'check'), ticketOf('t', 3, 'timer')])
    const kinds = ['check', 'timer', 'unheard-of']
    expect(await journal.nextDueAt(kinds)).toBe(2)
    expect(await journal.nextDueAt([])).toBeNull()
    expect((await claimed(journal, { now: 5, kinds })).map(({ ticket }) => ticket.id)).toEqual(['c', 't'])
    expect(await claimed(journal, { now: 5, kinds: [] })).toEqual([])
  })

  it('[J3] takes a second ticket for the same thing as the first', async () => {
    const { journal } = subject
    await file(journal, [ticketOf('once', 1), ticketOf('once', 2)])
    await Promise.all([
      journal.append(appendOf({ stream: 'x', tickets: [ticketOf('once', 3)] })),
      journal.append(appendOf({ stream: 'y', tickets: [ticketOf('once', 4)] })),
    ])
    expect(await journal.ticketsOf('run')).toEqual([ticketOf('once', 1)])
    expect(await claimed(journal, { now: 9 })).toHaveLength(1)
    await file(journal, [ticketOf('once', 1)])
    expect(await claimed(journal, { now: 9 })).toEqual([])
  })

  it('[J2] settles a claim together with the events, once', async () => {
    const { journal } = subject
    const claim = await onlyClaim(journal)
    const settling = appendOf({ stream: 'run', events: [happened('done')], settle: claim })
    expect(await journal.append(settling)).toMatchObject({ done: true, version: 1 })
    expect(await journal.ticketsOf('run')).toEqual([])
    expect(await journal.append({ ...settling, expected: 1 })).toEqual({
      done: false,
      reason: 'claim-lost',
      version: 1,
    })
    expect(await claimed(journal, { now: 99_999 })).toEqual([])
    expect(await journal.nextDueAt()).toBeNull()
  })

  it('settles a claim once also when two ask in the same moment', async () => {
    const { journal } = subject
    const claim = await onlyClaim(journal)
    const results = await Promise.all([
      journal.append(appendOf({ stream: 'p', events: [happened('done')], settle: claim })),
      journal.append(appendOf({ stream: 'q', events: [happened('done')], settle: claim })),
    ])
    expect(results.map(({ done }) => done)).toEqual([true, false])
    expect(await journal.read('q', 0)).toEqual([])
  })

  it('keeps the claim when the version refuses the append', async () => {
    const { journal } = subject
    const claim = await onlyClaim(journal)
    const refused = await journal.append(appendOf({ stream: 'run', expected: 9, settle: claim }))
    expect(refused).toMatchObject({ done: false, reason: 'version' })
    expect(await journal.append(appendOf({ stream: 'run', settle: claim }))).toMatchObject({ done: true })
  })

  it('[J3] gives a ticket to another when the lease is over, and the first claim is lost', async () => {
    const { journal } = subject
    const first = await onlyClaim(journal)
    expect(await claimed(journal, { now: 109 })).toEqual([])
    const [second] = await claimed(journal, { now: 110 })
    expect(second?.ticket).toEqual(first.ticket)
    expect(await journal.renew([first, second!], 500)).toEqual([first])
    await journal.release(first, 1)
    expect(await claimed(journal, { now: 499 })).toEqual([])
    const stale = await journal.append(appendOf({ stream: 'run', events: [happened('late')], settle: first }))
    expect(stale).toEqual({ done: false, reason: 'claim-lost', version: 0 })
    expect(await journal.append(appendOf({ stream: 'run', settle: second! }))).toMatchObject({ done: true })
  })

  it('holds on to a renewed claim', async () => {
    const { journal } = subject
    const claim = await onlyClaim(journal)
    expect(await journal.renew([claim], 300)).toEqual([])
    expect(await claimed(journal, { now: 299 })).toEqual([])
    expect(await claimed(journal, { now: 300 })).toHaveLength(1)
  })

  it('takes a released ticket back, for later', async () => {
    const { journal } = subject
    const claim = await onlyClaim(journal)
    await journal.release(claim, 50)
    expect(await journal.nextDueAt()).toBe(50)
    expect(await journal.append(appendOf({ stream: 'run', settle: claim }))).toMatchObject({ done: false })
    expect(await claimed(journal, { now: 49 })).toEqual([])
    const [again] = await claimed(journal, { now: 50 })
    expect(again?.ticket).toEqual({ ...claim.ticket, dueAt: 50 })
  })

  it('[J3] retires tickets, held or free, and their claims are lost', async () => {
    const { journal } = subject
    await file(journal, [ticketOf('held', 1), ticketOf('free', 2), ticketOf('kept', 3)])
    const [held] = await claimed(journal, { now: 5, limit: 1 })
    await journal.append(appendOf({ stream: 'run', retire: ['held', 'free', 'never-was'] }))
    expect(await journal.renew([held!], 999)).toEqual([held])
    expect(await journal.append(appendOf({ stream: 'run', settle: held! }))).toMatchObject({ done: false })
    expect((await journal.ticketsOf('run')).map(({ id }) => id)).toEqual(['kept'])
    expect((await claimed(journal, { now: 5 })).map(({ ticket }) => ticket.id)).toEqual(['kept'])
  })

  it('sees within one moment what was retired and what was added', async () => {
    const { journal } = subject
    const claim = await onlyClaim(journal)
    const results = await Promise.all([
      journal.append(appendOf({ stream: 'a', retire: [claim.ticket.id], tickets: [ticketOf('new', 1)] })),
      journal.append(appendOf({ stream: 'b', settle: claim, events: [happened('late')] })),
      journal.append(appendOf({ stream: 'c', retire: ['new'] })),
    ])
    expect(results.map(({ done }) => done)).toEqual([true, false, true])
    expect(await journal.ticketsOf('run')).toEqual([])
    expect(await claimed(journal, { now: 99_999 })).toEqual([])
  })

  it('tells watchers of new, released and retired tickets, and of nothing else', async () => {
    const { journal } = subject
    const told: string[] = []
    const stop = journal.watch(({ retired }) => told.push(retired.join()))
    await file(journal, [ticketOf('a', 1), ticketOf('b', 2)])
    await file(journal, [ticketOf('a', 1)])
    const [claim] = await claimed(journal, { now: 1 })
    await journal.append(appendOf({ stream: 'run', retire: ['b', 'never-was'] }))
    await journal.release(claim!, 4)
    const [again] = await claimed(journal, { now: 4 })
    await journal.append(appendOf({ stream: 'run', settle: again! }))
    expect(told).toEqual(['', 'b', ''])
    stop()
    await file(journal, [ticketOf('c', 1)])
    expect(told).toHaveLength(3)
  })

  it('finds what is due among thousands that are not', async () => {
    const { journal } = subject
    const far = Array.from({ length: 2_000 }, (_, i) => ticketOf(`far/${i}`, 10_000 + ((i * 7_919) % 2_000)))
    await file(journal, [...far, ticketOf('now', 5)])
    expect((await claimed(journal, { now: 10 })).map(({ ticket }) => ticket.id)).toEqual(['now'])
    const needless = far.filter((_, i) => i % 3 === 0).map(({ id }) => id)
    await journal.append(appendOf({ stream: 'run', retire: ['now', ...needless] }))
    const left = far.filter((_, i) => i % 3 !== 0).sort((a, b) => a.dueAt - b.dueAt)
    expect(await journal.nextDueAt()).toBe(left[0]?.dueAt)
    const claims = await claimed(journal, { now: 20_000, limit: 3_000 })
    expect(claims.map(({ ticket }) => ticket.id)).toEqual(left.map(({ id }) => id))
  })
}

const ticketOf = (id: string, dueAt: number, kind = 'act'): Ticket => ({
  id,
  stream: 'run',
  kind,
  dueAt,
  data: { about: id },
})

const file = (journal: Journal, tickets: readonly Ticket[]) =>
  journal.append(appendOf({ stream: 'files', tickets }))

interface Claiming {
  readonly now: number
  readonly limit?: number
  readonly kinds?: readonly string[]
}

const claimed = (journal: Journal, { now, limit = 10, kinds }: Claiming): Promise<Claim[]> =>
  journal.claim({ now, limit, leaseMs: 100, kinds: kinds ?? null })

/** One ticket, claimed at 10 for 100 ms. */
async function onlyClaim(journal: Journal): Promise<Claim> {
  await file(journal, [ticketOf('only', 10)])
  const [claim] = await claimed(journal, { now: 10 })
  return claim!
}
