/** Orders of graphs that lie in flat arrays: node → its first edge, edge → the node it leads to. */

export interface FlatGraph {
  /** One more than there are nodes. */
  readonly first: ArrayLike<number>
  readonly to: ArrayLike<number>
}

/** What can be reached from node 0, each node after all it leads to; null where there is a cycle. */
export function backwards({ first, to }: FlatGraph): Int32Array | null {
  const count = first.length - 1
  const order = new Int32Array(count)
  let done = 0
  const mark = new Uint8Array(count)
  const next = Int32Array.from(first)
  const open: number[] = [0]
  mark[0] = 1
  while (open.length > 0) {
    const id = open[open.length - 1]!
    const edge = next[id]!
    if (edge === first[id + 1]) {
      mark[id] = 2
      order[done++] = id
      open.pop()
      continue
    }
    next[id] = edge + 1
    const target = to[edge]!
    if (mark[target] === 1) return null
    if (mark[target] === 0) {
      mark[target] = 1
      open.push(target)
    }
  }
  return order.subarray(0, done)
}
