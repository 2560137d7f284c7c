/**
 * Decisions, as a person of the owner's list has them: asked in their own name, and answered only where they are theirs to answer. What they
 * may do at all says the table of rights; here is about which decisions.
 */
import type { DecisionOrder, Decisions } from '../host/inbox/decisions.ts'
import { isDayQuestion } from '../model/day-question.ts'
import type { DecisionRecord } from '../model/decision-record.ts'
import { isRejection, type Rejection } from '../model/refusal.ts'

export interface AskingColleague {
  readonly name: string
  readonly groups: readonly string[]
}

export function decisionsOf(decisions: Decisions, colleague: AskingColleague): Decisions {
  const { name } = colleague
  const isAsker = ({ asker }: DecisionRecord): boolean => asker?.person === name
  const when = async <T>(
    id: string,
    holds: (record: DecisionRecord) => boolean | Promise<boolean>,
    act: () => Promise<T>,
  ): Promise<T | Rejection> => {
    const record = await decisions.show(id)
    if (isRejection(record)) return record
    return (await holds(record)) ? act() : NOT_THEIRS
  }
  /** Those that would be answered together with it. */
  const alikeOf = async ({ alike }: DecisionRecord): Promise<readonly Assigned[]> => {
    const rows: (Assigned & { readonly alike: string })[] = []
    let cursor: string | null = null
    do {
      const page = await decisions.list({ status: 'pending', snoozed: true, cursor, limit: 500 })
      if (isRejection(page)) return []
      rows.push(...page.rows)
      cursor = page.next
    } while (cursor !== null)
    return rows.filter((row) => row.alike === alike)
  }
  return {
    ...decisions,
    create: async (order) => {
      const wanted = supersededBy(order)
      const found = wanted === null ? null : await decisions.find(wanted)
      const own = { ...order, door: 'http' as const, asker: { ...order.asker, agent: name, person: name } }
      // One that is not there is refused where the payload is judged.
      return found === null || isRejection(found)
        ? decisions.create(own)
        : when(found.id, isAsker, () => decisions.create(own))
    },
    answer: (id, answer) =>
      when(
        id,
        async (record) =>
          mayAnswer(colleague, record) &&
          (!answer.together || (await alikeOf(record)).every((row) => mayAnswer(colleague, row))),
        () => decisions.answer(id, answer),
      ),
    undo: (id) =>
      when(
        id,
        ({ by }) => by?.kind === 'person' && by.name === name,
        () => decisions.undo(id),
      ),
    wait: (id, waitMs, signal) => when(id, isAsker, () => decisions.wait(id, waitMs, signal)),
    withdraw: (id, reason) => when(id, isAsker, () => decisions.withdraw(id, reason)),
    acted: (id, did) => when(id, isAsker, () => decisions.acted(id, did)),
  }
}

type Assigned = Pick<DecisionRecord, 'assignee' | 'question'>

/** What agents may use in a day is the owner's, as the config that says it is. */
const mayAnswer = ({ name, groups }: AskingColleague, { assignee, question }: Assigned): boolean =>
  assignee === null ? !isDayQuestion(question) : assignee === name || groups.includes(assignee)

function supersededBy({ payload }: DecisionOrder): string | null {
  if (typeof payload !== 'object' || payload === null || !('supersedes' in payload)) return null
  return typeof payload.supersedes === 'string' && payload.supersedes !== '' ? payload.supersedes : null
}

const NOT_THEIRS: Rejection = {
  code: 'not-allowed',
  problem:
    'This decision is another person’s. The owner can assign it to you: signalbox decision assign ID NAME.',
}
