/** The numbers of an exploration: the longest runs by each measure, and whether all of them end. */
import type { Worst } from '../../src/model/certificate.ts'
import type { Exploration, Way } from './explore.ts'

export interface Measures {
  readonly ends: readonly string[]
  readonly worst: Worst
  readonly faultless: Worst
  /** Step → most visits in one run. */
  readonly visits: Readonly<Record<string, number>>
}

/** Null where some run never ends. */
export function measure(exploration: Exploration): Measures | null {
  const order = endsFirst(exploration, everything)
  const faultless = endsFirst(exploration, ({ faults }) => !faults)
  if (order === null || faultless === null) return null
  const { places, program } = exploration
  return {
    ends: [...new Set(places.flatMap(({ end }) => end ?? []))].sort(),
    worst: worstOf(exploration, order, everything),
    faultless: worstOf(exploration, faultless, ({ faults }) => !faults),
    visits: Object.fromEntries(
      Object.keys(program.steps).map((name) => {
        const enters = ({ entered }: Way): number => entered.filter((step) => step === name).length
        return [name, longest(exploration, order, everything, enters)]
      }),
    ),
  }
}

type Counts = (way: Way) => boolean

const everything: Counts = () => true

function worstOf(exploration: Exploration, order: readonly number[], counts: Counts): Worst {
  const most = (weigh: (way: Way) => number): number => longest(exploration, order, counts, weigh)
  return {
    visits: most(({ entered }) => entered.length),
    dispatches: most(({ dispatches }) => dispatches),
    questions: most(({ flowQuestions, agentQuestions }) => flowQuestions + agentQuestions),
    flowQuestions: most(({ flowQuestions }) => flowQuestions),
    agentQuestions: most(({ agentQuestions }) => agentQuestions),
  }
}

function longest(
  { places, start }: Exploration,
  order: readonly number[],
  counts: Counts,
  weigh: (way: Way) => number,
): number {
  const most = new Array<number>(places.length).fill(0)
  for (const place of order)
    for (const way of places[place]!.ways)
      if (counts(way)) most[place] = Math.max(most[place]!, weigh(way) + most[way.to]!)
  return weigh(start) + most[start.to]!
}

/** The places that can be reached, each after all that it leads to; null where one leads back to itself. */
function endsFirst({ places, start }: Exploration, counts: Counts): number[] | null {
  const order: number[] = []
  const seen = new Map<number, 'open' | 'done'>()
  const open = [{ place: start.to, next: 0 }]
  seen.set(start.to, 'open')
  while (open.length > 0) {
    const top = open[open.length - 1]!
    const way = places[top.place]!.ways[top.next++]
    if (way === undefined) {
      seen.set(top.place, 'done')
      order.push(top.place)
      open.pop()
    } else if (counts(way)) {
      const known = seen.get(way.to)
      if (known === 'open') return null
      if (known === undefined) {
        seen.set(way.to, 'open')
        open.push({ place: way.to, next: 0 })
      }
    }
  }
  return order
}
