/** One conversation with one agent: a prompt at a time, each to its end. */
import { methods, type PromptResponse } from '@agentclientprotocol/sdk'
import type { AgentSession, TurnEnd } from '../driver.ts'
import { errorText, meaningOfError } from '../error-meaning.ts'
import { readUsageLimit } from '../usage-limit.ts'
import type { AcpConversation } from './conversation.ts'
import { LATE, within } from './deadline.ts'
import type { Handshake } from './handshake.ts'
import type { AgentLink, LinkAnswer } from './link.ts'
import { loginAdvice } from './login-advice.ts'
import type { PermissionDesk } from './permission-desk.ts'
import { record, tokensIn } from './session-update.ts'

export interface AcpSessionOptions {
  readonly link: AgentLink
  readonly conversation: AcpConversation
  readonly desk: PermissionDesk
  readonly handshake: Handshake
  /** Longest wait for the answer to a cancelled prompt. */
  readonly cancelMs: number
}

interface OpenTurn {
  cancelling: boolean
  readonly ended: Promise<void>
  readonly end: () => void
  readonly abandoned: Promise<typeof LATE>
  readonly abandon: () => void
}

export function createSession(options: AcpSessionOptions): AgentSession {
  const { link, conversation, desk, handshake, cancelMs } = options
  const sessionId = handshake.id
  let turn: OpenTurn | null = null
  let replays = handshake.replays
  // Why no prompt can be sent any more.
  let over: string | null = null
  let closing: Promise<void> | null = null

  async function play(text: string, open: OpenTurn): Promise<TurnEnd> {
    if (replays) await conversation.silence(REPLAY)
    replays = false
    if (open.cancelling) return { kind: 'ended', reason: 'cancelled', text: '', toolCalls: 0 }
    conversation.begin()
    const asked = link.ask(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
    const answer = await Promise.race([asked, open.abandoned])
    if (answer === LATE) return { kind: 'ended', reason: 'cancelled', ...conversation.turn() }
    if (answer.kind === 'gone') {
      over = await link.epitaph()
      return { kind: 'crashed', detail: over }
    }
    if (answer.kind === 'answer') conversation.turnTokens(tokensOf(answer.value))
    if (open.cancelling) return { kind: 'ended', reason: 'cancelled', ...conversation.turn() }
    const about = { ...conversation.turn(), program: handshake.agent.name, resetsAt: conversation.resetsAt() }
    const end = endOf(answer, about)
    return end.kind === 'ended' && conversation.isBroken()
      ? { kind: 'crashed', detail: `The model failed: ${end.text}` }
      : end
  }

  async function cancel(): Promise<void> {
    const open = turn
    if (open === null) return
    if (!open.cancelling) {
      open.cancelling = true
      link.cancel({ sessionId })
      desk.cancelAll()
    }
    if ((await within(open.ended, cancelMs)) !== LATE) return
    // A second prompt beside the unanswered one would be queued, refused or mixed up: this session ends here.
    over = `The agent did not answer within ${cancelMs} ms of being cancelled.`
    open.abandon()
    await open.ended
    await link.stop()
  }

  async function shut(): Promise<void> {
    await cancel()
    over ??= 'The session is closed.'
    if (handshake.closable) await within(link.ask(methods.agent.session.close, { sessionId }), CLOSE_MS)
    conversation.mute()
    desk.cancelAll()
    await link.stop()
  }

  return {
    id: sessionId,
    agent: handshake.agent,
    resumed: handshake.resumed,
    isOpen: () => over === null && link.isUp(),
    prompt: async (text) => {
      if (turn !== null) throw new Error('A prompt is already open in this session.')
      if (over !== null) return { kind: 'crashed', detail: over }
      const open = openTurn()
      turn = open
      desk.reopen()
      try {
        return await play(text, open)
      } finally {
        turn = null
        open.end()
      }
    },
    cancel,
    close: () => {
      closing ??= shut()
      return closing
    },
  }
}

const REPLAY = { quietMs: 100, atMostMs: 2_000 }
const CLOSE_MS = 2_000

function openTurn(): OpenTurn {
  let end = (): void => {}
  let abandon = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const abandoned = new Promise<typeof LATE>((resolve) => {
    abandon = () => resolve(LATE)
  })
  return { cancelling: false, ended, end, abandoned, abandon }
}

interface SaidInTurn {
  readonly text: string
  readonly toolCalls: number
  readonly program: string
  /** When the limit resets that it told of beside its messages; null where it told of none. */
  readonly resetsAt: number | null
}

function endOf(
  answer: Exclude<LinkAnswer<PromptResponse>, { kind: 'gone' }>,
  { program, resetsAt, ...said }: SaidInTurn,
): TurnEnd {
  if (answer.kind === 'refused') {
    const { error } = answer
    const meaning = meaningOfError(error, Date.now())
    if (meaning.kind === 'limited')
      return { kind: 'limited', detail: errorText(error), until: meaning.until ?? resetsAt }
    const isLogin = meaning.kind === 'login'
    return { kind: 'crashed', detail: isLogin ? loginAdvice({ program, error, ways: [] }) : errorText(error) }
  }
  const reason = REASONS.find((known) => known === answer.value.stopReason) ?? 'end_turn'
  const limit = reason === 'cancelled' ? null : readUsageLimit(said.text, Date.now())
  if (limit !== null) return { kind: 'limited', detail: said.text, until: limit.until ?? resetsAt }
  return { kind: 'ended', reason, ...said }
}

const REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'] as const

/** Not in the stable schema yet, and sent by most; by some among what is theirs alone. */
function tokensOf(response: PromptResponse): number {
  const { usage, _meta } = record(response)
  return tokensIn(record(usage)) || tokensIn(record(record(record(_meta)['quota'])['token_count']))
}
