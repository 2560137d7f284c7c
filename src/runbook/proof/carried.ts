/** The tallies of each level: who uses them, and which of them pass its border. */
import { contains, type Level, type Levels, type WayArm } from './levels.ts'

export interface LevelTallies {
  /** Tally → where in the level it is asked for, and where one is when it has just changed. */
  readonly uses: ReadonlyMap<number, TallyUse>
  /** The tallies the level must be given when it is entered, and gives back when it is left. */
  readonly carried: readonly number[]
}

export interface TallyUse {
  readonly asked: number[]
  readonly changed: number[]
}

export function talliesByLevel(levels: Levels): Map<Level, LevelTallies> {
  const found = new Map<Level, LevelTallies>()
  const homes = homesOf(levels)
  const fresh = freshLevels(levels)
  for (const level of levels.levels) {
    const uses = usesIn(levels, level, found)
    const isAtHome = (tally: number) =>
      fresh.has(level) && contains(level, homes[tally]!) && levels.tallies.isCounterOf(level.scope, tally)
    const carried = level.around === null ? [] : [...uses.keys()].filter((tally) => !isAtHome(tally))
    found.set(level, { uses, carried })
  }
  return found
}

function usesIn(
  { ways, levelOf }: Levels,
  level: Level,
  found: ReadonlyMap<Level, LevelTallies>,
): Map<number, TallyUse> {
  const uses = new Map<number, TallyUse>()
  const use = (tally: number, node: number, targets: Iterable<number>): void => {
    const known = uses.get(tally) ?? { asked: [], changed: [] }
    uses.set(tally, known)
    known.asked.push(node)
    for (const to of targets) if (contains(level, levelOf[to]!)) known.changed.push(to)
  }
  for (const node of level.own)
    for (const { arms } of ways[node]!)
      for (const { tally, arm } of arms) if (tally >= 0) use(tally, node, [arm.to])
  for (const [node, inner] of level.inner)
    for (const tally of found.get(inner)!.carried) use(tally, node, inner.exits)
  return uses
}

/** Tally → the innermost level around all who ask for it. */
function homesOf({ ways, levelOf, tallies }: Levels): Level[] {
  const homes: Level[] = new Array(tallies.radix.length)
  for (const [node, some] of ways.entries())
    for (const { arms } of some)
      for (const { tally } of arms) {
        if (tally < 0) continue
        let home = homes[tally] ?? levelOf[node]!
        while (!contains(home, levelOf[node]!)) home = home.around!
        homes[tally] = home
      }
  return homes
}

/** The levels whose own counters start again on every way into them. */
function freshLevels({ levels, levelOf, ways }: Levels): Set<Level> {
  const arrivals = new Map<number, { readonly from: number; readonly arm: WayArm }[]>()
  for (const { entering } of levels) for (const { from } of entering) arrivals.set(from, [])
  for (const [from, some] of ways.entries())
    for (const { arms } of some) for (const arm of arms) arrivals.get(arm.arm.to)?.push({ from, arm })
  const fresh = new Set<Level>()
  // Outer ones first: whoever comes straight through a level that is fresh finds everything inside it fresh.
  for (const level of levels.toReversed()) {
    const starts = ({ restarts }: WayArm) =>
      restarts?.scopes.some((scope) => level.scope.startsWith(scope)) === true
    const isFresh = level.entering.every(
      ({ from, arm }) =>
        starts(arm) ||
        arrivals
          .get(from)!
          .every(
            (way) =>
              starts(way.arm) || (fresh.has(levelOf[from]!) && !contains(levelOf[from]!, levelOf[way.from]!)),
          ),
    )
    if (isFresh) fresh.add(level)
  }
  return fresh
}
