/**
 * Steps run one at a time, so `depends_on` is read as an order: among the steps whose dependencies have gone
 * before, the first of the file comes next.
 */
import { didYouMean } from '../../model/nearest.ts'
import { under } from '../tree.ts'
import type { Problems } from './problems.ts'
import { createQueue } from './queue.ts'
import type { Dependency, StepDraft } from './step.ts'

/** Where the dependencies go in a circle, that is reported and the file's order stands. */
export function orderSteps(steps: readonly StepDraft[], problems: Problems): readonly StepDraft[] {
  const indexes = new Map(steps.map(({ name }, index) => [name, index]))
  const followers = steps.map((): number[] => [])
  const isKnown = (step: StepDraft, { name, at }: Dependency): boolean => {
    if (indexes.has(name) || problems.isFull()) return indexes.has(name)
    const path = under(step.draft.tree.path, 'depends_on')
    const message = `There is no step "${name}" to depend on.`
    problems.add({ code: 'unknown-step', at, path, message, help: didYouMean(name, indexes.keys()) })
    return false
  }
  const waitsFor = steps.map((step, index) => {
    const known = step.dependsOn.filter((dependency) => isKnown(step, dependency))
    for (const { name } of known) followers[indexes.get(name)!]!.push(index)
    return known.length
  })

  const ordered: StepDraft[] = []
  const free = createQueue()
  for (const [index, count] of waitsFor.entries()) if (count === 0) free.push(index)
  for (let index = free.pop(); index !== undefined; index = free.pop()) {
    ordered.push(steps[index]!)
    for (const follower of followers[index]!) {
      waitsFor[follower]! -= 1
      if (waitsFor[follower] === 0) free.push(follower)
    }
  }
  if (ordered.length === steps.length) return ordered
  const waiting = steps.filter((_, index) => waitsFor[index]! > 0)
  reportCircle(waiting, problems)
  return steps
}

/** Every waiting step waits for another waiting one, so following them must come back to a step already met. */
function reportCircle(waiting: readonly StepDraft[], problems: Problems): void {
  const byName = new Map(waiting.map((step) => [step.name, step]))
  const met = new Set<StepDraft>()
  let step = waiting[0]!
  while (!met.has(step)) {
    met.add(step)
    step = byName.get(step.dependsOn.find(({ name }) => byName.has(name))!.name)!
  }
  const walk = [...met]
  const circle = [...walk.slice(walk.indexOf(step)), step].map(({ name }) => name)
  const first = step.dependsOn.find(({ name }) => name === circle[1])!
  problems.add({
    code: 'depends-on-cycle',
    at: first.at,
    path: under(step.draft.tree.path, 'depends_on'),
    message: `These steps wait for each other: ${short(circle).join(' → ')}.`,
    help: 'Take one of these names out of depends_on.',
  })
}

const short = (names: readonly string[]): readonly string[] =>
  names.length <= 12 ? names : [...names.slice(0, 10), '…', names.at(-1)!]
