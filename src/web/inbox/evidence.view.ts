/** What speaks for an answer, read from the journal of the run: what changed, what the gate said, the way here, what it cost. */
import type { RunEvent } from '../../model/event.ts'
import { type Program, prepares } from '../../model/program.ts'
import { firstLine, tellingLine } from '../../model/telling-line.ts'
import { sourceText } from '../../model/template.ts'
import type { RunStory } from '../live/runs.ts'

export interface CardEvidence {
  readonly change: ChangeSize | null
  readonly gate: ShownGate | null
  /** Outcome after outcome, the latest last. */
  readonly way: readonly string[]
  readonly spent: string | null
}

export interface ChangeSize {
  readonly files: number
  readonly added: number
  readonly removed: number
  readonly commit: string
  readonly diffstat: string
}

export interface ShownGate {
  readonly isPassed: boolean
  readonly line: string
  readonly output: string
  readonly commit: string | null
  /** It ran beside files that agents can change. */
  readonly isBeside: boolean
  /** Files that say what it runs, and that the run changed. */
  readonly redefined: readonly string[]
}

const LONGEST_WAY = 6

/** The program says what the gate is called and which steps only prepare; without it, less is said. */
export function evidenceIn({ events, state }: RunStory, program: Program | null): CardEvidence {
  const told = events.map(({ data }) => data as RunEvent)
  const work = told.findLast((event) => event.type === 'work.committed')
  const gateAt = told.findLastIndex((event) => event.type === 'gate.passed' || event.type === 'gate.failed')
  const left = told.flatMap((event) =>
    event.type === 'visit.left' && !isPreparing(program, event.step)
      ? [`${event.step} ${event.outcome}`]
      : [],
  )
  const { costUsd } = state.usage
  const { dispatches } = state.totals
  return {
    change: work === undefined ? null : sizeOf(work.diffstat, work.commit),
    gate: gateAt === -1 ? null : gateOf(told, gateAt, program),
    way: left.length > LONGEST_WAY ? ['…', ...left.slice(-LONGEST_WAY)] : left,
    spent:
      dispatches === 0
        ? null
        : `${costUsd.toFixed(2)} USD, ${dispatches} ${dispatches === 1 ? 'prompt' : 'prompts'} to agents`,
  }
}

/** The last line that git writes below its list: ` 2 files changed, 8 insertions(+), 1 deletion(-)`. */
export function sizeOf(diffstat: string, commit: string): ChangeSize {
  const number = (pattern: RegExp): number => Number(pattern.exec(diffstat)?.[1] ?? 0)
  return {
    files: number(/(\d+) files? changed/),
    added: number(/(\d+) insertions?\(\+\)/),
    removed: number(/(\d+) deletions?\(-\)/),
    commit,
    diffstat,
  }
}

function gateOf(told: readonly RunEvent[], at: number, program: Program | null): ShownGate | null {
  const event = told[at]
  if (event?.type !== 'gate.passed' && event?.type !== 'gate.failed') return null
  const { output, commit, beside, redefined = [] } = event.evidence
  const entered = told.slice(0, at).findLast((each) => each.type === 'visit.entered')
  const isPassed = event.type === 'gate.passed'
  const command = entered === undefined ? '' : gateText(program, entered.step, event.member)
  return {
    isPassed,
    line: [command, isPassed ? passText(output) : tellingLine(output)]
      .filter((text) => text !== '')
      .join(', '),
    output,
    commit,
    isBeside: (beside ?? []).length > 0,
    redefined,
  }
}

function gateText(program: Program | null, name: string, member: number): string {
  const step = program?.steps[name]
  if (step === undefined || (step.kind !== 'agent' && step.kind !== 'panel')) return ''
  const run = step.members[member]?.gate?.run
  return run === undefined ? '' : firstLine(sourceText(run))
}

const isPreparing = (program: Program | null, name: string): boolean => {
  const step = program?.steps[name]
  return step !== undefined && prepares(step)
}

/** What test runners say when all is well: so many passed. Else nothing: that it passed is said by its sign. */
function passText(output: string): string {
  const plain = output.replaceAll(ESCAPES, '')
  const found = /(\d+) (?:tests? )?(?:passed|passing)\b/i.exec(plain) ?? /^# pass (\d+)$/m.exec(plain)
  return found === null ? '' : `${found[1]} passed`
}

/** Colours of a terminal. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
