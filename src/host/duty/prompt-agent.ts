/**
 * An agent at work: a session is found or opened, it is told what to do, and what its turn came to is told to the run.
 *
 * After a crash the same duty comes again. What is already answered is taken as it stands; else the session is resumed
 * and told that it was interrupted, or a fresh one gets the whole brief. An agent that asks a person falls asleep: its
 * duty is withdrawn while its turn may go on, and the duty that comes with the answer takes the open turn over.
 */
import type { TurnEnd } from '../../drivers/index.ts'
import { briefOf, readDecision } from '../../engine/index.ts'
import type { RunCommand } from '../../model/command.ts'
import { asksNothing } from '../../model/contract.ts'
import { stepOf } from '../../model/program.ts'
import {
  type AnswerPlaces,
  answerPlaces,
  clearAnswers,
  filesFor,
  findAnswer,
  findDecision,
} from '../answers.ts'
import { briefText, followUpText, type Setting } from '../brief-text.ts'
import { followedAt, latestAnswered, latestLapsed } from '../ledger.ts'
import type { LoadedRun } from '../loaded-run.ts'
import { addressOf, type Seat } from '../seat.ts'
import { NOTHING_SEEN } from '../watch.ts'
import { worldOf } from '../world.ts'
import { attend } from './attend.ts'
import { boundaryNow } from './boundary.ts'
import { conclude } from './conclude.ts'
import { standing, type Tools } from './duty.ts'
import { clearGround } from './leftovers.ts'
import { openSession } from './open-session.ts'
import { momentsOf, primed } from './prime.ts'
import { failed, type Prompting, parked } from './prompting.ts'
import { undelivered } from './undelivered.ts'
import { lastAtWork } from './working-time.ts'

export async function promptAgent(tools: Tools, work: Prompting): Promise<void> {
  // Until its last turn's answer is put away, what it writes in the next would be put away with it.
  await tools.seats.find(seatAddress(work))?.concluding?.catch(() => {})
  const found = await standing(tools, work)
  if (found === null) return
  // Whose session lives has its place, and git would take longer to say so than all the rest.
  if (tools.seats.find(seatAddress(work))?.session == null) {
    const place = await tools.workplaces.ensure(found)
    if ('problem' in place) return failed(tools, work, place.problem)
  }
  const loaded = await clearGround(tools, work, found)
  if (loaded === null) return
  const member = memberOf(loaded, work)

  const places = answerPlaces(tools.surroundings.home, loaded, seatAddress(work))
  const live = tools.seats.find(seatAddress(work))
  if (live?.turn != null) return takeOver(tools, work, live, places)
  const resumed = member.runningSince !== null && live === undefined
  if (resumed) await takeUpAgain(tools, work, loaded)
  const unheard = isUnheard(loaded, work)
  if (resumed && !unheard && ((await isAnswered(loaded, work, places)) || (await hasAsked(loaded, places))))
    return conclude(tools, work, { end: ALREADY_DONE, places, seat: null })
  if (!resumed || unheard) await clearAnswers(places)

  const seated = await seatFor(tools, work, loaded)
  if (seated === null) return
  const interrupted = resumed && member.turn === 1
  await promptAndConclude(tools, work, { ...seated, places, interrupted })
}

/** While nobody hosted, nobody worked. */
async function takeUpAgain(tools: Tools, work: Prompting, loaded: LoadedRun): Promise<void> {
  const { step, visit, member, attempt } = work.duty
  const runningSince = memberOf(loaded, work).runningSince!
  const since = lastAtWork(tools, loaded, { member, runningSince })
  const at = tools.clock.now()
  await tools.runs.tell(work.run, [{ type: 'attempt.resume', at, step, visit, member, attempt, since }])
}

const ALREADY_DONE: TurnEnd = { kind: 'ended', reason: 'end_turn', text: '', toolCalls: 1 }

const seatAddress = ({ run, duty: { step, visit, member } }: Prompting) => ({ run, step, visit, member })

const memberOf = ({ state }: LoadedRun, { duty }: Prompting) => state.current!.members[duty.member]!

/** What a person decided has not reached it: whatever it answered before that, it hears them first. */
function isUnheard({ state, book }: LoadedRun, work: Prompting): boolean {
  const question = latestAnswered(state, seatAddress(work))
  return question !== null && book.records[question]?.status === 'answered'
}

