/** A conversation as given, when, then. */
import { expect } from 'vitest'
import type { TurnEnd, Update } from '../../drivers/index.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { type Conversation, type Incoming, NEW_CONVERSATION, type Next } from './conversation.ts'
import { meet } from './meet.ts'

/** given(what came before).when(this comes in).then(that is done). */
export function given(...before: readonly Incoming[]) {
  const start = before.reduce<Conversation>(
    (conversation, incoming) => meet(conversation, incoming).conversation,
    NEW_CONVERSATION,
  )
  return {
    when: (incoming: Incoming) => {
      const { conversation, next } = meet(start, incoming)
      return {
        conversation,
        then: (...expected: readonly Next[]) => {
          expect(next).toEqual(expected)
          return conversation
        },
      }
    },
  }
}

export const at = 1_000_000
export const duty = (more: Partial<Extract<Incoming, { kind: 'duty' }>> = {}): Incoming => ({
  kind: 'duty',
  at,
  attempt: 1,
  running: false,
  first: true,
  unheard: false,
  stuck: { calls: 12, turns: 2 },
  ...more,
})
export const looked = (left: 'answer' | 'question' | 'nothing'): Incoming => ({
  kind: 'looked',
  left,
  following: null,
})
export const opened: Incoming = { kind: 'opened', memory: 'fresh' }
export const prompted = (...told: readonly string[]): Incoming => ({
  kind: 'prompted',
  at,
  told,
  following: null,
})
export const ended: TurnEnd = { kind: 'ended', reason: 'end_turn', text: 'Done.', toolCalls: 2 }
export const crashed: TurnEnd = { kind: 'crashed', detail: 'It is gone.' }
export const AT_WORK = [duty(), opened, prompted()] as const
export const Q = 'work#1.0?1'
export const record = (more: Partial<DecisionRecord> = {}): DecisionRecord =>
  ({ question: Q, status: 'delivered', pick: 'allow_once', note: 'Go on.', ...more }) as DecisionRecord
export const tool = (
  id: string,
  status: 'pending' | 'completed' = 'completed',
): Extract<Update, { kind: 'tool' }> => ({
  kind: 'tool',
  id,
  title: 'Read a.txt',
  status,
  input: { path: 'a.txt' },
})
export const update = (seen: Update, when = at): Incoming => ({ kind: 'update', at: when, update: seen })
