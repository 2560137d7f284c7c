/** What a person must see before they decide, found by commands. One that fails is shown as it failed. */
import { lastCharacters } from '../../model/characters.ts'
import { type DecideStep, stepOf } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import type { LoadedRun } from '../loaded-run.ts'
import { contentOf } from '../workspace/snapshot.ts'
import { lookupOf } from '../world.ts'
import { runCommand } from './command.ts'
import { type DutyOf, settle, standing, type Tools, type Work } from './duty.ts'

const LONGEST = 20_000
const TIME_LIMIT_MS = 5 * 60_000

export async function gatherContext(tools: Tools, work: Work<DutyOf<'gather-context'>>): Promise<void> {
  const loaded = await standing(tools, work)
  if (loaded === null) return
  const { step, visit } = work.duty
  const found = await lookAround(tools, loaded, { step, visit, signal: work.signal })
  if (found === null) return
  await settle(tools, work, { type: 'context.report', at: tools.clock.now(), step, visit, ...found })
}

interface Looking {
  readonly step: string
  readonly visit: number
  readonly signal: AbortSignal
}

/** What there is to see now, and the content it was seen in; null when it was called off. */
export async function lookAround(
  tools: Tools,
  loaded: LoadedRun,
  { step, visit, signal }: Looking,
): Promise<{ readonly items: Readonly<Record<string, string>>; readonly seen?: string } | null> {
  const commands = (stepOf(loaded.program, step) as DecideStep).context.filter(
    ({ kind }) => kind === 'command',
  )
  const place = await tools.workplaces.ensure(loaded)
  if ('problem' in place)
    return { items: Object.fromEntries(commands.map(({ name }) => [name, place.problem])) }
  // Before the commands run: what changes while they do is a change since.
  const seen = await contentOf(loaded.placed.placement.worktree)
  const items: Record<string, string> = {}
  for (const { name, source } of commands) {
    const result = await runCommand(tools, {
      loaded,
      step,
      visit,
      who: 'context',
      command: renderCommand(source, lookupOf(loaded)),
      timeLimitMs: TIME_LIMIT_MS,
      signal,
    })
    if (result.aborted) return null
    const how = result.timedOut ? 'took too long' : `exit code ${result.exitCode}`
    const text = lastCharacters(result.output.trimEnd(), LONGEST)
    items[name] = result.exitCode === 0 ? text : `${text}\n(${how})`.trim()
  }
  return { items, seen }
}
