/** What is left of an ended run beside its record goes: agents that are leaving, files, repositories, branch, answers. */
import type { Actor } from '../model/answer.ts'
import { collectLeftovers } from './duty/leftovers.ts'
import { forgetAnswers } from './session/answer-files.ts'
import type { Edges } from './session/edges.ts'
import type { Sessions } from './session/sessions.ts'

export async function discard(
  tools: Edges & { readonly sessions: Sessions },
  run: string,
  by: Actor,
): Promise<{ readonly discarded: true } | { readonly problem: string }> {
  const { runs, clock, processEnvironment } = tools
  const loaded = await runs.load(run)
  if (loaded === null) return { problem: `There is no run ${run}.` }
  if (loaded.state.status !== 'ended')
    return { problem: `Run ${run} is still going on. Cancel it first: signalbox cancel ${run}` }
  await tools.sessions.leaveOthers(run, null)
  if (!loaded.discarded) await collectLeftovers(tools, run)
  const removed = await tools.workplaces.remove(loaded)
  if ('problem' in removed) return removed
  await forgetAnswers(processEnvironment.home, run)
  const at = clock.now()
  await runs.execute(run, [{ type: 'run.record', at, facts: [{ type: 'run.discarded', at, by }] }])
  return { discarded: true }
}
