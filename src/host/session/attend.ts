/**
 * The duty to have an agent at work, done with its session: act after act, as `meet.ts` says.
 *
 * After a crash the same duty comes again. What is already answered is taken as it stands; else the session is resumed
 * and told that it was interrupted, or a fresh one gets the whole brief. An agent that asks a person falls asleep: its
 * duty is withdrawn while its turn may go on, and the duty that comes with the answer takes the open turn over.
 */
import { bytesDigest } from '../../journal/index.ts'
import { standing } from '../duty/duty.ts'
import { brokenOff, type OtherSeats, prepareWorkspace } from '../duty/leftovers.ts'
import { orNoRoom, untilRoom } from '../duty/patience.ts'
import type { ClockJump } from '../machine/clock-jump.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { afterBug } from './after-bug.ts'
import { answerFilesOf, clearAnswers } from './answer-files.ts'
import { conclude } from './conclude.ts'
import type { Next, TurnSeen } from './conversation.ts'
import type { Edges } from './edges.ts'
import { whatWasLeft } from './find-answer.ts'
import { interrupt } from './interrupt.ts'
import { decidedTo, followedAt, isUnheard, latestLapsed } from './ledger.ts'
import { letGo } from './let-go.ts'
import { beginning, promptText } from './prompt.ts'
import { agentStepOf, failed, type Prompting, parked } from './prompting.ts'
import type { Session } from './session.ts'
import { successorSees } from './successor.ts'
import { undelivered } from './undelivered.ts'
import { watchTurn } from './watch-turn.ts'
import { lastAtWork, skipTime } from './working-time.ts'

export interface Attending {
  readonly session: Session
  readonly work: Prompting
  readonly others: OtherSeats
  /** Has another session take the duty up from its beginning. */
  readonly handOn: (work: Prompting) => Promise<void>
}

type Acts = readonly Next[]
const NOTHING_MORE: Acts = []

export async function attend(edges: Edges, attending: Attending): Promise<void> {
  const { session } = attending
  const leaveUnopened = async (): Promise<void> => {
    if (session.now().phase === 'closed' && !session.isOver()) await session.leave()
  }
  const isHandedOn = await actUntilDone(edges, attending).catch(async (error: unknown) => {
    await leaveUnopened()
    throw await afterBug(session, error)
  })
  await leaveUnopened()
  if (isHandedOn) await attending.handOn(attending.work)
}

/** True: this session is no longer the one to do it. */
async function actUntilDone(edges: Edges, attending: Attending): Promise<boolean> {
  const { session } = attending
  let isItsTurn = false
  // Until its last turn's answer is put away, what it writes in the next would be put away with it.
  let acts = await session.inOrder(() => arrive(edges, attending))
  while (acts.length > 0) {
    let then = NOTHING_MORE
    for (const next of acts) {
      if (next.act === 'hand-on') return true
      if (next.act === 'prompt') isItsTurn = true
      then =
        next.act === 'watch'
          ? await watch(edges, attending, isItsTurn)
          : await session.inOrder(() => perform(edges, attending, next))
    }
    acts = then
  }
  return false
}

async function arrive(edges: Edges, { session, work, others }: Attending): Promise<Acts> {
  const { workplaces, clock, runs } = edges
  // Left while this waited for its turn.
  if (session.isOver()) return session.take({ kind: 'program-gone' })
  const found = await standing(edges, work)
  if (found === null) return NOTHING_MORE
  if (session.now().phase !== 'turn') {
    // What is under way goes on to the end of its turn; nothing more is begun.
    const until = await edges.closedUntil()
    if (until !== null) return over(parked(edges, work, { until, reason: 'day-limit' }))
  }
  // Whose session lives has its place, and git would take longer to say so than all the rest.
  if (session.now().phase === 'closed') {
    const place = await workplaces.ensure(found)
    if ('problem' in place) return over(failed(edges, work, place.problem))
  }
  const loaded = await prepareWorkspace({ ...edges, others }, work, found)
  if (loaded === null) return NOTHING_MORE
  const { runningSince, turn } = memberOf(loaded, work)
  const { step, visit, member, attempt } = work.duty
  const at = clock.now()
  if (runningSince !== null && session.now().phase === 'closed') {
    // While nobody hosted, nobody worked.
    const since = lastAtWork(edges, loaded, { member, runningSince })
    await runs.execute(work.run, [{ type: 'attempt.resume', at, step, visit, member, attempt, since }])
  }
  const unheard = isUnheard(loaded, session.seat)
  const { stuck } = agentStepOf(loaded, step).members[member]!
  return session.take({
    kind: 'duty',
    at,
    attempt,
    running: runningSince !== null,
    first: turn === 1,
    unheard,
    // A run that began before there was such a limit has none.
    stuck: stuck ?? null,
  })
}

