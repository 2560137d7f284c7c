/** `people:` of the user's config: who may answer beside them. */
import { GIVEN_RIGHTS, type Right } from '../../model/api/rights.ts'
import type { Report } from '../../runbook/report.ts'
import { childOf, entriesOf, entryOf, itemsOf, type MapTree, textOf } from '../../runbook/tree.ts'

export interface Person {
  readonly groups: readonly string[]
  /** Beside what everybody on the list may do. */
  readonly may: readonly Right[]
}

/** Those that are right; what is wrong with the others has been told. */
export function readPeople(tree: MapTree | null, report: Report): Readonly<Record<string, Person>> {
  const isOdd = (path: string): boolean =>
    report.diagnostics.some((each) => each.path === path || each.path.startsWith(`${path}.`))
  const sound = entriesOf(childOf(tree ?? undefined, 'people')).filter(({ value }) => !isOdd(value.path))
  return Object.fromEntries(
    sound.map(({ key, value }) => [
      key,
      {
        groups: itemsOf(childOf(value, 'groups')).map((group) => textOf(group) ?? ''),
        may: itemsOf(childOf(value, 'may')).flatMap((given) =>
          GIVEN_RIGHTS.filter((right) => right === textOf(given)),
        ),
      },
    ]),
  )
}

/** Whoever can write to a project must not say who may answer. */
export function refusePeople(tree: MapTree | null, report: Report): void {
  const entry = entryOf(tree ?? undefined, 'people')
  if (entry === undefined) return
  report.add({
    code: 'config',
    at: entry.at,
    path: 'people',
    message: 'A project cannot say who may answer.',
    help: 'Move `people` to your own config; signalbox doctor tells where that is.',
  })
}