/** The turn ended before the crash, and its answer lies there. */
async function isAnswered(
  { program }: LoadedRun,
  { duty }: Prompting,
  places: AnswerPlaces,
): Promise<boolean> {
  if (asksNothing(stepOf(program, duty.step).contract)) return false
  const { given } = await findAnswer(places, '')
  return given.kind === 'value'
}

/** It ended with a decision for a person, which nobody has read yet. */
async function hasAsked({ program }: LoadedRun, places: AnswerPlaces): Promise<boolean> {
  const file = await findDecision(places)
  return file.kind === 'decision' && 'decision' in readDecision(program, file.payload)
}

/** A person has answered what was asked in a turn that is still open. */
async function takeOver(tools: Tools, work: Prompting, seat: Seat, places: AnswerPlaces): Promise<void> {
  // While a person had the question, silence was what was expected.
  seat.aliveAt = tools.clock.now()
  const end = await attend(tools, work, seat)
  if (end === null) return
  const loaded = await standing(tools, work)
  if (loaded === null) return tools.seats.leave(seat)
  const { given } = await findAnswer(places, '')
  // Looked at only now: the duty may be here before the word on a permission is.
  const unheard = isUnheard(loaded, work)
  const latest = latestLapsed(loaded, seat) ?? (await answeredTo(tools, seat))
  const knows = latest !== null && seat.heard.has(latest)
  if (end.kind !== 'ended' || (!unheard && (knows || given.kind !== 'nothing')))
    return conclude(tools, work, { end, places, seat })
  if (unheard) await clearAnswers(places)
  const seated = await seatFor(tools, work, loaded)
  if (seated !== null) await promptAndConclude(tools, work, { ...seated, places, interrupted: false })
}

/** The decision of its own that a person answered last; null where there is none, or where it is being asked anew. */
async function answeredTo(tools: Tools, seat: Seat): Promise<string | null> {
  const state = (await tools.runs.load(seat.run))?.state
  const member = state?.current?.members[seat.member]
  return state === undefined || member === undefined || member.turn === 1 ? null : latestAnswered(state, seat)
}

/** What the session knows: nothing, all it was told before it was closed, or it was never away. */
type SessionKind = 'fresh' | 'reopened' | 'live'

interface Prompted {
  readonly seat: Seat
  readonly places: AnswerPlaces
  readonly session: SessionKind
  readonly interrupted: boolean
}

async function promptAndConclude(tools: Tools, work: Prompting, prompted: Prompted): Promise<void> {
  const { seat, places } = prompted
  const loaded = await standing(tools, work)
  if (loaded === null) return tools.seats.leave(seat)
  const text = await textFor(tools, work, { ...prompted, loaded })
  const digest = await tools.journal.keep(new TextEncoder().encode(text))
  const answered = work.duty.attempt === seat.attempt ? await answeredTo(tools, seat) : null
  const news = answered !== null && !seat.heard.has(answered) ? answered : null
  const begun = await tools.runs.tell(work.run, beginning(tools, seat, { loaded, digest, news }))
  // Refused, too, where the answer was taken back while this was being made ready.
  if (!('loaded' in begun) || work.signal.aborted) return tools.seats.leave(seat)
  seat.remarks = []
  seat.watched = NOTHING_SEEN
  seat.aliveAt = tools.clock.now()
  for (const told of [news, latestLapsed(begun.loaded, seat)]) if (told !== null) seat.heard.add(told)
  seat.following = followedAt(begun.loaded, seat)
  // Before its turn: it may compact again in it.
  seat.compacted = false
  seat.turn = seat.session!.prompt(text)
  const end = await attend(tools, work, seat)
  if (end !== null) await conclude(tools, work, { end, places, seat })
}

/** Told before it happens: what is in the journal as delivered may come twice, and what is not cannot have come. */
function beginning(
  { clock }: Tools,
  seat: Seat,
  {
    loaded,
    digest,
    news,
  }: { readonly loaded: LoadedRun; readonly digest: string; readonly news: string | null },
): RunCommand[] {
  const at = clock.now()
  const session = seat.session?.id ?? null
  const { step, visit, member } = seat
  const boundary = loaded.boundary === undefined ? { boundary: boundaryNow(loaded) } : {}
  const deliver = { type: 'question.deliver', at, session, via: 'prompt' } as const
  return [
    ...(news === null ? [] : [{ ...deliver, question: news }]),
    { type: 'attempt.begin', at, ...addressOf(seat), session },
    {
      type: 'run.record',
      at,
      facts: [{ type: 'agent.prompted', at, step, visit, member, digest, ...boundary }],
    },
  ]
}

