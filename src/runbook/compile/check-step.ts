/** A check step: a command whose exit code, or whose JSON, answers. */
import type { Contract } from '../../model/contract.ts'
import type { Fault } from '../../model/fault.ts'
import type { CheckStep } from '../../model/program.ts'
import { brief } from '../language/shape.ts'
import { childOf, type Entry, entriesOf, entryOf, itemsOf, numberOf, type Tree, textOf } from '../tree.ts'
import { askedBy } from './contracts.ts'
import { flowDeadline } from './deadline.ts'
import { finished, missingNext } from './finish.ts'
import { durationOf } from './members.ts'
import { commandAt, globAt, type Scope, spotOf } from './scope.ts'

export function checkStep(scope: Scope, entry: Entry): CheckStep {
  const check = childOf(entry.value, 'check')!
  const answers = textOf(childOf(entry.value, 'answers')) === 'json' ? 'json' : 'exit'
  const asked = askedBy(scope, entry)
  if (Object.keys(asked.routes).length === 0) missingNext(scope, entry, asked.routes)
  const fields = childOf(entry.value, 'fields')
  if (answers === 'exit' && fields !== undefined)
    scope.report.add({
      code: 'wrong-kind',
      ...spotOf(fields),
      message: '`fields` mean nothing here: an exit code carries none.',
      help: `Print them as JSON and write \`${scope.report.spell({ answers: 'json' })}\`.`,
    })
  const timeLimitMs = durationOf(childOf(entry.value, 'time'))
  const faults: Fault[] = [
    'failed',
    ...(timeLimitMs === null ? [] : (['timed_out'] as const)),
    ...(answers === 'json' ? (['invalid'] as const) : []),
  ]
  const writes = childOf(entry.value, 'writes')
  const issues = childOf(entry.value, 'issues')
  if (writes !== undefined && issues !== undefined)
    scope.report.add({
      code: 'wrong-kind',
      ...spotOf(issues),
      message: 'A check changes issues or other files, not both.',
      help: 'Make two steps of it, one after the other.',
    })
  return {
    kind: 'check',
    run: commandAt(scope, check, textOf(check) ?? '', { kind: 'step', step: entry.key, hasAgent: false }),
    answers,
    exits: answers === 'exit' ? exitsOf(scope, entry, asked.contract) : {},
    timeLimitMs,
    ...(writes === undefined ? {} : { writes: globsOf(scope, writes) }),
    ...(textOf(issues) === 'write' ? { issues: 'write' as const } : {}),
    settleOn: null,
    ...flowDeadline(scope),
    ...finished(scope, entry, asked, faults),
  }
}

function globsOf(scope: Scope, writes: Tree): string[] {
  return itemsOf(writes).map((item) => {
    const glob = globAt(scope, item, '`src/**`')
    if (glob.includes('${'))
      scope.report.add({
        code: 'bad-pattern',
        ...spotOf(item),
        message: `"${brief(glob)}" looks something up, and what a check may write is fixed.`,
        help: 'Write a glob from the root of the repository: `src/**`.',
      })
    return glob
  })
}

/** Exit codes of each outcome: as written, or pass = 0 and fail = anything else, or done = 0. */
function exitsOf(scope: Scope, entry: Entry, contract: Contract): Record<string, number[] | null> {
  if (contract.rows.length > 0 || contract.variables.length > 1)
    scope.report.add({
      code: 'missing-exit',
      at: entry.at,
      path: entry.value.path,
      message: 'An exit code cannot give the values that a table decides on.',
      help: `Print them as JSON and write \`${scope.report.spell({ answers: 'json' })}\`.`,
    })
  const options = entryOf(entry.value, 'options')
  if (options === undefined) return { done: [0] }
  const exits: Record<string, number[] | null> = {}
  for (const { key, at, value } of entriesOf(options.value)) {
    const exit = childOf(value, 'exit')
    const codes = exit?.kind === 'list' ? exit.items.map((item) => numberOf(item) ?? 0) : numberOf(exit)
    if (textOf(exit) === 'other') exits[key] = null
    else if (codes !== undefined) exits[key] = Array.isArray(codes) ? codes : [codes]
    else if (key === 'pass') exits[key] = [0]
    else if (key === 'fail') exits[key] = null
    else
      scope.report.add({
        code: 'missing-exit',
        at,
        path: value.path,
        message: `Which exit code means "${key}"?`,
        help: `Write \`${scope.report.spell({ exit: 0 })}\` (or a list, or \`other\`), or name the options pass and fail, or answer with \`${scope.report.spell({ answers: 'json' })}\`.`,
      })
  }
  const seen = new Map<number | null, string>()
  for (const [option, codes] of Object.entries(exits))
    for (const code of codes ?? [null]) {
      const other = seen.get(code)
      if (other !== undefined)
        scope.report.add({
          code: 'two-exits',
          at: options.at,
          path: options.value.path,
          message: `Exit code ${code ?? 'other'} means both "${other}" and "${option}".`,
          help: 'Give each code to one option.',
        })
      seen.set(code, option)
    }
  return exits
}
