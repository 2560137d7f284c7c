/**
 * A path that somebody wants shown to a process, followed to where it really leads. Each link on the way is looked at:
 * one that lies where an agent can write was perhaps put there to have something else shown, so it leads nowhere.
 */
import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** Places by the names they were given and by where they really are: see `createGuard`. */
export interface Guard {
  /** Signalbox's own data and the user's config for it: never shown, and nothing that holds them. */
  readonly ours: readonly string[]
  /** What agents can write to, at some time or other. */
  readonly agentsWrite: readonly string[]
}

export function createGuard({ ours, agentsWrite }: Guard): Guard {
  const both = (paths: readonly string[]): string[] => [
    ...new Set(paths.flatMap((path) => [resolve(path), realPath(path) ?? resolve(path)])),
  ]
  return { ours: both(ours), agentsWrite: both(agentsWrite) }
}

export type Grant =
  /** `links` are the places of those that lead from the one to the other. */
  | {
      readonly kind: 'granted'
      readonly at: string
      readonly real: string
      readonly links: readonly string[]
    }
  | { readonly kind: 'missing'; readonly at: string }
  /** It lies in, or its way leads through, a place that agents write. */
  | { readonly kind: 'within'; readonly at: string; readonly place: string }
  | { readonly kind: 'ours'; readonly at: string }

export function resolveGrant(path: string, guard: Guard): Grant {
  const at = resolve(path)
  const { real, links } = follow(at)
  const shaky = [at, ...links, ...(real === null ? [] : [real])]
  const place = guard.agentsWrite.find((each) => shaky.some((where) => isInside(where, each)))
  if (place !== undefined) return { kind: 'within', at, place }
  const touches = (each: string): boolean =>
    [at, real ?? at].some((where) => isWithin(where, each) || isWithin(each, where))
  if (guard.ours.some(touches)) return { kind: 'ours', at }
  return real === null ? { kind: 'missing', at } : { kind: 'granted', at, real, links }
}

/** Where a path leads, or null where that is not there. */
export const realPath = (path: string): string | null => follow(resolve(path)).real

export const isWithin = (path: string, outer: string): boolean => path === outer || isInside(path, outer)

export const isInside = (path: string, outer: string): boolean =>
  path !== outer && path.startsWith(outer === '/' ? outer : `${outer}/`)

/** More would be a circle. */
const MOST_LINKS = 40

/** The places of all links on the way, and of what is linked to. */
function follow(path: string): { readonly real: string | null; readonly links: readonly string[] } {
  const links: string[] = []
  let left = path.split('/').filter((part) => part !== '')
  let here = '/'
  while (left.length > 0) {
    const [part = '', ...rest] = left
    const next = join(here, part)
    const kind = kindOf(next)
    if (kind === 'nothing') return { real: null, links }
    if (kind === 'other') {
      here = next
      left = rest
      continue
    }
    links.push(next)
    if (links.length > MOST_LINKS) return { real: null, links }
    const target = readlinkSync(next)
    const whole = isAbsolute(target) ? target : join(dirname(next), target)
    left = [...whole.split('/').filter((each) => each !== ''), ...rest]
    here = '/'
  }
  return { real: here, links }
}

/** What may not be looked at is as good as not there. */
function kindOf(path: string): 'link' | 'other' | 'nothing' {
  try {
    return lstatSync(path).isSymbolicLink() ? 'link' : 'other'
  } catch {
    return 'nothing'
  }
}
