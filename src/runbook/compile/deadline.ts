/** The deadline of a question: its rungs in the order they are due, and the time that counts towards them. */
import { formatDuration } from '../../model/duration.ts'
import type { Deadline } from '../../model/program.ts'
import { type WorkingHours, workingWeekMs } from '../../model/working-hours.ts'
import { brief } from '../language/shape.ts'
import { childOf, type Tree, textOf } from '../tree.ts'
import { hoursOf } from './hours.ts'
import { durationOf } from './members.ts'
import { type Scope, spotOf } from './scope.ts'

/** A step's own ladder replaces the flow's; the flow's working hours count for it all the same. */
export function deadlineOf(scope: Scope, own: Tree | undefined): Deadline {
  const flows = childOf(scope.root, 'deadline')
  const tree = own ?? flows
  const hours = childOf(own, 'hours') ?? childOf(flows, 'hours')
  if (tree === undefined) return { remindMs: [], expireMs: null }
  if (tree === own && hasNoRungs(own)) reportIdleHours(scope, own)
  return laddered(scope, tree, hours)
}

/** The flow's own, for a step that is no decision; left out where it has none. */
export function flowDeadline(scope: Scope): { readonly deadline?: Deadline } {
  return childOf(scope.root, 'deadline') === undefined ? {} : { deadline: deadlineOf(scope, undefined) }
}

/** The flow's own is read for every step without one, and once here in case there is none. */
export function checkFlowDeadline(scope: Scope): void {
  const tree = childOf(scope.root, 'deadline')
  if (tree !== undefined) laddered(scope, tree, childOf(tree, 'hours'))
}

interface Rung {
  readonly afterMs: number
  readonly to: string | null
  readonly tree: Tree
}

function laddered(scope: Scope, tree: Tree, hoursTree: Tree | undefined): Deadline {
  const reminders = listed(childOf(tree, 'remind')).map((item) => rungAt(item, null))
  const reroutes = listed(childOf(tree, 'reroute')).map((item) =>
    rungAt(childOf(item, 'after') ?? item, recipientOf(scope, childOf(item, 'to'))),
  )
  const expire = childOf(tree, 'expire')
  const expireMs = durationOf(expire)
  reportOrder(scope, 'remind', reminders)
  reportOrder(scope, 'reroute', reroutes)
  // A reminder that falls together with a re-route goes to whoever has had the question until then.
  const rungs = [...reminders, ...reroutes].sort((a, b) => a.afterMs - b.afterMs)
  for (const rung of rungs) if (expireMs !== null) reportLate(scope, rung, expireMs)
  const hours = hoursTree === undefined ? null : hoursOf(scope, hoursTree)
  if (hours !== null)
    for (const rung of expire === undefined ? rungs : [...rungs, rungAt(expire, null)])
      reportFar(scope, rung, hours)
  return {
    remindMs: rungs.map(({ afterMs }) => afterMs),
    expireMs,
    ...(reroutes.length === 0
      ? {}
      : {
          reroutes: Object.fromEntries(rungs.flatMap(({ to }, index) => (to === null ? [] : [[index, to]]))),
        }),
    ...(hours === null ? {} : { hours }),
  }
}

const listed = (tree: Tree | undefined): readonly Tree[] =>
  tree === undefined ? [] : tree.kind === 'list' ? tree.items : [tree]

const rungAt = (tree: Tree, to: string | null): Rung => ({ afterMs: durationOf(tree) ?? 0, to, tree })

const hasNoRungs = (tree: Tree): boolean =>
  ['remind', 'reroute', 'expire'].every((key) => childOf(tree, key) === undefined)

function reportIdleHours(scope: Scope, tree: Tree): void {
  const hours = childOf(tree, 'hours')
  if (hours !== undefined)
    scope.report.add({
      code: 'wrong-kind',
      ...spotOf(hours),
      message: '`hours` means nothing at a deadline without a time in it.',
      help: 'Write `remind`, `reroute` or `expire` beside it.',
    })
}

const RECIPIENT = /^@?[A-Za-z][A-Za-z0-9._-]{0,63}$/

function recipientOf(scope: Scope, tree: Tree | undefined): string {
  const name = textOf(tree) ?? ''
  if (tree !== undefined && !RECIPIENT.test(name))
    scope.report.add({
      code: 'bad-name',
      ...spotOf(tree),
      message: `"${brief(name)}" cannot name a person or a group.`,
      help: 'A name starts with a letter and goes on with letters, digits, dots, - and _; a group has an @ before it: "@leads".',
    })
  return name
}

function reportOrder(scope: Scope, key: string, rungs: readonly Rung[]): void {
  const index = rungs.findIndex(({ afterMs }, at) => at > 0 && afterMs <= rungs[at - 1]!.afterMs)
  if (index < 0) return
  const [before, rung] = [rungs[index - 1]!, rungs[index]!]
  const ascending = [...new Set(rungs.map(({ afterMs }) => afterMs))].sort((a, b) => a - b)
  scope.report.add({
    code: 'unordered-ladder',
    severity: 'warning',
    ...spotOf(rung.tree),
    message: `In \`${key}\`, ${formatDuration(rung.afterMs)} stands after ${formatDuration(before.afterMs)}; the earlier one is due first, wherever it stands.`,
    help: `Write them in the order they are due, each once: ${ascending.map(formatDuration).join(', ')}.`,
  })
}

function reportLate(scope: Scope, { afterMs, to, tree }: Rung, expireMs: number): void {
  if (afterMs < expireMs) return
  const what = to === null ? 'its reminder' : `it goes to "${brief(to)}"`
  scope.report.add({
    code: 'late-reminder',
    severity: 'warning',
    ...spotOf(tree),
    message: `The question expires after ${formatDuration(expireMs)}, before ${what} at ${formatDuration(afterMs)}.`,
    help: `${to === null ? 'Remind' : 'Ask somebody else'} earlier, or expire later.`,
  })
}

/** As many weeks as anybody would wait, and as can be counted in a moment. */
const MOST_WEEKS = 520

function reportFar(scope: Scope, { afterMs, tree }: Rung, hours: WorkingHours): void {
  const weekMs = workingWeekMs(hours)
  if (afterMs <= MOST_WEEKS * weekMs) return
  scope.report.add({
    code: 'far-deadline',
    ...spotOf(tree),
    message: `${formatDuration(afterMs)} of working time is more than ten years, at ${formatDuration(weekMs)} a week.`,
    help: `With \`hours\` only working time counts, so a week is ${formatDuration(weekMs)}. Write less, or leave \`hours\` out.`,
  })
}
