/**
 * The one owner of an agent's conversation: nobody else has a hand in what it keeps. It outlives a single prompt, because
 * an agent that is sent back, or whose question was answered, goes on in the same conversation; it never outlives its
 * visit. What comes in is met by `meet.ts`; what that says is done here and in `attend.ts`, at the edges. All of it can
 * be lost in a crash: the session's id, and what it was told and reported, are in the journal.
 */
import { randomBytes } from 'node:crypto'
import type { AgentSession, Opened, TurnEnd, Update } from '../../drivers/index.ts'
import { firstCharacters } from '../../model/characters.ts'
import type { Address, RunCommand } from '../../model/command.ts'
import type { RunEvent } from '../../model/event.ts'
import type { Holder } from '../../model/fact.ts'
import { type Along, deliver, NOTHING_ALONG } from '../inbox/deliver.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { stateAfter } from '../streams/streams.ts'
import type { AgentProgram } from './agent-program.ts'
import { createBackground } from './background.ts'
import { type Conversation, type Incoming, NEW_CONVERSATION, type Next } from './conversation.ts'
import type { Edges } from './edges.ts'
import { createUpdateLog } from './log-update.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { meet } from './meet.ts'
import { openProgram, untilToolsListed } from './open-program.ts'
import { createOpenRequests } from './open-requests.ts'
import { answerForm, answerPermission } from './requests.ts'
import type { Seat } from './seat.ts'
import { createUsageSum, usedCommands } from './usage-sum.ts'

export interface Session {
  readonly seat: Seat
  readonly agent: string
  readonly token: string
  /** What is known of the conversation now. */
  now(): Conversation
  /** Where it is, as commands name it. */
  address(): Address
  /** What holds the program it has. */
  confined(): Holder
  /** What its program calls this session; null where it has no name, or there is none. */
  id(): string | null
  /** One thing at a time. */
  readonly inOrder: Mailbox
  take(incoming: Incoming): readonly Next[]
  hear(event: Extract<RunEvent, { type: 'question.answered' | 'question.closed' }>): void
  /** The one way an answer gets to its agent: first recorded as given, with all that happens in the same breath. */
  deliver(
    question: string | null,
    via: 'prompt' | 'wait' | 'permission',
    along?: Along,
  ): Promise<LoadedRun | null>
  open(loaded: LoadedRun, program: AgentProgram, resume: string | null): Promise<Opened>
  /** Whether each prompt comes to a program that knows nothing of the ones before. */
  forgets(): boolean
  isOpen(): boolean
  /** Begins a turn. */
  say(text: string): void
  /** Stops the open turn and begins another in its place; false: its program did not obey, or is gone. */
  interrupt(text: string): Promise<boolean>
  /** The open turn, or one whose end nobody has looked at; and that it was. */
  turn(): Promise<TurnEnd> | null
  turnSeen(): void
  /** Resolves when all that it did in its turn is in the journal. */
  written(): Promise<unknown>
  isOver(): boolean
  /** Ends the agent and everything it started. */
  leave(): Promise<void>
}

export interface SessionOptions {
  readonly edges: Edges
  readonly seat: Seat
  readonly agent: string
  /** It is over; what is given ends when its program has. */
  readonly onLeave: (session: Session, closing: Promise<void>) => void
}

