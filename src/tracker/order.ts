/** The order that dependencies give: whoever waits for another stands right below the last one it waits for. */
import { byIssueId, type Issue } from './issue.ts'

export interface OrderedIssue {
  readonly issue: Issue
  /** How many stand above it in its chain; 0 for one that waits for none of these. */
  readonly depth: number
  /** Its dependencies go in a circle. */
  readonly isInCircle: boolean
}

/** Only dependencies between these count. */
export function inDependencyOrder(issues: readonly Issue[]): OrderedIssue[] {
  const sorted = issues.toSorted(byIssueId)
  const here = new Set(sorted.map(({ id }) => id))
  const waiting = new Map<string, number>()
  const dependents = new Map<string, Issue[]>()
  for (const issue of sorted) {
    const needs = [...new Set(issue.dependsOn)].filter((id) => here.has(id))
    waiting.set(issue.id, needs.length)
    for (const id of needs) {
      const others = dependents.get(id)
      if (others === undefined) dependents.set(id, [issue])
      else others.push(issue)
    }
  }
  const order: OrderedIssue[] = []
  // Not by calling itself: a chain may be as long as there are issues.
  const stack = sorted
    .filter(({ id }) => waiting.get(id) === 0)
    .map((issue) => ({ issue, depth: 0 }))
    .toReversed()
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { issue, depth } = next
    order.push({ issue, depth, isInCircle: false })
    const freed = (dependents.get(issue.id) ?? []).filter(({ id }) => {
      waiting.set(id, (waiting.get(id) ?? 0) - 1)
      return waiting.get(id) === 0
    })
    for (const each of freed.toReversed()) stack.push({ issue: each, depth: depth + 1 })
  }
  const placed = new Set(order.map(({ issue }) => issue.id))
  const left = sorted.filter(({ id }) => !placed.has(id))
  return [...order, ...left.map((issue) => ({ issue, depth: 0, isInCircle: true }))]
}

/** A way from an issue back to itself, each by its id; null where there is none. */
export function circleFrom(start: string, next: (id: string) => readonly string[]): readonly string[] | null {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const id of queue)
    for (const other of next(id)) {
      if (other === start) return [...wayTo(id, cameFrom), start]
      if (cameFrom.has(other)) continue
      cameFrom.set(other, id)
      queue.push(other)
    }
  return null
}

function wayTo(id: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [id]
  for (let at = cameFrom.get(id); at !== undefined; at = cameFrom.get(at)) way.unshift(at)
  return way
}
