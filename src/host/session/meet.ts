/**
 * What comes in meets what is known of a conversation, and it is said which act is next. It opens nothing, tells nobody
 * and reads no clock. What an act meets in the world (a program that is missing, a run that has moved on) ends it there.
 */
import type { TurnEnd, Update } from '../../drivers/index.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import type { WorktreeSeen } from '../workspace/worktree-seen.ts'
import { type CircleVerdict, verdictOnCircle } from './circle-verdict.ts'
import type { Conversation, Incoming, Next, Picked, TurnSeen } from './conversation.ts'
import { followed, hear } from './ledger.ts'
import { outrun } from './outrun.ts'
import { circleSeen, circleTold, idleSeen, idleTold } from './stuck-text.ts'
import { countAnew, nextTurn, observe } from './watch.ts'

export interface Met {
  readonly conversation: Conversation
  /** In this order. */
  readonly next: readonly Next[]
}

export function meet(conversation: Conversation, incoming: Incoming): Met {
  const becomes = (change: Partial<Conversation>, ...next: Next[]): Met => ({
    conversation: { ...conversation, ...change },
    next,
  })
  const { requests, heard } = conversation
  switch (incoming.kind) {
    case 'duty':
      return wanted(conversation, incoming)
    case 'looked': {
      const { left, following } = incoming
      if (left === 'nothing') return becomes({ following }, { act: 'open' })
      return becomes(
        { following, phase: 'concluding', ending: LEFT_BEFORE },
        { act: 'conclude', end: LEFT_BEFORE },
      )
    }
    case 'opened':
      return becomes({ phase: 'idle' }, { act: 'prompt', memory: incoming.memory })
    case 'program-gone':
      return becomes({ phase: 'closed' }, { act: 'leave' }, { act: 'hand-on' })
    case 'prompted': {
      const { at, told, following } = incoming
      const watched = nextTurn(conversation.watched)
      const unseen = { watched, circleBegan: null, unreadable: null }
      const fresh = { ...unseen, interrupted: false, asking: null, declined: [], remarks: [] }
      // What a person said is news to it, and what it makes of that is not what it did before.
      const idleTurns = told.length > 0 ? 0 : conversation.idleTurns
      // Before its turn: it may compact again in it.
      const turn = { phase: 'turn', aliveAt: at, compacted: false, following } as const
      const isOfThis = told.length === 0 && conversation.unclear?.attempt === conversation.attempt
      const unclear = isOfThis ? conversation.unclear : null
      return becomes({ ...fresh, ...turn, idleTurns, unclear, heard: plus(heard, ...told) }, { act: 'watch' })
    }
    case 'tools':
      return becomes({ tools: conversation.tools === 'listed' ? 'listed' : incoming.seen })
    case 'update':
      return alive(conversation, incoming)
    case 'form-declined':
      return becomes({ declined: [...conversation.declined, incoming.reason].slice(-MAX_DECLINED) })
    case 'unreadable':
      return becomes({ unreadable: incoming.detail })
    case 'raised': {
      const { question, then } = incoming
      const known = [...conversation.watched.open.keys()]
      return becomes({ asking: { question, then, known, told: 0 } })
    }
    case 'requested':
      return becomes({ requests: { ...requests, [incoming.question]: 'open' } })
    case 'request-refused':
      return becomes({ requests: without(requests, incoming.question) })
    case 'decided': {
      const { question } = incoming
      if (requests[question] !== 'open') return becomes(answered(conversation, question))
      return becomes({ requests: { ...requests, [question]: 'answered' } }, { act: 'deliver', question })
    }
    case 'taken-back':
      return becomes({ requests: { ...requests, [incoming.question]: 'open' } })
    case 'closed': {
      const { question } = incoming
      if (requests[question] === undefined) return becomes(answered(conversation, question))
      // The request that was open for it is closed with it: that is how its agent hears of it.
      const reply = { act: 'reply', question, picked: null } as const
      return becomes({ requests: without(requests, question), heard: plus(heard, question) }, reply)
    }
    case 'lapsed':
      return becomes({ heard: plus(heard, incoming.question) })
    case 'delivered': {
      const { question, record } = incoming
      const known = { heard: plus(heard, question), following: followed(record) }
      if (requests[question] === undefined) return becomes(known)
      // By the record: it may have been taken back and answered anew since it was heard of.
      const picked = record === undefined ? null : pickedIn(record)
      return becomes({ ...known, requests: without(requests, question) }, { act: 'reply', question, picked })
    }
    case 'clock':
      return looked(conversation, incoming)
    case 'jumped':
      return becomes({ aliveAt: conversation.aliveAt + incoming.byMs })
    case 'withdrawn':
      // An agent that only waits for a person keeps its turn; every other is stopped.
      return becomes({}, { act: incoming.asked ? 'hold' : 'leave' })
    case 'turn-ended':
      return turnEnded(conversation, incoming)
    case 'concluded': {
      const following = incoming.answered ? null : conversation.following
      const { left, remarks: found, unclear } = incoming
      if (unclear !== null)
        return becomes(
          { phase: 'idle', ending: null, remarks: found, unclear },
          { act: 'prompt', memory: 'live' },
        )
      const { stuck, watched } = conversation
      const idleTurns = left !== conversation.left || watched.news ? 0 : conversation.idleTurns + 1
      const remarks = idleTurns === stuck?.turns ? [...found, idleTold(idleTurns)] : found
      return becomes(
        { phase: 'idle', ending: null, following, left, idleTurns, remarks },
        { act: incoming.wanted ? 'hold' : 'leave' },
      )
    }
  }
}

