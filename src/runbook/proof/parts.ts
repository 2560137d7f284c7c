/**
 * The parts of a level, and which tallies matter where: those that are still to be asked for from here and may have
 * changed on the way here since they last started. A tally that does not matter does not tell two states apart.
 */
import type { LevelTallies } from './carried.ts'
import type { Restarts } from './flow-graph.ts'
import { contains, type Level, type Levels } from './levels.ts'
import { components } from './topological.ts'

export interface LevelPart {
  readonly members: ReadonlySet<number>
}

export interface LevelParts {
  readonly level: Level
  readonly partOf: ReadonlyMap<number, LevelPart>
  readonly carried: readonly number[]
  /** Node → the tallies that matter there. */
  readonly mattering: ReadonlyMap<number, readonly number[]>
}

export function partsIn(levels: Levels, level: Level, { uses, carried }: LevelTallies): LevelParts {
  const members = [...level.own, ...level.inner.keys()]
  const links = linksIn(levels, level, members)
  const partOf = new Map<number, LevelPart>()
  for (const nodes of components(members, (node) => freeFrom(links.from.get(node)!))) {
    const part = { members: new Set(nodes) }
    for (const node of nodes) partOf.set(node, part)
  }
  const mattering = new Map<number, number[]>(members.map((node) => [node, []]))
  for (const [tally, { asked, changed }] of uses) {
    const isCarried = carried.includes(tally)
    const restarts = ({ restarts: some }: Link) => levels.tallies.startsAgain(some, tally)
    const part = partOf.get(asked[0]!)!
    // Where every new pass starts it again, one that is asked for in one part only matters nowhere else.
    const isLocal =
      !isCarried && asked.every((node) => part.members.has(node)) && links.passes.every(restarts)
    const within = isLocal ? part.members : null
    const touched = spread(isCarried ? [...changed, ...level.entries] : changed, links.from, restarts, within)
    const asking = spread(isCarried ? [...asked, ...links.leaving] : asked, links.into, restarts, within)
    for (const node of asking) if (touched.has(node)) mattering.get(node)!.push(tally)
  }
  return { level, partOf, carried, mattering }
}

/** The tallies that matter at a node the level leads to, inside or outside of it. At an end nothing does. */
export function matteringAt(
  { ways }: Levels,
  { mattering, carried }: LevelParts,
  node: number,
): readonly number[] {
  return mattering.get(node) ?? (ways[node]!.length === 0 ? [] : carried)
}

interface Link {
  /** The other end of it. */
  readonly node: number
  readonly restarts: Restarts | null
  readonly beginsPass: boolean
}

type Links = ReadonlyMap<number, readonly Link[]>

interface LevelLinks {
  readonly from: Links
  readonly into: Links
  readonly passes: readonly Link[]
  /** The nodes from which a run goes on outside the level: what is carried is asked for there. */
  readonly leaving: readonly number[]
}

/** A level inside this one leads at once to all its exits. */
function linksIn({ ways, levelOf }: Levels, level: Level, members: readonly number[]): LevelLinks {
  const from = new Map<number, Link[]>(members.map((node) => [node, []]))
  const into = new Map<number, Link[]>(members.map((node) => [node, []]))
  const passes = new Map<string, Link>()
  const leaving = new Set<number>()
  const link = (node: number, to: number, restarts: Restarts | null, beginsPass: boolean): void => {
    if (!contains(level, levelOf[to]!)) {
      if (ways[to]!.length > 0) leaving.add(node)
      return
    }
    const some = from.get(node)!
    if (
      restarts === null &&
      some.some((one) => one.node === to && one.restarts === null && one.beginsPass === beginsPass)
    )
      return
    some.push({ node: to, restarts, beginsPass })
    into.get(to)!.push({ node, restarts, beginsPass })
    if (beginsPass) passes.set(restartsText(restarts), { node: to, restarts, beginsPass })
  }
  for (const node of members) {
    const inner = level.inner.get(node)
    if (inner !== undefined) for (const to of inner.exits) link(node, to, null, false)
    else
      for (const { arms } of ways[node]!)
        for (const { arm, restarts, beginsPass } of arms) link(node, arm.to, restarts, beginsPass)
  }
  return { from, into, passes: [...passes.values()], leaving: [...leaving] }
}

/** Tells what starts again from anything else that does. */
export const restartsText = (restarts: Restarts | null): string =>
  restarts === null ? '' : `${restarts.scopes.join()} ${restarts.counters.join()}`

const freeFrom = (links: readonly Link[]): number[] =>
  links.flatMap(({ node, beginsPass }) => (beginsPass ? [] : [node]))

/** All nodes that the given ones are joined with, over links that do not stop it, within some nodes or everywhere. */
function spread(
  from: readonly number[],
  links: Links,
  stops: (link: Link) => boolean,
  within: ReadonlySet<number> | null,
): Set<number> {
  const seen = new Set(from)
  for (const node of seen)
    for (const link of links.get(node)!)
      if (!seen.has(link.node) && (within === null || within.has(link.node)) && !stops(link))
        seen.add(link.node)
  return seen
}
