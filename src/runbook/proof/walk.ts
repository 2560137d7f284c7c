/**
 * A walk holds the states of one region (a level, or a part of one) that have been met, and where each leads: to
 * another state, or out of the region, which is an outcome. A state may stand for a whole region inside this one;
 * then it has one move for each outcome that region has from there. A walk grows as it is entered in new states, and
 * every state is looked at once.
 */

export interface GraphWalk {
  /** State → the node it is at. */
  readonly nodes: number[]
  /** State → its moves: the first, and the one after the last; -1 where it was not looked at yet. */
  readonly first: number[]
  readonly end: number[]
  /** Move → the state it leads to, or `~outcome`. */
  readonly to: number[]
  /** State → the way through the region it stands for; null where it is a node of its own. */
  readonly through: (Summary | null)[]
  /** Start → what was found from there. */
  readonly summaries: Map<number, Summary>
  /** Writes down the moves of a state. False: the search is over. */
  readonly lookAt: (state: number) => boolean
  readonly marks: number[]
}

/** Everything that can happen from one state on. */
export interface Summary {
  readonly walk: GraphWalk
  /** Its states, each before all it leads to. */
  readonly order: Int32Array
  readonly outcomes: readonly number[]
}

/** What all walks of one graph share. */
export interface Search {
  moves: number
  readonly mostMoves: number
  /** There are too many states to look at all of them. */
  isTooLarge: boolean
  /** The nodes of a cycle that nothing bounds. */
  cycle: readonly number[] | null
}

export function createWalk(lookAt: (state: number) => boolean): GraphWalk {
  const walk: GraphWalk = {
    nodes: [],
    first: [],
    end: [],
    to: [],
    through: [],
    summaries: new Map(),
    lookAt: (state) => {
      walk.first[state] = walk.to.length
      const goesOn = lookAt(state)
      walk.end[state] = walk.to.length
      return goesOn
    },
    marks: [],
  }
  return walk
}

export function addState(walk: GraphWalk, node: number): number {
  walk.first.push(-1)
  walk.end.push(-1)
  walk.through.push(null)
  walk.marks.push(0)
  return walk.nodes.push(node) - 1
}

/** A move of the state that is being looked at; one that is there already is not added again. */
export function addMove({ to, first }: GraphWalk, state: number, target: number): void {
  for (let move = first[state]!; move < to.length; move++) if (to[move] === target) return
  to.push(target)
}

/** Null where a cycle was met or the search became too large. */
export function summaryFrom(walk: GraphWalk, start: number, search: Search): Summary | null {
  const known = walk.summaries.get(start)
  if (known !== undefined) return known
  // An even mark: on the way there; the odd one after it: done with.
  const open = 2 * walk.summaries.size + 2
  const { marks, first, end, to } = walk
  const way = [start]
  const next = [-1]
  const done: number[] = []
  const outcomes = new Set<number>()
  marks[start] = open
  while (way.length > 0) {
    const at = way.length - 1
    const state = way[at]!
    if (next[at] === -1) {
      if (first[state] === -1 && !walk.lookAt(state)) return null
      next[at] = first[state]!
      search.moves += end[state]! - first[state]!
      if (search.moves > search.mostMoves) search.isTooLarge = true
      if (search.isTooLarge) return null
    }
    const move = next[at]!
    if (move === end[state]) {
      marks[state] = open + 1
      done.push(state)
      way.pop()
      next.pop()
      continue
    }
    next[at] = move + 1
    const target = to[move]!
    if (target < 0) outcomes.add(~target)
    else if (marks[target] === open) {
      search.cycle = way.slice(way.indexOf(target)).map((one) => walk.nodes[one]!)
      return null
    } else if (marks[target] !== open + 1) {
      marks[target] = open
      way.push(target)
      next.push(-1)
    }
  }
  const summary = { walk, order: Int32Array.from(done.reverse()), outcomes: [...outcomes] }
  walk.summaries.set(start, summary)
  return summary
}