/** The live session of the seat, or one opened now; null when that failed and the run was told so. */
async function seatFor(
  tools: Tools,
  work: Prompting,
  loaded: LoadedRun,
): Promise<{ readonly seat: Seat; readonly session: SessionKind } | null> {
  const { duty } = work
  const address = seatAddress(work)
  const live = tools.seats.find(address)
  if (live?.session?.isOpen()) {
    live.attempt = duty.attempt
    return { seat: live, session: 'live' }
  }
  // Its program ended while nobody spoke with it: another goes on with the conversation.
  if (live !== undefined) await tools.seats.leave(live)
  const use = loaded.program.agents[duty.agent]?.use ?? 'default'
  const program = tools.programFor(use, loaded.placed.placement.repo)
  if (program === null) {
    await failed(
      tools,
      work,
      `No program is configured for \`use: ${use}\`. Add it to the config, then retry.`,
    )
    return null
  }
  const seat = tools.seats.take(address, duty.agent)
  seat.attempt = duty.attempt
  const resume = memberOf(loaded, work).session
  const opened = await openSession(tools, { loaded, seat, program, resume })
  if ('trouble' in opened) {
    await tools.seats.leave(seat)
    if (opened.trouble === 'limited') await parked(tools, work, opened.until)
    else await undelivered(tools, work, `${program.name} could not be started: ${opened.detail}`)
    return null
  }
  seat.session = opened.session
  if (work.signal.aborted) {
    await tools.seats.leave(seat)
    return null
  }
  const { step, visit, member } = address
  const { agent, id, resumed } = opened.session
  const at = tools.clock.now()
  const { name, version, model } = agent
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
    confined: seat.confined,
  } as const
  await tools.runs.tell(work.run, [{ type: 'run.record', at, facts: [{ ...fact, session: id, resumed }] }])
  return { seat, session: resumed ? 'reopened' : 'fresh' }
}

async function textFor(
  tools: Tools,
  work: Prompting,
  about: Prompted & { readonly loaded: LoadedRun },
): Promise<string> {
  const { loaded, seat, places, interrupted } = about
  const { placement, issue } = loaded.placed
  const { duty } = work
  const member = memberOf(loaded, work)
  const session = seat.session?.id ?? ''
  const use = loaded.program.agents[duty.agent]?.use ?? 'default'
  const agent = { id: seat.token.slice(0, 8), name: duty.agent, use, session }
  const told = briefOf(loaded.program, loaded.state, duty.member, worldOf(loaded, agent))
  const message = [told.message, ...seat.remarks].filter((part) => part !== '').join('\n\n')
  const brief = { ...told, message }
  const files = filesFor(places, seat.confined)
  const sentBack = member.returns + member.holds > 0 && member.attempt > 1
  const setting: Setting = {
    run: loaded.run,
    step: duty.step,
    visit: duty.visit,
    worktree: placement.worktree,
    branch: placement.branch,
    artifacts: worldOf(loaded)({ kind: 'run', field: 'dir' })!,
    answerFile: files.answer,
    decisionFile: files.decision,
    mcp: seat.tools !== 'unseen',
    primed: await primed(tools, work, {
      loaded,
      agent,
      sources: momentsOf({ session: about.session, compacted: seat.compacted, sentBack }),
    }),
    issue,
    decided: decidedAt(loaded, duty.step),
    pause: interrupted ? 'interrupted' : member.limited && member.turn > 1 ? 'limited' : 'none',
  }
  // Some agents lose the turn that was interrupted, and with it the brief.
  const knows = about.session !== 'fresh' && !interrupted
  return knows ? followUpText(brief, setting) : briefText(brief, setting)
}

/** What people have already decided for this step's agents, so that nobody is asked twice. */
const decidedAt = ({ book }: LoadedRun, step: string): string[] =>
  Object.values(book.records).flatMap(({ cause, by, shown, pick, edited, note, ...record }) => {
    if (cause !== 'agent' || record.step !== step || by === null) return []
    const option = shown.options.find(({ key }) => key === pick)
    const meaning = edited ?? option?.body ?? ''
    return [
      [`- ${shown.headline}: ${option?.label ?? '(none of the options)'}`, meaning, note]
        .filter((text) => text !== '')
        .join('. '),
    ]
  })
