/** The requests of an agent that a person has not answered yet. The turn of the agent stays open until the reply. */
import type { Address } from '../../model/command.ts'
import type { Incoming, Picked } from './conversation.ts'
import type { Edges } from './edges.ts'
import { raiseDecision } from './raise.ts'
import type { Reply, RequestInTurn } from './requests.ts'

export interface OpenRequests {
  /** Raises the request as a decision, and resolves with its reply. */
  readonly ask: (request: RequestInTurn) => Promise<Reply>
  reply(question: string, picked: Picked | null): void
  /** Replies null to all of them. */
  dropAll(): void
}

export interface OpenRequestsOptions {
  readonly run: string
  readonly address: () => Address
  readonly isClosed: () => boolean
  readonly take: (incoming: Incoming) => unknown
}

export function createOpenRequests(
  edges: Edges,
  { run, address, isClosed, take }: OpenRequestsOptions,
): OpenRequests {
  const replies = new Map<string, (reply: Picked | null) => void>()

  const ask = ({ received, ...request }: RequestInTurn): Promise<Reply> =>
    new Promise((resolve, reject) => {
      // A program that asks while it opens would deadlock: the answer is delivered only after the opening.
      if (isClosed()) return resolve({ rejected: 'Nothing has been asked of it yet.' })
      let question = ''
      raiseDecision(edges, {
        run,
        address: address(),
        ...request,
        call: JSON.stringify(received) ?? 'null',
        foresee: (foreseen) => {
          question = foreseen
          replies.set(question, resolve)
          take({ kind: 'requested', question })
        },
      }).then((raised) => {
        if ('raised' in raised) return
        replies.delete(question)
        take({ kind: 'request-refused', question })
        resolve({ rejected: 'rejected' in raised ? raised.rejected : 'The run has moved on.' })
      }, reject)
    })

  function reply(question: string, picked: Picked | null): void {
    const answer = replies.get(question)
    replies.delete(question)
    answer?.(picked)
  }

  return {
    ask,
    reply,
    dropAll: () => {
      for (const question of [...replies.keys()]) reply(question, null)
    },
  }
}
