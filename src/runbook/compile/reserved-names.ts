/** Names that mean something already. */
import { isFault } from '../../model/fault.ts'
import { childOf, entriesOf, entryOf } from '../tree.ts'
import { SETUP } from './preparation.ts'
import { RESERVED_TARGETS, type Scope } from './scope.ts'

export function checkReservedNames({ report, root, ends }: Scope): void {
  for (const { key, at, value } of entriesOf(childOf(root, 'ends')))
    if (RESERVED_TARGETS.includes(key) || isFault(key))
      report.add({
        code: 'reserved-name',
        at,
        path: value.path,
        message: `An end cannot be called "${key}": that already names ${isFault(key) ? 'a fault' : 'a target'}.`,
        help: 'Choose another name.',
      })
  for (const { key, at, value } of entriesOf(childOf(root, 'budgets')))
    if (key === 'cost' || key === 'tokens')
      report.add({
        code: 'reserved-name',
        at,
        path: value.path,
        message: `A budget cannot be called "${key}": that is a limit of the run.`,
        help: `Write it as a limit (\`${report.spell({ limits: { [key]: 1000 } })}\`), or choose another name.`,
      })
  if (childOf(root, SETUP) !== undefined)
    for (const part of ['steps', 'ends']) {
      const taken = entryOf(childOf(root, part), SETUP)
      if (taken === undefined) continue
      report.add({
        code: 'reserved-name',
        at: taken.at,
        path: taken.value.path,
        message: `${part === 'steps' ? 'A step' : 'An end'} cannot be called "${SETUP}" in a flow that has a \`setup\`: that is the name of its step.`,
        help: 'Choose another name.',
      })
    }
  for (const { key, at, value } of entriesOf(childOf(root, 'steps')))
    if (ends.has(key) || RESERVED_TARGETS.includes(key) || isFault(key))
      report.add({
        code: 'reserved-name',
        at,
        path: value.path,
        message: `A step cannot be called "${key}": that already names ${ends.has(key) ? 'an end' : isFault(key) ? 'a fault' : 'a target'}.`,
        help: 'Choose another name.',
      })
}
