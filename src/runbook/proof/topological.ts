/** Orders of graphs. */

/** In flat arrays: node → its first edge, edge → the node it leads to. */
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

/** Strongly connected parts (Tarjan, without recursion). */
export function components(nodes: readonly number[], next: (node: number) => number[]): number[][] {
  const index = new Map<number, number>()
  const low = new Map<number, number>()
  const stack: number[] = []
  const onStack = new Set<number>()
  const parts: number[][] = []
  for (const root of nodes) {
    if (index.has(root)) continue
    const open: { node: number; to: number[]; at: number }[] = []
    const enter = (node: number) => {
      index.set(node, index.size)
      low.set(node, index.get(node)!)
      stack.push(node)
      onStack.add(node)
      open.push({ node, to: next(node), at: 0 })
    }
    enter(root)
    while (open.length > 0) {
      const top = open[open.length - 1]!
      const to = top.to[top.at++]
      if (to !== undefined) {
        if (!index.has(to)) enter(to)
        else if (onStack.has(to)) low.set(top.node, Math.min(low.get(top.node)!, index.get(to)!))
        continue
      }
      open.pop()
      const parent = open[open.length - 1]
      if (parent !== undefined) low.set(parent.node, Math.min(low.get(parent.node)!, low.get(top.node)!))
      if (low.get(top.node) !== index.get(top.node)) continue
      const part: number[] = []
      for (let node = stack.pop()!; ; node = stack.pop()!) {
        onStack.delete(node)
        part.push(node)
        if (node === top.node) break
      }
      parts.push(part)
    }
  }
  return parts
}
