/**
 * Policies at work: each decision that opens is held against them, and so is everything pending when the host starts,
 * so that a crash between a question and its answer loses nothing. Whoever answers first wins, as among people.
 */

import { type Policy, policyFor } from '../../attention/policy.ts'
import { decisionId, type StandaloneEvent } from '../../engine/index.ts'
import type { Journal, StoredEvent } from '../../journal/index.ts'
import type { Actor } from '../../model/answer.ts'
import type { DecisionRow } from '../../model/decision-record.ts'
import type { RunEvent } from '../../model/event.ts'
import { apart } from '../streams/apart.ts'
import type { Decisions } from './decisions.ts'

export interface PoliciesOptions {
  readonly journal: Pick<Journal, 'follow'>
  /** Every decision, for somebody. */
  readonly decisionsAs: (actor: Actor) => Pick<Decisions, 'list' | 'show' | 'answer'>
  /** What is in the file now; whoever reads it knows whether it has changed. */
  readonly read: () => Promise<PoliciesRead>
  readonly now: () => number
  /** A sentence for the host's log. */
  readonly note: (text: string) => void
  readonly onBug: (error: unknown) => void
}

export interface PoliciesRead {
  readonly policies: readonly Policy[]
  /** Why none of them is applied; null where they are. */
  readonly problem: string | null
}

export interface Policies {
  /** Looks at everything that is pending. */
  start(): Promise<void>
  /** Resolves when nothing is being answered any more. */
  close(): Promise<void>
}

const PAGE = 200

export function createPolicies(options: PoliciesOptions): Policies {
  const { journal, decisionsAs, now, onBug } = options
  const decisions = decisionsAs({ kind: 'signalbox' })
  let last: Promise<void> = Promise.resolve()
  let closed = false
  let told: string | null = null

  /** One after the other: a batch of questions must not become a batch of races. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    last = last.then(() => (closed ? undefined : act())).catch(onBug)
    return last
  }
  const inForce = async (): Promise<readonly Policy[]> => {
    const { policies, problem } = await options.read()
    if (problem !== null && problem !== told) options.note(`No policy is applied: ${problem}`)
    told = problem
    return problem === null ? policies : []
  }
  const consider = async (id: string, policies: readonly Policy[]): Promise<void> => {
    const record = await decisions.show(id)
    if ('problem' in record || record.status !== 'open') return
    const answer = policyFor(policies, record, now())
    if (answer === null) return
    const { pick } = answer
    const { name, note } = answer.policy
    const given = { pick, note, fields: {}, edited: null, digest: record.digest, together: false }
    const done = await decisionsAs({ kind: 'policy', name }).answer(id, given)
    if ('problem' in done) options.note(`The policy ${name} could not answer ${id}: ${done.problem}`)
  }

  const unfollow = journal.follow((events) => {
    const opened = events.flatMap(openedBy)
    if (opened.length === 0) return
    void inTurn(async () => {
      const policies = await inForce()
      if (policies.length > 0) await apart(opened, (id) => consider(id, policies), onBug)
    })
  })

  return {
    start: () =>
      inTurn(async () => {
        const policies = await inForce()
        if (policies.length === 0) return
        // A line says less than the record, so what it rules out is out; most of thousands need not be loaded.
        const mayFit = (row: DecisionRow): boolean => policyFor(policies, row, now()) !== null
        await apart(await pendingIds(decisions, mayFit), (id) => consider(id, policies), onBug)
      }),
    close: async () => {
      closed = true
      unfollow()
      await last
    },
  }
}

/** All of them first: each answer changes the list. */
async function pendingIds(
  decisions: Pick<Decisions, 'list'>,
  mayFit: (row: DecisionRow) => boolean,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page = await decisions.list({ status: 'pending', snoozed: true, cursor, limit: PAGE })
    if ('problem' in page) return ids
    ids.push(...page.rows.filter((row) => row.status === 'open' && mayFit(row)).map(({ id }) => id))
    cursor = page.next
  } while (cursor !== null)
  return ids
}

function openedBy({ stream, type, data }: StoredEvent): string[] {
  if (type === 'question.opened') return [decisionId(stream, (data as Opened).question)]
  // One from outside any run is called by the name it was created with.
  return type === 'decision.created' ? [(data as Created).opened.question] : []
}

type Opened = Extract<RunEvent, { type: 'question.opened' }>
type Created = Extract<StandaloneEvent, { type: 'decision.created' }>
