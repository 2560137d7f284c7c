/**
 * What was found out about an inlined flow serves every runbook around it: each file of a family of flows is checked
 * by itself, and without this the innermost would be walked again for each file around it.
 *
 * A level is known by its shape: everything about it that a walk through it can depend on. It is kept as long as the
 * contract of its first step lives, which all programs share that the flow was written into.
 */
import type { LevelTallies } from './carried.ts'
import { layoutOf } from './layout.ts'
import type { LevelWalk } from './level-walk.ts'
import type { Level, Levels, WayArm } from './levels.ts'
import { createWalk, type Search, type Summary } from './walk.ts'

export interface KnownLevel {
  readonly number: number
  /** Where it was entered and with which values → every way it can be left. */
  readonly found: Map<string, readonly Left[]>
  /** Once it had too many states to look at all of them. */
  isTooLarge: boolean
}

interface Left {
  /** Which of its exits, or -1 where nothing leads on. */
  readonly exit: number
  readonly values: readonly number[]
}

const shapes = new WeakMap<object, Map<string, KnownLevel>>()
let shapesMet = 0

/** The shape of each inlined flow. Some are known before. */
export function shapesOf(
  levels: Levels,
  tallies: ReadonlyMap<Level, LevelTallies>,
  known: ReadonlyMap<Level, KnownLevel>,
): Map<Level, KnownLevel> {
  const found = new Map(known)
  for (const level of levels.levels) {
    if (level.around === null || found.has(level)) continue
    const text = shapeText(levels, level, tallies, found)
    const anchor = anchorOf(levels, level)
    const anchored = shapes.get(anchor) ?? new Map<string, KnownLevel>()
    shapes.set(anchor, anchored)
    const shape = anchored.get(text) ?? { number: ++shapesMet, found: new Map(), isTooLarge: false }
    anchored.set(text, shape)
    found.set(level, shape)
  }
  return found
}

/** A walk that only tells how the level can be left, and walks through it where that is not known yet. */
export function createKnownWalk(
  { tallies, search }: Pick<Levels, 'tallies'> & { readonly search: Search },
  level: Level,
  shape: KnownLevel,
  carried: readonly number[],
  /** Null where it cannot be walked. */
  walkThrough: (() => LevelWalk) | null,
): LevelWalk {
  const { found } = shape
  const entries = [...level.entries]
  const exits = [...level.exits]
  const digits = [...layoutOf(carried, tallies).digits.values()]
  const valuesOf = (code: number) => digits.map(({ place, radix }) => Math.floor(code / place) % radix)
  const codeOf = (values: readonly number[]) =>
    values.reduce((code, value, at) => code + value * digits[at]!.place, 0)
  const left: { to: number; code: number }[] = []
  const summaries = new Map<string, Summary>()
  const walk = createWalk(() => false)
  let real: LevelWalk | null = null

  const walked = (node: number, code: number): readonly Left[] | null => {
    if (shape.isTooLarge) search.isTooLarge = true
    if (search.isTooLarge || walkThrough === null) return null
    real ??= walkThrough()
    const lefts = real.left
    const summary = real.enter(node, code)
    shape.isTooLarge = search.isTooLarge
    return (
      summary?.outcomes.map((outcome) => ({
        exit: exits.indexOf(lefts[outcome]!.to),
        values: valuesOf(lefts[outcome]!.code),
      })) ?? null
    )
  }

  return {
    enter: (node, code) => {
      const key = `${entries.indexOf(node)}:${valuesOf(code).join()}`
      const known = summaries.get(key)
      if (known !== undefined) return known
      const ways = found.get(key) ?? walked(node, code)
      if (ways === null) return null
      found.set(key, ways)
      const outcomes = ways.map(
        ({ exit, values }) => left.push({ to: exits[exit] ?? -1, code: codeOf(values) }) - 1,
      )
      const summary = { walk, order: new Int32Array(0), outcomes }
      summaries.set(key, summary)
      return summary
    },
    left,
    parts: new Map(),
    taken: new Set(),
    isWhole: false,
  }
}

function anchorOf({ graph }: Levels, level: Level): object {
  for (const node of level.own) {
    const step = graph.program.steps[graph.nodes[node]!.name]
    if (step !== undefined) return step.contract
  }
  return graph
}

/** Nodes, levels inside, exits and tallies by their places, so that the names around it make no difference. */
function shapeText(
  { ways, tallies }: Levels,
  level: Level,
  all: ReadonlyMap<Level, LevelTallies>,
  inside: ReadonlyMap<Level, KnownLevel>,
): string {
  const { uses, carried } = all.get(level)!
  const used = [...uses.keys()]
  const places = new Map<number, string>()
  for (const node of level.own) places.set(node, `${places.size}`)
  for (const node of level.inner.keys()) places.set(node, `${places.size}`)
  for (const node of level.exits) places.set(node, `${ways[node]!.length === 0 ? 'e' : 'x'}${places.size}`)
  const tallyText = (some: readonly number[]) => some.map((tally) => used.indexOf(tally)).join()
  const nodeText = (some: Iterable<number>) => Array.from(some, (node) => places.get(node)).join()
  const armText = ({ arm: { to, bound }, tally, restarts, beginsPass }: WayArm): string => {
    const asked = bound === null ? '' : bound.kind === 'max' ? `<${bound.times}` : '>0'
    const again = restarts === null ? [] : used.filter((one) => tallies.startsAgain(restarts, one))
    return `${places.get(to)} ${used.indexOf(tally)}${asked}${beginsPass ? '!' : ''} ${tallyText(again)}`
  }
  return [
    ...level.own.map((node) => ways[node]!.map(({ arms }) => arms.map(armText).join('|')).join('&')),
    ...Array.from(level.inner, ([node, inner]) =>
      [
        inside.get(inner)!.number,
        [...inner.entries].indexOf(node),
        nodeText(inner.exits),
        tallyText(all.get(inner)!.carried),
      ].join(':'),
    ),
    nodeText(level.entries),
    tallyText(carried),
  ].join('\n')
}
