/** What a person must see before they decide, found by commands. One that fails is shown as it failed. */
import { lastCharacters } from '../../model/characters.ts'
import { type DecideStep, stepOf } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import { lookupOf } from '../world.ts'
import { runCommand } from './command.ts'
import { type DutyOf, settle, standing, type Tools, type Work } from './duty.ts'

const LONGEST = 20_000
const TIME_LIMIT_MS = 5 * 60_000

export async function gatherContext(tools: Tools, work: Work<DutyOf<'gather-context'>>): Promise<void> {
  const loaded = await standing(tools, work)
  if (loaded === null) return
  const { step, visit } = work.duty
  const commands = (stepOf(loaded.program, step) as DecideStep).context.filter(
    ({ kind }) => kind === 'command',
  )
  const place = await tools.workplaces.ensure(loaded)
  const items: Record<string, string> = {}
  for (const { name, source } of commands) {
    if ('problem' in place) {
      items[name] = place.problem
      continue
    }
    const result = await runCommand(tools, {
      loaded,
      step,
      visit,
      who: 'context',
      command: renderCommand(source, lookupOf(loaded)),
      timeLimitMs: TIME_LIMIT_MS,
      signal: work.signal,
    })
    if (result.aborted) return
    const how = result.timedOut ? 'took too long' : `exit code ${result.exitCode}`
    const text = lastCharacters(result.output.trimEnd(), LONGEST)
    items[name] = result.exitCode === 0 ? text : `${text}\n(${how})`.trim()
  }
  await settle(tools, work, { type: 'context.report', at: tools.clock.now(), step, visit, items })
}
