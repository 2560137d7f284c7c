/**
 * What the agent says and does, as it comes in: updates for the caller, and what the open turn adds up to. Everything
 * before the first turn is the replay of an earlier life and is told as a sign of life only.
 */
import type { Update } from '../driver.ts'
import { createCallMarks } from './call-marks.ts'
import { within } from './deadline.ts'
import { createKnownCalls, isOver, type KnownCall, type ToolUpdate } from './known-calls.ts'
import { type HeardUpdate, readSessionUpdate } from './session-update.ts'
import { addTo, NOTHING_TOLD, type ToldOfTool } from './told-of-tool.ts'
import { createUsageMeter } from './usage-meter.ts'

export interface AcpConversation {
  /** One `session/update`. */
  hear(params: unknown): void
  /** Upserts a tool call, whoever mentions it. */
  tool(heard: Extract<HeardUpdate, { kind: 'tool' }>): ToolUpdate
  /** All that was told of one, over all updates. */
  told(id: string): ToldOfTool
  alive(about: string): void
  /** Updates of other sessions are not ours. */
  belongsTo(sessionId: string): void
  /** What was told of this session's usage in an earlier life. */
  counted(usage: { readonly costUsd: number; readonly tokens: number }): void
  /** Whether anything of an earlier life is told again, now or within this time. */
  isReplayed(atMostMs: number): Promise<boolean>
  /** Resolves when the agent has been silent for a moment. */
  silence(options: { readonly quietMs: number; readonly atMostMs: number }): Promise<void>
  begin(): void
  /** The last message and the number of tool calls of this turn, so far. */
  turn(): { readonly text: string; readonly toolCalls: number }
  /** Whether the agent has said that the model failed in this turn. */
  isBroken(): boolean
  turnTokens(total: number): void
  /** When the usage limit resets that stops it, as it was told beside its messages; null: none was told. */
  resetsAt(): number | null
  /** Nothing more is told. */
  mute(): void
}

/** Of its last message the end counts: an answer stands there. */
const LONGEST_TEXT = 256 * 1024

export function createConversation(onUpdate: (update: Update) => void): AcpConversation {
  const tools = createKnownCalls()
  const markOf = createCallMarks()
  const meter = createUsageMeter()
  let session: string | null = null
  let begun = false
  let isReplayed = false
  let onReplay = (): void => {}
  let muted = false
  let heardAt = 0
  let text = ''
  let messageId: string | null = null
  let toolCalls = 0
  let broken = false
  let resetsAt: number | null = null

  const tell = (update: Update | null): void => {
    if (update !== null && !muted) onUpdate(update)
  }
  const tool: AcpConversation['tool'] = (heard) => {
    const known = tools.get(heard.id)
    if (known === undefined) {
      toolCalls += 1
      text = ''
    }
    const status = heard.status ?? known?.call.status ?? 'pending'
    const mark = markOf(heard, status)
    const next: ToolUpdate = {
      kind: 'tool',
      id: heard.id,
      title: heard.title ?? known?.call.title ?? 'tool call',
      status,
      input: heard.input ?? known?.call.input ?? null,
      ...(mark === '' ? {} : { mark }),
    }
    tools.remember({ call: next, told: addTo(known?.told ?? NOTHING_TOLD, heard) })
    tell(isAfterItsEnd(known, heard) ? { kind: 'other', about: 'tool call' } : next)
    return next
  }
  const say = (heard: Extract<HeardUpdate, { kind: 'text' | 'thought' }>): void => {
    if (heard.kind === 'text') {
      const another = heard.messageId !== null && messageId !== null && heard.messageId !== messageId
      text += another && text !== '' ? `\n\n${heard.text}` : heard.text
      if (text.length > 2 * LONGEST_TEXT) text = text.slice(-LONGEST_TEXT)
      messageId = heard.messageId ?? messageId
    }
    tell({ kind: heard.kind, text: heard.text })
    if (heard.tokens > 0) tell(meter.spend(heard.tokens))
  }

  return {
    hear: (params) => {
      heardAt = performance.now()
      const { sessionId, heard } = readSessionUpdate(params)
      const ours = session === null || sessionId === null || sessionId === session
      if (!begun && heard.kind === 'usage') meter.baseline(heard)
      if (!begun && isSpoken(heard)) {
        isReplayed = true
        onReplay()
      }
      if (!begun || !ours)
        return tell({ kind: 'other', about: heard.kind === 'other' ? heard.about : heard.kind })
      switch (heard.kind) {
        case 'text':
        case 'thought':
          return say(heard)
        case 'tool':
          tool(heard)
          return
        case 'usage':
          resetsAt = heard.resetsAt ?? resetsAt
          if (heard.odd !== null) tell({ kind: 'usage', costUsd: heard.odd.costUsd, tokens: heard.odd.used })
          return tell(meter.report(heard) ?? { kind: 'other', about: 'usage' })
        case 'broken':
          broken = true
          return tell({ kind: 'other', about: 'model failure' })
        case 'compacted':
        case 'other':
          return tell(heard)
      }
    },
    tool,
    told: (id) => tools.get(id)?.told ?? NOTHING_TOLD,
    alive: (about) => tell({ kind: 'other', about }),
    belongsTo: (sessionId) => {
      session = sessionId
    },
    counted: (usage) => meter.earlier(usage),
    isReplayed: async (atMostMs) => {
      const replay = new Promise<void>((resolve) => {
        onReplay = resolve
      })
      if (!isReplayed) await within(replay, atMostMs)
      return isReplayed
    },
    silence: async ({ quietMs, atMostMs }) => {
      const startedAt = performance.now()
      for (;;) {
        const now = performance.now()
        const waitMs = Math.min(Math.max(startedAt, heardAt) + quietMs, startedAt + atMostMs) - now
        if (waitMs <= 0) return
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    },
    begin: () => {
      begun = true
      text = ''
      messageId = null
      toolCalls = 0
      broken = false
      meter.beginTurn()
    },
    turn: () => ({ text: text.slice(-LONGEST_TEXT).trim(), toolCalls }),
    isBroken: () => broken,
    resetsAt: () => resetsAt,
    turnTokens: (total) => tell(meter.endTurn(total)),
    mute: () => {
      muted = true
    },
  }
}

/** What comes after the end of a call says more of it: else it would be taken for one more call, made with nothing. */
const isAfterItsEnd = (
  known: KnownCall | undefined,
  { whole, status }: Extract<HeardUpdate, { kind: 'tool' }>,
): boolean =>
  known !== undefined &&
  isOver(known.call.status) &&
  (status === null || isOver(status)) &&
  whole['sessionUpdate'] === 'tool_call_update'

/** Something that was said or done, and no matter of settings. */
const isSpoken = (heard: HeardUpdate): boolean =>
  heard.kind === 'text' ||
  heard.kind === 'thought' ||
  heard.kind === 'tool' ||
  (heard.kind === 'other' && heard.about === 'user_message_chunk')
