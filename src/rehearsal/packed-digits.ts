/**
 * Digits of different radixes, packed into as few numbers as hold them exactly. Whoever reads the same radixes in the
 * same order gets the same digits back, so two different rows of digits never give the same numbers. A digit that does
 * not fit its radix is a bug and is thrown: it would be taken for another state.
 */

export interface PackedDigits {
  readonly numbers: Float64Array
  begin(): void
  put(digit: number, radix: number): void
}

export function createPackedDigits(width: number): PackedDigits {
  const numbers = new Float64Array(width)
  let at = 0
  let place = 1
  return {
    numbers,
    begin: () => {
      numbers.fill(0)
      at = 0
      place = 1
    },
    put: (digit, radix) => {
      if (!(digit >= 0 && digit < radix)) throw new Error(`${digit} is no digit of radix ${radix}`)
      if (place * radix > Number.MAX_SAFE_INTEGER) {
        at++
        place = 1
        if (at === width) throw new Error(`more than ${width} numbers of digits`)
      }
      numbers[at]! += digit * place
      place *= radix
    },
  }
}

/** How many numbers hold digits of these radixes, in whatever order they come. */
export function widthFor(radixes: Iterable<number>): number {
  let bits = 0
  let widest = 0
  for (const radix of radixes) {
    bits += Math.log2(radix)
    widest = Math.max(widest, Math.log2(radix))
  }
  // A number may stay empty where the next digit does not fit: by less than that digit.
  return Math.max(1, Math.ceil(bits / (MOST_BITS - widest)))
}

const MOST_BITS = 53
