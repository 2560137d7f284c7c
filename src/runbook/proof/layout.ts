/** Values of some tallies as the digits of one number, the code; and how a code becomes one of another layout. */
import type { Tallies } from './tallies.ts'

export interface Layout {
  readonly digits: ReadonlyMap<number, Digit>
  /** How many codes there are. */
  readonly size: number
}

interface Digit {
  readonly place: number
  readonly radix: number
}

export function layoutOf(tallies: Iterable<number>, { radix }: Tallies): Layout {
  const digits = new Map<number, Digit>()
  let place = 1
  for (const tally of tallies) {
    digits.set(tally, { place, radix: radix[tally]! })
    place *= radix[tally]!
  }
  return { digits, size: place }
}

/** What happens on the way from one layout to the other. */
export interface TallyChange {
  /** What is added to one tally. */
  readonly paid: { readonly tally: number; readonly adds: number } | null
  restarts(tally: number): boolean
}

export const NO_CHANGE: TallyChange = { paid: null, restarts: () => false }

/** A code of the first layout, with one of the second, becomes one of the layout they lead to. */
export type Transfer = (code: number, second: number) => number

/** A tally comes from the first layout that has it; one that neither has can only have its initial value. */
export function transferTo(
  target: Layout,
  from: readonly [Layout] | readonly [Layout, Layout],
  change: TallyChange,
  { initial }: Tallies,
): Transfer {
  const moves: number[][] = [[], []]
  let plus = 0
  for (const [tally, { place }] of target.digits) {
    if (change.restarts(tally)) continue
    const source = from.findIndex((layout) => layout.digits.has(tally))
    plus += place * (change.paid?.tally === tally ? change.paid.adds : 0)
    if (source < 0) plus += place * initial[tally]!
    else {
      const digit = from[source]!.digits.get(tally)!
      moves[source]!.push(digit.place, digit.radix, place)
    }
  }
  const [first, second] = moves as [number[], number[]]
  if (second.length > 0) return (code, more) => plus + moved(code, first) + moved(more, second)
  if (first.length === 0) return () => plus
  return isSame(target, from[0]) && first.length === 3 * target.digits.size
    ? (code) => code + plus
    : (code) => plus + moved(code, first)
}

function moved(code: number, moves: readonly number[]): number {
  let next = 0
  for (let at = 0; at < moves.length; at += 3)
    next += (Math.floor(code / moves[at]!) % moves[at + 1]!) * moves[at + 2]!
  return next
}

function isSame(one: Layout, other: Layout): boolean {
  if (one.size !== other.size || one.digits.size !== other.digits.size) return false
  for (const [tally, { place }] of one.digits) if (other.digits.get(tally)?.place !== place) return false
  return true
}

/** What a tally is worth, read from the first layout that has it. */
export function readerOf(
  tally: number,
  from: readonly [Layout] | readonly [Layout, Layout],
  { initial }: Tallies,
): Transfer {
  const source = from.findIndex((layout) => layout.digits.has(tally))
  if (source < 0) return () => initial[tally]!
  const { place, radix } = from[source]!.digits.get(tally)!
  return source === 0
    ? (code) => Math.floor(code / place) % radix
    : (_code, second) => Math.floor(second / place) % radix
}
