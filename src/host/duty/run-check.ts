/** A check step: a command answers. What it changed is committed, as an agent's work is. */
import { type CheckStep, stepOf } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import { lookupOf } from '../world.ts'
import { runCommand } from './command.ts'
import { type DutyOf, settle, standing, type Tools, type Work } from './duty.ts'
import { clearGround } from './leftovers.ts'

export async function runCheck(tools: Tools, work: Work<DutyOf<'run-check'>>): Promise<void> {
  const found = await standing(tools, work)
  if (found === null) return
  const { step, visit } = work.duty
  const check = stepOf(found.program, step) as CheckStep
  const failed = (output: string) =>
    settle(tools, work, {
      type: 'check.report',
      at: tools.clock.now(),
      step,
      visit,
      exitCode: null,
      output,
      timedOut: false,
    })

  const place = await tools.workplaces.ensure(found)
  if ('problem' in place) {
    await failed(place.problem)
    return
  }
  const loaded = await clearGround(tools, work, found)
  if (loaded === null) return
  const result = await runCommand(tools, {
    loaded,
    step,
    visit,
    who: 'check',
    command: renderCommand(check.run, lookupOf(loaded)),
    timeLimitMs: check.timeLimitMs,
    signal: work.signal,
  })
  if (result.aborted) return
  const left = await tools.workplaces.takeIn({
    loaded,
    step,
    visit,
    member: 0,
    writes: null,
    message: `${step}: check`,
  })
  if ('problem' in left) {
    await failed(left.problem)
    return
  }
  const at = tools.clock.now()
  const { exitCode, timedOut } = result
  const output = check.answers === 'json' ? result.stdout : result.output
  await settle(
    tools,
    work,
    { type: 'run.record', at, facts: left.facts },
    { type: 'check.report', at, step, visit, exitCode, output, timedOut },
  )
}
