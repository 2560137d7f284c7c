/** The gate, run by us when the agent says it is done: its word is not evidence, the exit code is. */
import { type AgentStep, stepOf } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import { lookupOf } from '../world.ts'
import { runCommand } from './command.ts'
import { type DutyOf, settle, standing, type Tools, type Work } from './duty.ts'

export async function runGate(tools: Tools, work: Work<DutyOf<'run-gate'>>): Promise<void> {
  const { duty, signal } = work
  const loaded = await standing(tools, work)
  if (loaded === null) return
  const { step, visit, member, attempt } = duty
  const address = { step, visit, member, attempt }
  const gate = (stepOf(loaded.program, step) as AgentStep).members[member]!.gate!
  const failed = (detail: string) =>
    settle(tools, work, { type: 'attempt.fault', at: tools.clock.now(), ...address, fault: 'failed', detail })

  const place = await tools.workplaces.ensure(loaded)
  if ('problem' in place) {
    await failed(place.problem)
    return
  }
  const result = await runCommand(tools, {
    loaded,
    step,
    visit,
    who: 'gate',
    command: renderCommand(gate.run, lookupOf(loaded)),
    timeLimitMs: gate.timeLimitMs,
    signal,
  })
  if (result.aborted) return
  const left = await tools.workplaces.takeIn({
    loaded,
    step,
    visit,
    member,
    writes: null,
    message: `${step}: gate`,
  })
  if ('problem' in left) {
    await failed(left.problem)
    return
  }
  const at = tools.clock.now()
  const { exitCode, output, timedOut } = result
  await settle(
    tools,
    work,
    { type: 'run.record', at, facts: left.facts },
    {
      type: 'gate.report',
      at,
      ...address,
      exitCode,
      output: timedOut ? `${output}\nIt was stopped: it took longer than it may.` : output,
      commit: left.commit,
      diffstat: left.diffstat,
    },
  )
}
