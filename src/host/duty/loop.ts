/**
 * The loop: claim a ticket, do its duty, and let the duty's own command settle it. Nothing is polled: tickets are
 * claimed when the journal tells of new ones, when a worker is free again, and when the next timer is due.
 */
import type { Duty, StandaloneDuty } from '../../engine/index.ts'
import type { Claim, Journal } from '../../journal/index.ts'
import { isStandalone, standaloneOf } from '../inbox/standalones.ts'
import { runOf, streamOf } from '../runs/runs.ts'
import type { Sessions } from '../session/sessions.ts'
import { type DeliveryNeeds, deliverAnswer, passDecisionTime } from './deliver-answer.ts'
import type { DutyNeeds, DutyOf, Work } from './duty.ts'
import { AGAIN_MS, createFailures, UnusableDutyError } from './failures.ts'
import { gatherContext } from './gather-context.ts'
import type { OtherSeats } from './leftovers.ts'
import { createPump } from './pump.ts'
import { runCheck } from './run-check.ts'
import { runGate } from './run-gate.ts'
import { type WaitingNeeds, waitUntil } from './wait-until.ts'

export interface Loop {
  /** Resolves when nothing that was begun for a run is going on any more. */
  quiet(run: string): Promise<void>
  /** Stops claiming, lets go of everything and waits until it has ended. */
  close(): Promise<void>
}

export interface LoopNeeds extends DutyNeeds, DeliveryNeeds, WaitingNeeds {
  readonly journal: Journal
  readonly sessions: Sessions
  readonly others: OtherSeats
}

export interface Limits {
  readonly agents: number
  readonly commands: number
}

const LEASE_MS = 60_000

