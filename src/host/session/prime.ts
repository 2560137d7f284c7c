/** Commands whose output an agent is given at a moment of its life: when it starts, resumes, has compacted, or is sent back. */
import { lastCharacters } from '../../model/characters.ts'
import { type Words, words } from '../../model/fence.ts'
import type { PrimeSource } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import { type CommandNeeds, runCommand } from '../duty/command.ts'
import type { DutyOf, Work } from '../duty/duty.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { type AgentInView, lookupOf } from '../runs/world.ts'

const LONGEST = 40_000
const TIME_LIMIT_MS = 2 * 60_000

export interface Priming {
  readonly loaded: LoadedRun
  readonly agent: AgentInView
  readonly sources: readonly PrimeSource[]
}

/** A session that begins again has nothing left to be reminded of but its beginning. */
export function momentsOf({
  session,
  compacted,
  sentBack,
}: {
  readonly session: 'fresh' | 'reopened' | 'live'
  readonly compacted: boolean
  readonly sentBack: boolean
}): readonly PrimeSource[] {
  return [
    ...(session === 'fresh' ? (['startup'] as const) : []),
    ...(session === 'reopened' ? (['resume'] as const) : []),
    ...(session === 'live' && compacted ? (['compact'] as const) : []),
    ...(sentBack ? (['signal'] as const) : []),
  ]
}

export async function primed(
  needs: CommandNeeds,
  { duty, signal }: Work<DutyOf<'prompt-agent'>>,
  { loaded, agent, sources }: Priming,
): Promise<Words[]> {
  const texts: Words[] = []
  const add = (source: PrimeSource, text: string) => {
    texts.push(words(`a command of this flow (prime ${source})`, 'output', text))
  }
  for (const source of sources) {
    const template = loaded.program.agents[duty.agent]?.prime[source]
    if (template === undefined) continue
    const { step, visit } = duty
    const result = await runCommand(needs, {
      loaded,
      step,
      visit,
      who: `prime ${source}`,
      agent: duty.agent,
      command: renderCommand(template, lookupOf(loaded, agent)),
      timeLimitMs: TIME_LIMIT_MS,
      signal,
    })
    const output = lastCharacters(result.output.trim(), LONGEST)
    // A prime that fails must not keep the agent from working, but it should know what it lacks.
    if (result.exitCode !== 0)
      add(
        source,
        `${output}\n(the command that gives this context ended with exit code ${result.exitCode})`.trim(),
      )
    else if (output !== '') add(source, output)
  }
  return texts
}
