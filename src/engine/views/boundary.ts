/**
 * What an agent may write in the visit that is going on: the globs of its role, look-ups resolved from the run's own
 * record. What is looked up may come from an agent, so it is hostile: it can name files of the worktree, and never
 * `.git`, `.signalbox` or anything outside; what tries to grants nothing. An exception that cannot be made takes back
 * everything, since what it was to keep safe is not known.
 */
import type { FieldValue } from '../../model/answer.ts'
import { fencedInline, words } from '../../model/fence.ts'
import type { Program, WriteGrant } from '../../model/program.ts'
import { type LookUp, sourceText, type Template } from '../../model/template.ts'
import { visibleLine } from '../../model/visible-text.ts'
import type { RunState } from '../state.ts'
import { valueIn } from './lookup.ts'

/** Globs, later ones winning over earlier ones; null: anything in the worktree; empty: nothing. */
export function writesOf(program: Program, state: RunState, agent: string): readonly string[] | null {
  const writes = program.agents[agent]?.writes ?? null
  if (writes === null) return null
  if (unusableException(program, state, agent) !== null) return []
  const globs = writes.flatMap((grant) => (typeof grant === 'string' ? [grant] : grantedBy(grant, state)))
  if (writes[0] !== undefined && isException(writes[0])) return globs
  // A list that begins with `!` would mean everything but that, and nobody wrote so.
  const first = globs.findIndex((glob) => !glob.startsWith('!'))
  return first < 0 ? [] : globs.slice(first)
}

/** The exception, as it was written, for which something unusable was looked up. */
export function unusableException(program: Program, state: RunState, agent: string): string | null {
  for (const grant of program.agents[agent]?.writes ?? [])
    if (typeof grant !== 'string' && isException(grant)) {
      const globs = globsOf(grant, state)
      if (globs.length === 0 || !globs.every(isGlob)) return sourceText(grant)
    }
  return null
}

/** What an agent that is held to a boundary may do, as it is told. */
export function boundaryText(writes: readonly string[], unusable: string | null): string {
  if (unusable !== null)
    return `You may read everything and change nothing, because what was looked up for the exception \`${unusable}\` names no files.`
  return writes.length === 0
    ? 'You may read everything and change nothing.'
    : `You may change only: ${writes.map(globText).join(', ')}`
}

/** One that could be read as a sentence stands in a fence: an agent may have named it. */
const globText = (glob: string): string =>
  /[\s`]/.test(glob) ? fencedInline(words('an earlier step', 'glob', glob)) : visibleLine(glob)

function isException(grant: WriteGrant): boolean {
  const start = typeof grant === 'string' ? grant : grant[0]
  if (start === undefined || typeof start === 'string') return start?.startsWith('!') ?? false
  return start.ref.kind === 'text' && isException(start.ref.text)
}

const OUT_OF_REACH = '!{.git,.signalbox}{,/**}'

function grantedBy(template: Template, state: RunState): string[] {
  const globs = globsOf(template, state)
  if (isException(template)) return [...globs]
  const harmless = globs.filter((glob) => isGlob(glob) && !namesPrivate(glob))
  return harmless.some(beginsOpen) ? [...harmless, OUT_OF_REACH] : harmless
}

function globsOf(template: Template, state: RunState): readonly string[] {
  const [only, ...more] = template
  if (only !== undefined && typeof only !== 'string' && more.length === 0)
    return only.ref.kind === 'text' ? globsOf(only.ref.text, state) : listed(foundFor(only, state))
  const parts = template.map((part) => {
    if (typeof part === 'string') return part
    if (part.ref.kind === 'text') return alone(globsOf(part.ref.text, state))
    return alone(listed(foundFor(part, state)))
  })
  return parts.includes(null) ? [] : [parts.join('')]
}

const foundFor = ({ ref, fallback }: LookUp, state: RunState): FieldValue | undefined =>
  valueIn(state, ref) ?? fallback ?? undefined

/** Lists bring their items; a number, a truth or a finding is no file. Nobody means the white space around a name. */
function listed(value: FieldValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value.trim()]
  return typeof value === 'object'
    ? value.flatMap((item) => (typeof item === 'string' ? [item.trim()] : []))
    : []
}

const alone = (globs: readonly string[]): string | null => (globs.length === 1 ? globs[0]! : null)

const LONGEST = 1000
/** A second `!`, an empty name or a dot for one: that would match no file. */
const FORBIDDEN = /\p{Cc}|\.\.|^[/\\]|^[a-z]:|^!|\/\.?\/|(?:^|\/)\.\/?$/iu
const PRIVATE = new Set(['.git', '.signalbox'])

function isGlob(glob: string): boolean {
  const pattern = withoutMark(glob)
  return pattern !== '' && pattern.length <= LONGEST && !FORBIDDEN.test(pattern)
}

function namesPrivate(glob: string): boolean {
  const names = withoutMark(glob)
    .replaceAll('\\', '')
    .split(/[/{},]/)
  return names.some((name) => PRIVATE.has(name.toLowerCase()))
}

const withoutMark = (glob: string): string => glob.replace(/^!/, '')

/** Its first name is open, so that it could match what it does not name. */
const beginsOpen = (glob: string): boolean => /^(?:\.?\/)*[^/]*[*?{\\]/.test(glob) && !glob.startsWith('!')