const pickedIn = ({ pick, note, fields = {} }: DecisionRecord): Picked => ({ pick, note, fields })

/** More of them say nothing new to it. */
const MAX_DECLINED = 5

/** It ended with an answer, or a question, before this host began. */
const LEFT_BEFORE: TurnEnd = { kind: 'ended', reason: 'end_turn', text: '', toolCalls: 1 }

function wanted(before: Conversation, duty: Extract<Incoming, { kind: 'duty' }>): Met {
  const { at, attempt, running, first, unheard, stuck } = duty
  // While a person had the question, silence was what was expected.
  if (before.phase === 'turn')
    return { conversation: { ...before, attempt, stuck, aliveAt: at }, next: [{ act: 'watch' }] }
  // Taking it in was broken off: that is done again, and nothing else.
  if (before.phase === 'concluding' && before.ending !== null)
    return { conversation: { ...before, attempt }, next: [{ act: 'conclude', end: before.ending }] }
  const resumed = running && before.phase === 'closed'
  const conversation = { ...before, attempt, stuck, interrupted: resumed && first }
  if (stuck !== null && !unheard && before.idleTurns >= 2 * stuck.turns) {
    const detail = `It ended ${idleSeen(before.idleTurns)}, also after it was told.`
    return { conversation, next: [{ act: 'break-off', fault: 'stalled', detail }] }
  }
  // What a person decided, it hears first, whatever it answered before that.
  if (resumed && !unheard) return { conversation, next: [{ act: 'look' }] }
  const begin: Next = before.phase === 'closed' ? { act: 'open' } : { act: 'prompt', memory: 'live' }
  return { conversation, next: [{ act: 'clear-answers' }, begin] }
}

function alive(before: Conversation, { at, update }: { readonly at: number; readonly update: Update }): Met {
  const compacted = before.compacted || update.kind === 'compacted'
  const watched = observe(before.watched, update)
  const conversation: Conversation = { ...before, aliveAt: at, watched, compacted }
  const heard = before.following === null ? null : hear(before.following, update, at)
  const outran = before.asking === null ? null : outrun(before.asking, update, at)
  const facts = [...(heard?.facts ?? []), ...(outran?.facts ?? [])]
  const next: Next[] = facts.length === 0 ? [] : [{ act: 'record', facts }]
  if (outran?.isStopped === true) next.push({ act: 'stop' })
  const [following, asking] = [heard?.following ?? null, outran?.asking ?? null]
  return { conversation: { ...conversation, following, asking }, next }
}

