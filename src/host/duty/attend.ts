/** Watches over an open turn until it ends, nobody wants it any more, or it shows that it never will end by itself. */
import type { TurnEnd } from '../../drivers/index.ts'
import { answerPlaces, clearAnswers, findAnswer } from '../answers.ts'
import { addressOf, type Seat } from '../seat.ts'
import { isGoingInCircles, MOST_REPEATS } from '../watch.ts'
import type { Tools } from './duty.ts'
import { brokenOff, takeInLeftovers } from './leftovers.ts'
import { agentStepOf, type Prompting } from './prompting.ts'

/** Null: there is nothing left to conclude here. */
export async function attend(tools: Tools, work: Prompting, seat: Seat): Promise<TurnEnd | null> {
  const turn = seat.turn
  if (turn === null) return null
  const loaded = await tools.runs.load(work.run)
  const { stallMs } = agentStepOf(loaded!, work.duty.step).members[work.duty.member]!
  const watch = watchOver(tools, seat, stallMs)
  const lost = new Promise<'lost'>((resolve) => {
    if (work.signal.aborted) resolve('lost')
    work.signal.addEventListener('abort', () => resolve('lost'), { once: true })
  })
  const happened = await Promise.race([turn, watch.noticed, lost])
  watch.end()
  if (happened === 'lost') {
    await letGo(tools, work, seat)
    return null
  }
  if (typeof happened === 'string') {
    await tools.seats.leave(seat)
    await brokenOff(tools, work, { fault: 'stalled', detail: happened })
    return null
  }
  seat.turn = null
  await Promise.all(seat.telling)
  return happened
}

/** The duty is gone. An agent that only waits for a person keeps its turn; every other is stopped. */
async function letGo(tools: Tools, work: Prompting, seat: Seat): Promise<void> {
  const state = (await tools.runs.load(work.run))?.state
  const current = state?.current
  const { step, visit, member, attempt } = work.duty
  const mine = current?.step === step && current.number === visit ? current.members[member] : undefined
  // Already answered by the time this is looked at: the duty that came with the answer takes the turn over.
  const asked = mine?.attempt === attempt && mine.status === 'working' && mine.raised > 0
  if (!asked) {
    await tools.seats.leave(seat)
    // Whoever comes next takes in what it left; here nobody does.
    if (state?.status === 'ended') await takeInLeftovers(tools, work.run)
  } else seat.turn?.then((end) => endedUnattended(tools, seat, end)).catch(noteIn(tools))
}

/** Nobody waits for it, and the duty that comes with the answer finds what was left undone. */
const noteIn =
  ({ log }: Tools) =>
  (error: unknown): void =>
    log.write('host', { step: '', visit: 0, who: 'host', kind: 'note', text: String(error) })

/** Its turn ends while its question is open: an answer given all the same withdraws the question. */
async function endedUnattended(tools: Tools, seat: Seat, end: TurnEnd): Promise<void> {
  const loaded = await tools.runs.load(seat.run)
  const current = loaded?.state.current
  if (loaded === null || tools.seats.find(seat) !== seat) return
  if (current?.step !== seat.step || current.number !== seat.visit) return tools.seats.leave(seat)
  if (end.kind !== 'ended') return tools.seats.leave(seat)
  if (current.members[seat.member]?.question == null) return
  const places = answerPlaces(tools.surroundings.home, loaded, seat)
  const { given } = await findAnswer(places, end.text)
  if (given.kind !== 'value') return
  const at = tools.clock.now()
  const told = await tools.runs.tell(seat.run, [{ type: 'attempt.answer', at, ...addressOf(seat), given }])
  if ('loaded' in told) await clearAnswers(places)
}

function watchOver(
  { clock }: Tools,
  seat: Seat,
  stallMs: number | null,
): { readonly noticed: Promise<string>; readonly end: () => void } {
  let callOff = (): void => {}
  const noticed = new Promise<string>((resolve) => {
    const look = (): void => {
      const now = clock.now()
      // While a person decides about a permission, silence is what is expected.
      if (seat.permissions.size > 0) seat.aliveAt = now
      if (isGoingInCircles(seat.watched))
        resolve(
          `It made the same tool call ${MOST_REPEATS} times in a row: ${seat.watched.last.slice(0, 300)}`,
        )
      else if (stallMs !== null && now - seat.aliveAt >= stallMs)
        resolve(`No output and no tool call for ${Math.round((now - seat.aliveAt) / 1000)} seconds.`)
      else
        callOff = clock.alarm(
          Math.min(now + LOOK_MS, stallMs === null ? Infinity : seat.aliveAt + stallMs),
          look,
        )
    }
    look()
  })
  return { noticed, end: () => callOff() }
}

/** How often loops are looked for; only while a turn is open. */
const LOOK_MS = 5_000
