/**
 * Where an instant stands on the axis. Long silences are drawn shorter than they were, or a night's wait would leave no room for the work before
 * it: every gap between two things that happened has the width of its square root.
 */
export interface AxisScale {
  /** In percent of the axis. */
  readonly place: (at: number) => number
  readonly ticks: readonly { readonly at: number; readonly place: number }[]
}

const TICKS = 5
/** A gap that can still be seen. */
const LEAST = 12

export function scaleOf(instants: readonly number[]): AxisScale {
  const known = [...new Set(instants)].sort((one, other) => one - other)
  const [first = 0] = known
  const last = known.at(-1) ?? first
  const widths = known.map((at, index) =>
    index === 0 ? 0 : Math.max(LEAST, Math.sqrt(at - known[index - 1]!)),
  )
  const whole = widths.reduce((sum, width) => sum + width, 0)
  const places: number[] = []
  let sum = 0
  for (const width of widths) {
    sum += width
    places.push(whole === 0 ? 0 : (sum / whole) * 100)
  }

  const place = (at: number): number => {
    if (at <= first) return 0
    if (at >= last) return 100
    const next = known.findIndex((each) => each > at)
    const [before, after] = [known[next - 1]!, known[next]!]
    const share = (at - before) / (after - before)
    return places[next - 1]! + (places[next]! - places[next - 1]!) * share
  }
  return { place, ticks: ticksOf(known, places) }
}

/** The instants nearest to equal distances, none of them so near to another that their texts would touch. */
function ticksOf(known: readonly number[], places: readonly number[]): AxisScale['ticks'] {
  const ticks: { at: number; place: number }[] = []
  for (let index = 0; index < TICKS; index++) {
    const wanted = (index * 100) / (TICKS - 1)
    let best = 0
    for (const [at, place] of places.entries())
      if (Math.abs(place - wanted) < Math.abs(places[best]! - wanted)) best = at
    const at = known[best]
    const place = places[best]
    if (at === undefined || place === undefined) continue
    if (ticks.every((tick) => Math.abs(tick.place - place) > 12)) ticks.push({ at, place })
  }
  return ticks
}

/** The first, the last, and between them those that have so much room to both sides. */
export function apart(ticks: AxisScale['ticks'], room: number): AxisScale['ticks'] {
  const last = ticks.at(-1)
  const kept: AxisScale['ticks'][number][] = []
  for (const tick of ticks) {
    const before = kept.at(-1)?.place ?? -room
    if (tick === last || (tick.place - before >= room && (last?.place ?? 100) - tick.place >= room))
      kept.push(tick)
  }
  return kept
}