export function startLoop(
  tools: LoopNeeds,
  { limits, onBug }: { readonly limits: Limits; readonly onBug: (error: unknown) => void },
): Loop {
  const { journal, clock } = tools
  const lanes: Lane[] = [
    { kinds: ['prompt-agent'], slots: limits.agents, busy: 0 },
    { kinds: ['run-gate', 'run-check', 'gather-context', 'deliver-answer'], slots: limits.commands, busy: 0 },
    { kinds: ['wait-until', 'decision-timer'], slots: 64, busy: 0 },
  ]
  const held = new Map<
    string,
    { readonly claim: Claim; readonly abort: AbortController; done: Promise<void> }
  >()
  /** What failed is held on to until it may be tried again: by its time in the journal, a clock that is set back would keep it for as long. */
  const resting = new Map<string, { readonly claim: Claim; readonly callOff: () => void }>()
  const failures = createFailures(tools, onBug)
  let closed = false
  let callOffTimer = (): void => {}
  let callOffRenewal: (() => void) | null = null
  let renewBy = 0

  const pump = createPump({
    work: async () => {
      for (const lane of lanes) await fill(lane)
    },
    rest: setTimer,
    isClosed: () => closed,
    onFailure: (error) => {
      onBug(error)
      if (closed) return
      callOffTimer()
      callOffTimer = clock.pause(AGAIN_MS, pump.prod)
    },
  })

  async function fill(lane: Lane): Promise<void> {
    const free = lane.slots - lane.busy
    if (free <= 0 || closed) return
    // Woken after a long sleep, it still does all that it holds.
    if (isHolding() && clock.now() >= renewBy) await renewHeld()
    const claims = await journal.claim({
      limit: free,
      now: clock.now(),
      leaseMs: LEASE_MS,
      kinds: lane.kinds,
    })
    for (const claim of claims)
      if (closed) await journal.release(claim, 0)
      else begin(lane, claim)
  }

  function begin(lane: Lane, claim: Claim): void {
    const { ticket } = claim
    const abort = new AbortController()
    lane.busy++
    const done = failures
      .guard({ claim, signal: abort.signal, act: () => perform(tools, claim, abort.signal) })
      .then(async (againMs) => {
        held.delete(ticket.id)
        lane.busy--
        // Settled or retired by now, unless something went wrong: then it is not forgotten. A host that only closes
        // leaves it to the next one, which need not wait.
        if (closed) await journal.release(claim, clock.now())
        else await rest(claim, againMs)
        pump.prod()
      })
      .catch(onBug)
    held.set(ticket.id, { claim, abort, done })
    keepHolding()
  }

  async function rest(claim: Claim, ms: number): Promise<void> {
    const { id } = claim.ticket
    const [settled] = await journal.renew([claim], clock.now() + LEASE_MS)
    if (settled !== undefined) return
    const callOff = clock.pause(ms, () => {
      resting.delete(id)
      journal.release(claim, clock.now()).then(pump.prod, onBug)
    })
    resting.set(id, { claim, callOff })
    keepHolding()
  }

  const isHolding = (): boolean => held.size > 0 || resting.size > 0

  /** Nobody here does it any more. */
  function letGo(id: string): void {
    held.get(id)?.abort.abort()
    resting.get(id)?.callOff()
    resting.delete(id)
  }

  /** Claims are renewed while there are any, and nothing ticks while there are none. */
  function keepHolding(): void {
    callOffRenewal ??= clock.pause(LEASE_MS / 3, () => {
      callOffRenewal = null
      if (!isHolding() || closed) return
      renewHeld()
        .catch(onBug)
        .finally(() => {
          if (!closed) keepHolding()
        })
    })
  }

  async function renewHeld(): Promise<void> {
    const now = clock.now()
    renewBy = now + LEASE_MS / 2
    const claims = [...held.values(), ...resting.values()].map(({ claim }) => claim)
    const lost = await journal.renew(claims, now + LEASE_MS)
    for (const { ticket } of lost) letGo(ticket.id)
  }

  async function setTimer(): Promise<void> {
    // What waits for a free worker is claimed when one is free, and must not hide a timer that comes later.
    const kinds = lanes.flatMap((lane) => (lane.busy < lane.slots ? lane.kinds : []))
    const next = await journal.nextDueAt(kinds)
    if (closed) return
    if (next === null) callOffTimer()
    else wakeAt(next)
  }

  function wakeAt(at: number): void {
    callOffTimer()
    callOffTimer = clock.alarm(at, pump.prod)
  }

  const unwatch = journal.watch(({ retired }) => {
    for (const id of retired) letGo(id)
    pump.prod()
  })
  pump.prod()

  return {
    quiet: async (run) => {
      const stream = streamOf(run)
      await Promise.all(
        [...held.values()].flatMap(({ claim, done }) => (claim.ticket.stream === stream ? [done] : [])),
      )
    },
    close: async () => {
      closed = true
      unwatch()
      callOffTimer()
      callOffRenewal?.()
      for (const { abort } of held.values()) abort.abort()
      for (const { claim, callOff } of resting.values()) {
        callOff()
        await journal.release(claim, clock.now())
      }
      await tools.sessions.leaveAll()
      await Promise.all([...held.values()].map(({ done }) => done))
      await pump.idle()
      await tools.sessions.leaveAll()
    },
  }
}

interface Lane {
  readonly kinds: readonly (Duty['kind'] | StandaloneDuty['kind'])[]
  readonly slots: number
  busy: number
}

function perform(tools: LoopNeeds, claim: Claim, signal: AbortSignal): Promise<void> {
  const { stream, kind, data } = claim.ticket
  if ((data as { readonly kind?: unknown } | null)?.kind !== kind) throw new UnusableDutyError(stream)
  if (isStandalone(stream)) {
    const duty = data as StandaloneDuty
    const work = { decision: standaloneOf(stream), duty, claim, signal }
    return duty.kind === 'deliver-answer' ? deliverAnswer(tools, work) : passDecisionTime(tools, work)
  }
  const work: Work = { run: runOf(stream), duty: data as Duty, claim, signal }
  switch (work.duty.kind) {
    case 'prompt-agent':
      return tools.sessions.attend(work as Work<DutyOf<'prompt-agent'>>)
    case 'run-gate':
      return runGate(tools, work as Work<DutyOf<'run-gate'>>)
    case 'run-check':
      return runCheck(tools, work as Work<DutyOf<'run-check'>>)
    case 'gather-context':
      return gatherContext(tools, work as Work<DutyOf<'gather-context'>>)
    case 'wait-until':
      return waitUntil(tools, work as Work<DutyOf<'wait-until'>>)
  }
}