export function createSession({ edges, seat, agent, onLeave }: SessionOptions): Session {
  const { clock, runs } = edges
  const { run, step, visit, member } = seat
  const token = randomBytes(32).toString('base64url')
  const inOrder = createMailbox()
  const background = createBackground()
  const log = createUpdateLog(edges.log, { ...seat, agent })
  const usage = createUsageSum((used) => runs.execute(run, usedCommands(used, clock.now(), address())))
  let conversation: Conversation = NEW_CONVERSATION
  let program: AgentSession | null = null
  let confined: Holder = 'none'
  let turn: Promise<TurnEnd> | null = null
  let opening: Promise<unknown> = Promise.resolve()
  const leaving = new AbortController()
  let onTools = (): void => {}

  const address = (): Address => ({ step, visit, member, attempt: conversation.attempt })
  const isClosed = (): boolean => conversation.phase === 'closed'
  const requests = createOpenRequests(edges, { run, address, isClosed, take })

  function take(incoming: Incoming): readonly Next[] {
    const met = meet(conversation, incoming)
    const news = met.conversation.tools !== conversation.tools
    conversation = met.conversation
    if (news) onTools()
    return met.next.filter((next) => !done(next))
  }

  /** What can be done at once, whoever brought it in. */
  function done(next: Next): boolean {
    if (next.act === 'record')
      background.add(runs.execute(run, [{ type: 'run.record', at: clock.now(), facts: next.facts }]))
    else if (next.act === 'reply') requests.reply(next.question, next.picked)
    else if (next.act === 'stop') background.add(session.leave())
    else if (next.act === 'deliver') background.add(inOrder(() => deliverRequest(next.question)))
    else return false
    return true
  }

  const deliverTo: Session['deliver'] = async (question, via, { commands, keep } = NOTHING_ALONG) => {
    const record = (...given: RunCommand[]) => runs.execute(run, [...given, ...commands], { keep })
    if (question === null) return stateAfter(await record())
    const loaded = await deliver(clock, { question, session: program?.id ?? null, via, record })
    // What goes with a prompt is known to have been told when the prompt is on its way.
    if (via === 'prompt') return loaded
    if (loaded !== null) take({ kind: 'delivered', question, record: loaded.book.records[question] })
    else if (via === 'permission') take({ kind: 'taken-back', question })
    return loaded
  }

  /** What cannot be recorded as given is not given, and its agent does not wait for it for ever. */
  const deliverRequest = async (question: string): Promise<void> => {
    if (leaving.signal.aborted) return
    await deliverTo(question, 'permission').catch((error: unknown) => {
      take({ kind: 'request-refused', question })
      requests.reply(question, null)
      throw error
    })
  }

  const onDeclined = (reason: string): void => {
    take({ kind: 'form-declined', reason })
    const text = `${step}: a form of ${agent} did not get its answer: ${firstCharacters(reason, 500)}`
    const at = clock.now()
    background.add(runs.execute(run, [{ type: 'run.record', at, facts: [{ type: 'host.noted', at, text }] }]))
  }

  /** A sign of life: watched, logged, and its price told to the run. What throws here would end the host, and everybody's work. */
  function live(update: Update): void {
    try {
      take({ kind: 'update', at: clock.now(), update })
      log(update)
      if (update.kind === 'usage') background.add(usage.add(update))
    } catch (error) {
      take({ kind: 'unreadable', detail: `What it sent could not be dealt with: ${String(error)}` })
    }
  }

  const open: Session['open'] = (...about) => {
    const opened = openOnce(...about)
    opening = opened.catch(() => {})
    return opened
  }

  const openOnce: Session['open'] = async (loaded, which, resume) => {
    const about = { loaded, seat, agent, token, program: which, resume, left: leaving.signal }
    const { opened, held } = await openProgram(edges, {
      ...about,
      onUpdate: live,
      onPermission: (request) => answerPermission({ agent, ask: requests.ask, ...request }),
      onElicitation: (form) => answerForm({ agent, form, ask: requests.ask, onDeclined }),
      onFormDeclined: onDeclined,
    })
    if (!('session' in opened)) return opened
    program = opened.session
    confined = held
    if (edges.mcpUrl() !== null && which.driver !== 'command')
      await untilToolsListed(clock, {
        seen: () => conversation.tools,
        left: leaving.signal,
        onChange: (listener) => {
          onTools = listener
        },
      })
    // Left while it was being opened.
    if (leaving.signal.aborted) await program.close()
    return opened
  }

  const session: Session = {
    seat,
    agent,
    token,
    now: () => conversation,
    address,
    confined: () => confined,
    id: () => program?.id ?? null,
    inOrder,
    take,
    hear: ({ type, question }) =>
      void take({ kind: type === 'question.closed' ? 'closed' : 'decided', question }),
    deliver: deliverTo,
    open,
    forgets: () => program?.forgets === true,
    isOpen: () => program?.isOpen() ?? false,
    say: (text) => {
      turn = program!.prompt(text)
    },
    interrupt: async (text) => {
      await program?.cancel()
      turn = leaving.signal.aborted || program?.isOpen() !== true ? null : program.prompt(text)
      return turn !== null
    },
    turn: () => turn,
    turnSeen: () => {
      turn = null
    },
    written: background.settled,
    isOver: () => leaving.signal.aborted,
    leave: async () => {
      leaving.abort()
      requests.dropAll()
      const closing = opening.then(() => program?.close())
      onLeave(session, closing)
      await closing
    },
  }
  return session
}
