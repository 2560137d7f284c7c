/** Numbers that come out smallest first: a binary heap, because a file may hold tens of thousands of steps. */

export interface Queue {
  push(value: number): void
  pop(): number | undefined
}

export function createQueue(): Queue {
  const heap: number[] = []

  const swap = (a: number, b: number): void => {
    const value = heap[a]!
    heap[a] = heap[b]!
    heap[b] = value
  }

  return {
    push: (value) => {
      let at = heap.push(value) - 1
      for (let parent = (at - 1) >> 1; at > 0 && heap[parent]! > heap[at]!; parent = (at - 1) >> 1) {
        swap(at, parent)
        at = parent
      }
    },
    pop: () => {
      if (heap.length < 2) return heap.pop()
      const smallest = heap[0]
      heap[0] = heap.pop()!
      for (let at = 0; ; ) {
        const left = 2 * at + 1
        const right = left + 1
        const child = right < heap.length && heap[right]! < heap[left]! ? right : left
        if (child >= heap.length || heap[at]! <= heap[child]!) return smallest
        swap(at, child)
        at = child
      }
    },
  }
}