/** What it asked needs no waiting for any more. */
const answered = ({ asking }: Conversation, question: string): Partial<Conversation> =>
  asking?.question === question ? { asking: null } : {}

/** How often loops are looked for; only while a turn is open. */
const LOOK_MS = 5_000

function looked(known: Conversation, clock: Extract<Incoming, { kind: 'clock' }>): Met {
  const { at, stallMs, remembers, worktree } = clock
  const { warned } = known
  // While a person decides about a permission, silence is what is expected.
  const aliveAt = Object.keys(known.requests).length > 0 ? at : known.aliveAt
  const before = { ...known, aliveAt }
  const next = (one: Next, conversation: Conversation = before): Met => ({ conversation, next: [one] })
  const stalled = (detail: string): Met => next({ act: 'break-off', fault: 'stalled', detail })
  if (known.unreadable !== null) return next({ act: 'break-off', fault: 'failed', detail: known.unreadable })
  const verdict = circleOf(known, worktree)
  if (verdict.kind === 'look-at-worktree') return next({ act: 'look-at-worktree' })
  if (verdict.kind === 'stuck') {
    const { circle } = verdict
    const seen = circleSeen(circle)
    if (warned || !remembers) return stalled(`It made ${seen}${warned ? ' (it was told so before)' : ''}.`)
    const told = { ...before, aliveAt: at, warned: true, watched: nextTurn(known.watched), circleBegan: null }
    return next({ act: 'interrupt', text: circleTold(circle), seen }, told)
  }
  const silentMs = at - aliveAt
  if (stallMs !== null && silentMs >= stallMs)
    return stalled(`No output and no tool call for ${Math.round(silentMs / 1000)} seconds.`)
  const stallsAt = stallMs === null ? Infinity : aliveAt + stallMs
  const again: Next = { act: 'look-again', at: Math.min(at + LOOK_MS, stallsAt) }
  return next(again, { ...before, ...afterVerdict(known, verdict) })
}

const circleOf = ({ watched, stuck, circleBegan: began }: Conversation, worktree: WorktreeSeen | null) =>
  stuck === null
    ? ({ kind: 'none' } as const)
    : verdictOnCircle({ watched, mostRounds: stuck.calls, began, worktree })

function afterVerdict(
  { watched }: Conversation,
  verdict: Exclude<CircleVerdict, { kind: 'stuck' | 'look-at-worktree' }>,
): Partial<Conversation> {
  switch (verdict.kind) {
    case 'none':
      return { circleBegan: null }
    case 'going-on':
      return {}
    case 'began':
      return { circleBegan: verdict.began }
    case 'progress':
      return { circleBegan: null, watched: countAnew(watched) }
  }
}

function turnEnded(before: Conversation, ended: { readonly end: TurnEnd } & TurnSeen): Met {
  const { end } = ended
  const stays = (act: 'hold' | 'leave' | 'take-answer'): Met => ({ conversation: before, next: [{ act }] })
  const concluding: Met = {
    conversation: { ...before, phase: 'concluding', ending: end },
    next: [{ act: 'conclude', end }],
  }
  switch (ended.by) {
    case 'prompter':
      return concluding
    case 'successor': {
      if (!ended.standing) return stays('leave')
      const { unheard, latest, answered } = ended
      const knows = latest !== null && before.heard.has(latest)
      if (end.kind !== 'ended' || (!unheard && (knows || answered))) return concluding
      const clear: Next[] = unheard ? [{ act: 'clear-answers' }] : []
      const conversation: Conversation = { ...before, phase: 'idle' }
      return { conversation, next: [...clear, { act: 'prompt', memory: 'live' }] }
    }
    case 'nobody':
      if (!ended.standing || end.kind !== 'ended') return stays('leave')
      return stays(ended.asking && ended.answered ? 'take-answer' : 'hold')
  }
}

const plus = (heard: ReadonlySet<string>, ...questions: readonly string[]): ReadonlySet<string> =>
  questions.every((question) => heard.has(question)) ? heard : new Set([...heard, ...questions])

function without(requests: Conversation['requests'], question: string): Conversation['requests'] {
  const { [question]: _, ...others } = requests
  return others
}
