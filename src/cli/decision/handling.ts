/** What else a person does with a decision: take an answer back, put it off, give it to somebody, end it. */
import type { Decisions } from '../../host/inbox/decisions.ts'
import type { Rejection } from '../../host/operations.ts'
import type { Undone } from '../../model/api/decision-record.ts'
import { parseDuration } from '../../model/duration.ts'
import { orNear } from '../../model/nearest.ts'
import { EXIT, exitOf } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { plural } from '../terminal/terminal.ts'
import { whenText } from './age.ts'
import { type AtDoor, findNamed } from './find.ts'

/** What is done to the one decision that is named. */
async function handle(
  prefix: string,
  { terminal, operations, json = false }: AtDoor,
  act: (decisions: Decisions, id: string) => Promise<{ readonly said: string } | Rejection>,
): Promise<number> {
  const found = await findNamed(operations, prefix)
  if ('problem' in found) return complain(terminal, found.problem, found.exit)
  if ('run' in found)
    return complain(
      terminal,
      `"${prefix}" is a run. Name one of its decisions: signalbox decision list --all --run ${found.run}`,
      EXIT.usage,
    )
  const done = await act(operations.decisions, found.id)
  if ('problem' in done) return complain(terminal, done.problem, exitOf(done))
  if (json) terminal.write(JSON.stringify(await operations.decisions.show(found.id), null, 2))
  else terminal.write(`${found.id} ${done.said}`)
  return EXIT.ok
}

export const undoDecision = (prefix: string, at: AtDoor): Promise<number> =>
  handle(prefix, at, async (decisions, id) => {
    const done = await decisions.undo(id)
    if ('problem' in done) return done
    return { said: undoneText(done) }
  })

/** A host of an older version, which was there before, says nothing of others. */
type Heard = Omit<Undone, 'refused'> & Partial<Pick<Undone, 'refused'>>

export function undoneText({ undone, late, refused = [] }: Heard): string {
  const tooLate = late.length === 0 ? '' : `; too late for ${late.join(', ')}: the answer is delivered`
  const rest = [tooLate, ...refused.map(({ id, problem }) => `; not ${id}: ${problem}`)].join('')
  return undone.length === 1
    ? `is open again${rest}`
    : `is open again, ${plural(undone.length, 'decision')} in all${rest}`
}

export const snoozeDecision = async (
  prefix: string,
  { time, wake, now }: { readonly time: string | undefined; readonly wake: boolean; readonly now: number },
  at: AtDoor,
): Promise<number> => {
  const durationMs = time === undefined ? null : parseDuration(time)
  if (wake === (time !== undefined) || (time !== undefined && (durationMs === null || durationMs === 0)))
    return complain(
      at.terminal,
      'Say for how long, such as 30m, 2h or 1d, or --wake to have it back now.',
      EXIT.usage,
    )
  const until = durationMs === null ? null : now + durationMs
  return handle(prefix, at, async (decisions, id) => {
    const done = await decisions.snooze(id, until)
    if ('problem' in done) return done
    return { said: until === null ? 'is awake' : `sleeps; it comes back ${whenText(until, now)}` }
  })
}

export const assignDecision = async (
  prefix: string,
  {
    to,
    nobody,
    known,
  }: { readonly to: string | undefined; readonly nobody: boolean; readonly known: readonly string[] },
  at: AtDoor,
): Promise<number> => {
  const name = (to?.trim() ?? '').replace(/^@/, '')
  if (nobody === (name !== ''))
    return complain(at.terminal, 'Say to whom, or --nobody to leave it to whoever is there.', EXIT.usage)
  return handle(prefix, at, async (decisions, id) => {
    const done = await decisions.assign(id, nobody ? null : name)
    if ('problem' in done) return done
    const stranger =
      nobody || known.includes(name) ? '' : ` Your config knows nobody of that name${orNear(name, known)}`
    return { said: nobody ? 'is for whoever is there' : `is for ${name}.${stranger}` }
  })
}

export const withdrawDecision = (prefix: string, reason: string, at: AtDoor): Promise<number> =>
  handle(prefix, at, async (decisions, id) => {
    const done = await decisions.withdraw(id, reason)
    return 'problem' in done ? done : { said: 'is withdrawn' }
  })

export const retryDecision = (
  prefix: string,
  { isAlone, ...at }: AtDoor & { readonly isAlone: boolean },
): Promise<number> =>
  handle(prefix, at, async (decisions, id) => {
    const done = await decisions.retry(id)
    if ('problem' in done) return done
    return {
      said: isAlone ? 'will be delivered again when a host is up: signalbox up' : 'is being delivered again',
    }
  })
