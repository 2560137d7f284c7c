/** What a person approves is what they have seen: when the worktree has changed, it is looked at again. */
import { changedRefusal } from '../../engine/index.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { stepOf } from '../../model/program.ts'
import type { Rejection } from '../../model/refusal.ts'
import { filesInTurn } from '../course/files-in-turn.ts'
import type { DutyNeeds } from '../duty/duty.ts'
import { lookAround } from '../duty/gather-context.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'

export async function changedSince(tools: DutyNeeds, found: DecisionRecord): Promise<Rejection | null> {
  const { run } = found
  if (run === null) return null
  return filesInTurn(run, async () => {
    const loaded = await tools.runs.load(run)
    return loaded === null ? null : lookAgain(tools, loaded, found)
  })
}

async function lookAgain(
  tools: DutyNeeds,
  loaded: LoadedRun,
  { id, cause, question }: DecisionRecord,
): Promise<Rejection | null> {
  const { current } = loaded.state
  if (cause !== 'step' || loaded.seen === null || current?.question?.id !== question) return null
  const step = stepOf(loaded.program, current.step)
  if (step.kind !== 'decide') return null
  const place = await tools.workplaces.ensure(loaded)
  if ('problem' in place || (await tools.workplaces.content(loaded)) === loaded.seen) return null
  const looking = { step: current.step, visit: current.number, signal: new AbortController().signal }
  const found = await lookAround(tools, loaded, looking)
  if (found === null) return null
  await tools.runs.execute(loaded.run, found)
  const [, { items }] = found
  const changed = Object.keys(items).filter((item) => items[item] !== current.context[item])
  if (changed.length === 0) return null
  const { code, message } = changedRefusal(id, changed)
  return { code, problem: message }
}
