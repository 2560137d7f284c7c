/** The program of the run that a story tells of; null until it is here. */
import type { Program } from '../../model/program.ts'
import { useProgram } from '../live/kept.ts'
import { type Loaded, valueIn } from '../live/loaded.ts'
import type { RunStory } from '../live/runs.ts'

export function useProgramOf(story: Loaded<RunStory>): Program | null {
  const started = valueIn(story)?.events[0]?.data as { readonly program?: string } | undefined
  return useProgram(started?.program ?? null)
}
