/** A list of whole numbers that only grows, four bytes each. */

export interface GrownNumbers {
  readonly length: number
  push(value: number): void
  at(index: number): number
  /** All of them, without a copy; what is pushed later is not in it. */
  packed(): Int32Array
}

export function createNumbers(): GrownNumbers {
  let values = new Int32Array(1024)
  let length = 0
  return {
    get length() {
      return length
    },
    push: (value) => {
      if (length === values.length) {
        const larger = new Int32Array(length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    at: (index) => values[index]!,
    packed: () => values.subarray(0, length),
  }
}
