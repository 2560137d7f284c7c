/** The gate, run by us when the agent says it is done: its word is not evidence, the exit code is. */
import { type AgentStep, stepOf } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import { lookupOf } from '../runs/world.ts'
import { type DutyNeeds, type DutyOf, settle, standing, type Work } from './duty.ts'
import { judge } from './judgement.ts'
import { throwForNoRoom, untilRoom } from './patience.ts'

export async function runGate(needs: DutyNeeds, work: Work<DutyOf<'run-gate'>>): Promise<void> {
  const { duty, signal } = work
  const loaded = await standing(needs, work)
  if (loaded === null) return
  const { step, visit, member, attempt } = duty
  const address = { step, visit, member, attempt }
  const { gate, agent } = (stepOf(loaded.program, step) as AgentStep).members[member]!
  const failed = (detail: string) =>
    settle(needs, work, { type: 'attempt.fault', at: needs.clock.now(), ...address, fault: 'failed', detail })

  const place = await needs.workplaces.ensure(loaded)
  if ('problem' in place) {
    await failed(place.problem)
    return
  }
  await untilRoom(needs, loaded)
  const judged = await judge(needs, {
    loaded,
    step,
    visit,
    who: 'gate',
    command: renderCommand(gate!.run, lookupOf(loaded)),
    timeLimitMs: gate!.timeLimitMs,
    signal,
    // It runs what the agent wrote: what that may not reach, its code may not either.
    agent,
  })
  if ('problem' in judged) {
    throwForNoRoom(needs, loaded, { exitCode: null, output: judged.problem })
    await failed(judged.problem)
    return
  }
  const { result, beside, redefined, facts } = judged
  if (result.aborted) return
  throwForNoRoom(needs, loaded, result)
  const at = needs.clock.now()
  const { exitCode, output, timedOut } = result
  await settle(
    needs,
    work,
    { type: 'run.record', at, facts },
    {
      type: 'gate.report',
      at,
      ...address,
      exitCode,
      output: timedOut ? `${output}\nIt was stopped: it took longer than it may.` : output,
      commit: loaded.commit,
      diffstat: await needs.workplaces.changed(loaded),
      ...(beside.length === 0 ? {} : { beside }),
      ...(redefined.length === 0 ? {} : { redefined }),
    },
  )
}
