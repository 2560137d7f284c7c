import { describe, expect, it } from 'vitest'
import type { Update } from '../driver.ts'
import { createConversation } from './conversation.ts'

function talk() {
  const updates: Update[] = []
  const conversation = createConversation((update) => updates.push(update))
  conversation.belongsTo('ours')
  const hear = (update: unknown, sessionId = 'ours') => conversation.hear({ sessionId, update })
  const say = (text: string, messageId?: string) =>
    hear({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId })
  const cost = (used: number, amount: number | null, currency = 'USD') =>
    hear({
      sessionUpdate: 'usage_update',
      used,
      size: 1,
      cost: amount === null ? null : { amount, currency },
    })
  const usage = () =>
    updates.flatMap((update) => (update.kind === 'usage' ? [[update.costUsd, update.tokens]] : []))
  return { conversation, updates, hear, say, cost, usage }
}

describe('a conversation', () => {
  it('keeps the messages after the last tool call apart', () => {
    const { conversation, say, hear } = talk()
    conversation.begin()
    say('before', 'm1')
    hear({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'look' })
    say('one', 'm2')
    say(' half', 'm2')
    say('two', 'm3')
    expect(conversation.turn()).toEqual({ text: 'one half\n\ntwo', toolCalls: 1 })
  })

  it('begins every turn anew, and counts a tool call in the turn it began in', () => {
    const { conversation, say, hear } = talk()
    conversation.begin()
    hear({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'build' })
    say('running')
    conversation.begin()
    say('it is ')
    hear({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' })
    say('built')
    expect(conversation.turn()).toEqual({ text: 'it is built', toolCalls: 0 })
  })

  it('takes what another session says as a sign of life only', () => {
    const { conversation, hear, updates } = talk()
    conversation.begin()
    hear({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'not ours' } }, 'theirs')
    expect(conversation.turn().text).toBe('')
    expect(updates).toEqual([{ kind: 'other', about: 'text' }])
  })

  it.each([[-5], [Number.POSITIVE_INFINITY]])('[A25] passes on a use of %d as it was said', (amount) => {
    const { conversation, cost, usage } = talk()
    conversation.begin()
    cost(10, amount)
    cost(12, 1)
    expect(usage()).toEqual([
      [amount, 0],
      [null, 10],
      [1, 2],
    ])
  })

  it('[D13] tells that the agent has compacted its context, once it has', () => {
    const { conversation, hear, updates } = talk()
    conversation.begin()
    hear({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress' })
    hear({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' })
    expect(updates).toEqual([{ kind: 'other', about: 'compaction_update' }, { kind: 'compacted' }])
  })

  it('[D20] calls that begin side by side are told by what is known of each, and each ends once', () => {
    const { conversation, hear, updates } = talk()
    conversation.begin()
    const ids = ['a', 'b', 'c']
    const update = (toolCallId: string, about: object) =>
      hear({ sessionUpdate: 'tool_call_update', toolCallId, ...about })
    for (const toolCallId of ids)
      hear({ sessionUpdate: 'tool_call', toolCallId, title: 'Read', status: 'pending' })
    for (const id of ids) update(id, { rawInput: { path: id } })
    for (const id of ids) update(id, { status: 'completed' })
    const told = () => updates.flatMap((each) => (each.kind === 'tool' ? [each] : []))
    const ends = () => told().filter(({ status }) => status === 'completed')
    expect(ends().map(({ input }) => input)).toEqual(ids.map((path) => ({ path })))
    for (const id of ids) update(id, { _meta: { took: 1 } })
    update('a', { status: 'completed', rawOutput: 'as it was' })
    expect(ends()).toHaveLength(3)
    hear({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Read', status: 'completed' })
    expect(ends()).toHaveLength(4)
  })

  it('takes everything strange as a sign of life', () => {
    const { conversation, hear, updates } = talk()
    conversation.begin()
    hear(null)
    hear({ sessionUpdate: 'plan', entries: 'none' })
    hear({ sessionUpdate: 'agent_message_chunk', content: { type: 'image' } })
    hear({ sessionUpdate: 'tool_call', title: 'nameless' })
    conversation.hear('what')
    expect(updates.map(({ kind }) => kind)).toEqual(['other', 'other', 'other', 'other', 'other'])
  })

  it('tells usage since the last time, also when the context was compacted', () => {
    const { conversation, cost, usage } = talk()
    conversation.begin()
    cost(1000, 0.5)
    cost(1500, 0.75)
    cost(200, 0.75)
    cost(300, 1)
    expect(usage()).toEqual([
      [0.5, 1000],
      [0.25, 500],
      [0.25, 100],
    ])
  })

  it('tells no price where there is none in dollars, and never a negative one', () => {
    const { conversation, cost, usage } = talk()
    conversation.begin()
    cost(10, null)
    cost(20, 3, 'EUR')
    cost(30, 2)
    cost(40, 1)
    expect(usage()).toEqual([
      [null, 10],
      [null, 10],
      [2, 10],
      [0, 10],
    ])
  })

  it('counts nothing twice of what an agent reports as the total of a resumed session', () => {
    const { conversation, cost, usage } = talk()
    conversation.counted({ costUsd: 0.1 + 0.2, tokens: 100 })
    conversation.begin()
    cost(100, 0.3)
    cost(150, 0.5)
    expect(usage()).toEqual([[expect.closeTo(0.2), 50]])
  })

  it('counts all of it where the agent began to count anew', () => {
    const { conversation, cost, usage } = talk()
    conversation.counted({ costUsd: 2, tokens: 100 })
    conversation.begin()
    cost(120, 0.25)
    cost(120, 0.5)
    cost(120, 0.25)
    expect(usage()).toEqual([
      [0.25, 20],
      [0.25, 0],
    ])
  })

  it('adds what a turn used beyond what was seen of it', () => {
    const { conversation, cost, usage } = talk()
    conversation.begin()
    cost(100, null)
    conversation.turnTokens(450)
    conversation.begin()
    conversation.turnTokens(50)
    expect(usage()).toEqual([
      [null, 100],
      [null, 350],
      [null, 50],
    ])
  })

  it('[D18] counts the tokens that come beside a message, once', () => {
    const { conversation, hear, cost, usage } = talk()
    const spent = (inputTokens: number, outputTokens: number) =>
      hear({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: '' },
        _meta: { usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens } },
      })
    conversation.begin()
    spent(100, 10)
    spent(200, 20)
    // The context holds them, too.
    cost(220, null)
    conversation.turnTokens(330)
    expect(usage()).toEqual([
      [null, 110],
      [null, 220],
    ])
    expect(conversation.turn()).toEqual({ text: '', toolCalls: 0 })
  })
})
