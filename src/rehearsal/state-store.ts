/**
 * The states that were met, each by its whole fingerprint: nothing is hashed away, so two that differ are never taken
 * for one. Keys lie in one flat array and are found by open addressing; a map of texts would take ten times the room.
 */

export interface StateStore {
  readonly size: number
  /** The number of this fingerprint; the next free one where it was not met before. */
  idOf(key: ArrayLike<number>): number
}

const FIRST_ROOM = 1024

/** `width`: how many numbers a fingerprint has, each a whole one that a double holds exactly. */
export function createStateStore(width: number): StateStore {
  let size = 0
  let keys = new Float64Array(FIRST_ROOM * width)
  // Twice as many slots as keys; each holds a number, plus one.
  let slots = new Int32Array(FIRST_ROOM * 2)

  const isAt = (id: number, key: ArrayLike<number>): boolean => {
    for (let at = 0, its = id * width; at < width; at++) if (keys[its + at] !== key[at]) return false
    return true
  }

  const slotOf = (key: ArrayLike<number>, from: number): number => {
    const mask = slots.length - 1
    let slot = hashOf(key, from, width) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    return slot
  }

  const grow = (): void => {
    const larger = new Float64Array(keys.length * 2)
    larger.set(keys)
    keys = larger
    slots = new Int32Array(slots.length * 2)
    for (let id = 0; id < size; id++) slots[slotOf(keys, id * width)] = id + 1
  }

  return {
    get size() {
      return size
    },
    idOf: (key) => {
      const mask = slots.length - 1
      let slot = hashOf(key, 0, width) & mask
      for (; slots[slot] !== 0; slot = (slot + 1) & mask)
        if (isAt(slots[slot]! - 1, key)) return slots[slot]! - 1
      if ((size + 1) * width > keys.length) {
        grow()
        slot = slotOf(key, 0)
      }
      for (let at = 0, its = size * width; at < width; at++) keys[its + at] = key[at]!
      slots[slot] = size + 1
      return size++
    },
  }
}

const HALF = 2 ** 32

/** Only says where to look first. */
function hashOf(key: ArrayLike<number>, from: number, width: number): number {
  let hash = 0
  for (let at = from; at < from + width; at++) {
    hash = Math.imul(hash ^ key[at]!, 0x9e3779b1)
    hash = Math.imul(hash ^ (hash >>> 15) ^ (key[at]! / HALF), 0x85ebca6b)
  }
  return (hash ^ (hash >>> 13)) >>> 1
}