async function perform(edges: Edges, attending: Attending, next: Next): Promise<Acts> {
  const { session, work } = attending
  const loaded = await standing(edges, work)
  if (loaded === null) return over(session.leave())
  switch (next.act) {
    case 'look': {
      const left = await whatWasLeft(edges, loaded, session.seat)
      return session.take({ kind: 'looked', left, following: followedAt(loaded, session.seat) })
    }
    case 'clear-answers':
      return over(edges.storage.patiently(() => clearAnswers(answerFilesOf(edges, loaded, session.seat))))
    case 'open':
      return open(edges, attending, loaded)
    case 'prompt':
      // One that was opened for this and is gone already is told as what it is by its first turn.
      if (next.memory === 'live' && !session.isOpen()) return session.take({ kind: 'program-gone' })
      return prompt(edges, attending, { loaded, memory: next.memory })
    case 'conclude': {
      const files = answerFilesOf(edges, loaded, session.seat)
      return session.take(await conclude(edges, { session, work, loaded, files, end: next.end }))
    }
    case 'break-off': {
      const { fault, detail } = next
      await session.leave()
      return over(brokenOff(edges, work, { fault, detail }))
    }
    case 'leave':
      return over(session.leave())
    default:
      return NOTHING_MORE
  }
}

async function open(edges: Edges, { session, work }: Attending, loaded: LoadedRun): Promise<Acts> {
  const { duty, run } = work
  const use = loaded.program.agents[duty.agent]?.use ?? 'default'
  const program = edges.programFor(use, loaded.placed.placement.repo)
  if (program === null)
    return over(
      failed(edges, work, `No program is configured for \`use: ${use}\`. Add it to the config, then retry.`),
    )
  await untilRoom(edges, loaded)
  const leave = (): void => void session.leave()
  work.signal.addEventListener('abort', leave)
  const opened = await session.open(loaded, program, memberOf(loaded, work).session)
  work.signal.removeEventListener('abort', leave)
  if ('trouble' in opened) {
    const isUnwanted = work.signal.aborted || session.isOver()
    await session.leave()
    // Nobody's fault: it was ended before it could say a word.
    if (isUnwanted) return NOTHING_MORE
    const lack = opened.trouble === 'limited' ? null : orNoRoom(edges, loaded, opened.detail)
    if (lack !== null) throw lack
    if (opened.trouble === 'limited') return over(parked(edges, work, { until: opened.until }))
    return over(undelivered(edges, work, `${program.name} could not be started: ${opened.detail}`))
  }
  if (work.signal.aborted || session.isOver()) return over(session.leave())
  const { agent, id, resumed } = opened.session
  const { name, version, model } = agent
  const at = edges.clock.now()
  const { step, visit, member } = duty
  const fact = {
    type: 'session.opened',
    at,
    step,
    visit,
    member,
    agent: duty.agent,
    program: name,
    version,
    ...(model === undefined ? {} : { model }),
    confined: session.confined(),
    session: id,
    resumed,
  } as const
  await edges.runs.execute(run, [{ type: 'run.record', at, facts: [fact] }])
  return session.take({ kind: 'opened', memory: resumed ? 'reopened' : 'fresh' })
}

async function prompt(
  edges: Edges,
  { session, work }: Attending,
  about: { readonly loaded: LoadedRun; readonly memory: 'fresh' | 'reopened' | 'live' },
): Promise<Acts> {
  const { loaded, memory } = about
  const files = answerFilesOf(edges, loaded, session.seat)
  const text = await promptText(edges, { session, work, loaded, memory, files })
  const bytes = new TextEncoder().encode(text)
  const decided = decidedTo((await edges.runs.load(work.run))?.state, session.seat)
  const news = decided !== null && !session.now().heard.has(decided) ? decided : null
  const commands = beginning({ session, loaded, digest: bytesDigest(bytes), at: edges.clock.now() })
  const begun = await session.deliver(news, 'prompt', { commands, keep: [bytes] })
  // Refused, too, where the answer was taken back while this was being made ready.
  if (begun === null || work.signal.aborted) return over(session.leave())
  const told = [news, latestLapsed(begun, session.seat)].flatMap((question) => question ?? [])
  const following = followedAt(begun, session.seat)
  const next = session.take({ kind: 'prompted', at: edges.clock.now(), told, following })
  session.say(text)
  return next
}

/** Until the turn ends, nobody wants it any more, or it shows that it never will end by itself. */
async function watch(edges: Edges, attending: Attending, isItsTurn: boolean): Promise<Acts> {
  const { session, work } = attending
  const turn = session.turn()
  if (turn === null) return NOTHING_MORE
  const loaded = await edges.runs.load(work.run)
  const { stallMs } = agentStepOf(loaded!, work.duty.step).members[work.duty.member]!
  const told: Promise<unknown>[] = []
  const onJump = (jump: ClockJump): void => void told.push(skipTime(edges, attending, jump))
  const happened = await watchTurn(edges, { session, work, turn, stallMs, onJump })
  // Not even a moment later where there was none: whoever takes the turn over must not overtake this.
  if (told.length > 0) await Promise.all(told)
  if (happened === 'lost') return over(letGo(edges, { session, work, turn }))
  if ('act' in happened)
    return [
      happened.act === 'interrupt' ? await interrupt(edges, { session, work, next: happened }) : happened,
    ]
  await session.written()
  return session.inOrder(async () => {
    const seen: TurnSeen = isItsTurn ? { by: 'prompter' } : await successorSees(edges, session, work)
    const next = session.take({ kind: 'turn-ended', end: happened, ...seen })
    session.turnSeen()
    // Without a pause: nobody may find it neither at work nor concluding.
    const [first] = next
    return first?.act === 'conclude' ? perform(edges, attending, first) : next
  })
}

const memberOf = ({ state }: LoadedRun, { duty }: Prompting) => state.current!.members[duty.member]!

async function over(last: Promise<unknown>): Promise<Acts> {
  await last
  return NOTHING_MORE
}
