/** A person's word to the agents of a run: in the record now, in their next prompt when that comes. */
import type { Actor } from '../../model/answer.ts'
import type { WordSaid } from '../../model/api/course.ts'
import type { RunEvent } from '../../model/event.ts'
import { stepOf } from '../../model/program.ts'
import type { Rejection } from '../../model/refusal.ts'
import type { DutyNeeds } from '../duty/duty.ts'

export async function sayToRun(
  { runs, clock }: Pick<DutyNeeds, 'runs' | 'clock'>,
  { run, by, text }: { readonly run: string; readonly by: Actor; readonly text: string },
): Promise<WordSaid | Rejection> {
  const executed = await runs.execute(run, [{ type: 'run.say', at: clock.now(), by, text }])
  if ('lost' in executed) throw new Error('a command without a claim lost one')
  if ('refusal' in executed) return { code: executed.refusal.code, problem: executed.refusal.message }
  const { events, loaded } = executed
  const said = events.findLast(isSaid)
  if (said === undefined) throw new Error(`nothing was said in ${run}`)
  const { current } = loaded.state
  const step = current === null ? null : stepOf(loaded.program, current.step)
  const members = step?.kind === 'agent' || step?.kind === 'panel' ? step.members : []
  return { word: said.word, to: said.members.flatMap((index) => members[index]?.agent ?? []) }
}

const isSaid = (event: RunEvent): event is Extract<RunEvent, { type: 'word.said' }> =>
  event.type === 'word.said'
