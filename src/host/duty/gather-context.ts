/** What a person must see before they decide, found by commands. One that fails is shown as it failed. */
import { lastCharacters } from '../../model/characters.ts'
import type { RunCommand } from '../../model/command.ts'
import type { Fact } from '../../model/fact.ts'
import { type DecideStep, stepOf } from '../../model/program.ts'
import { renderCommand } from '../../model/template.ts'
import { withBrought } from '../course/bring-asked.ts'
import type { LoadedRun } from '../runs/loaded-run.ts'
import { lookupOf } from '../runs/world.ts'
import { someNames } from '../workspace/file-name.ts'
import { type DutyNeeds, type DutyOf, settle, standing, type Work } from './duty.ts'
import { type Judgement, judge } from './judgement.ts'

const LONGEST = 20_000
const TIME_LIMIT_MS = 5 * 60_000

export async function gatherContext(needs: DutyNeeds, work: Work<DutyOf<'gather-context'>>): Promise<void> {
  const loaded = await standing(needs, work)
  if (loaded === null) return
  const { step, visit } = work.duty
  const found = await lookAround(needs, loaded, { step, visit, signal: work.signal })
  if (found !== null) await settle(needs, work, ...found)
}

interface Looking {
  readonly step: string
  readonly visit: number
  readonly signal: AbortSignal
}

/** What there is to see now, as the run is told it; null when it was called off. */
export async function lookAround(
  needs: DutyNeeds,
  loaded: LoadedRun,
  { step, visit, signal }: Looking,
): Promise<[RunCommand, ContextReport] | null> {
  const found = await contextOf(needs, loaded, { step, visit, signal })
  if (found === null) return null
  const at = needs.clock.now()
  const { facts, ...context } = found
  return [
    { type: 'run.record', at, facts },
    { type: 'context.report', at, step, visit, ...context },
  ]
}

type ContextReport = Extract<RunCommand, { type: 'context.report' }>

interface Context {
  readonly items: Readonly<Record<string, string>>
  /** The content it was found in. */
  readonly seen?: string
  readonly facts: readonly Fact[]
}

async function contextOf(
  needs: DutyNeeds,
  found: LoadedRun,
  { step, visit, signal }: Looking,
): Promise<Context | null> {
  const commands = (stepOf(found.program, step) as DecideStep).context.filter(
    ({ kind }) => kind === 'command',
  )
  const all = (text: string) => Object.fromEntries(commands.map(({ name }) => [name, text]))
  const place = await needs.workplaces.ensure(found)
  if ('problem' in place) return { items: all(place.problem), facts: [] }
  // Before anything is taken in: what was brought in is nobody's work here.
  const loaded = await withBrought(needs, found)
  // Nobody is at work here: what lies there uncommitted is a person's, and is to be seen like the rest.
  const message = `${step}: found in the worktree`
  const taken = await needs.workplaces.collectWork({
    loaded,
    step,
    visit,
    member: 0,
    boundary: null,
    message,
  })
  if ('problem' in taken) return { items: all(taken.problem), facts: [] }
  const { facts, commit } = taken
  // Before the commands run: what changes while they do is a change since.
  const seen = await needs.workplaces.content(loaded)
  const doubts = doubtsIn(loaded)
  if (commands.length === 0) return { items: doubts, seen, facts }
  const now = { ...loaded, commit }
  const items: Record<string, string> = {}
  for (const { name, source } of commands) {
    const command = renderCommand(source, lookupOf(now))
    const limits = { timeLimitMs: TIME_LIMIT_MS, signal }
    const judged = await judge(needs, { loaded: now, step, visit, who: 'context', command, ...limits })
    if ('result' in judged && judged.result.aborted) return null
    items[name] = 'problem' in judged ? judged.problem : shownAs(judged)
  }
  return { items: { ...items, ...doubts }, seen, facts }
}

/** What speaks against taking the word of a gate. */
function doubtsIn({ beside, redefined }: LoadedRun): Record<string, string> {
  const changed = Object.entries(redefined).flatMap(([step, files]) =>
    files.length === 0
      ? []
      : [
          `What the gate of "${step}" runs was changed in this run: ${someNames(files)}. Look at those changes.`,
        ],
  )
  const besides = Object.entries(beside).flatMap(([step, files]) =>
    files.length === 0
      ? []
      : [
          `The gate of "${step}" passed beside files that agents can change: ${someNames(files)}. With a \`setup\` in the runbook and nothing under \`shared\` in the config, gates judge the commit alone.`,
        ],
  )
  const doubts = [...changed, ...besides]
  return doubts.length === 0 ? {} : { 'how gates ran': doubts.join('\n') }
}

function shownAs({ result, beside }: Judgement): string {
  const text = lastCharacters(result.output.trimEnd(), LONGEST)
  const how = result.timedOut ? 'took too long' : `exit code ${result.exitCode}`
  return [
    text,
    ...(result.exitCode === 0 ? [] : [`(${how})`]),
    ...(beside.length === 0 ? [] : [`(found beside files that agents can change: ${someNames(beside)})`]),
  ]
    .filter((line) => line !== '')
    .join('\n')
}
