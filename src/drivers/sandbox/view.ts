/** A sandbox as the places it is made of: only what exists, by real paths, with the links that lead there. */
import { concealedIn } from './concealed.ts'
import { boundSockets, coversOf } from './foreign-sockets.ts'
import { behind, groundOf, inOrder, isWithin, type Mount } from './mounts.ts'
import { entryAt, hasLink, type RealPath, realPathOf } from './real-path.ts'
import type { Access, Sandbox } from './sandbox.ts'
import { concealedOfSystem, kernelView, systemView } from './system-view.ts'

export interface View {
  readonly mounts: readonly Mount[]
  /** Where it works: at the real place of the working directory. */
  readonly cwd: string
  /** More sockets of the machine would be seen than can be covered one by one. */
  readonly isCrowded: boolean
}

/** Whoever shares the network of the machine could make any number, and a command line has an end. */
const MOST_COVERS = 64

export function viewOf(sandbox: Sandbox, cwd: string): View {
  const { temporaryBytes } = sandbox.limits
  const temporary = (at: string): Mount => ({ kind: 'temporary', at, bytes: temporaryBytes })
  const workplace = realPathOf(cwd)?.path ?? cwd
  const mounts = inOrder([
    { kind: 'empty', at: '/' },
    // A program that is granted no place still has to stand somewhere.
    ...(workplace === '/' ? [] : [{ kind: 'folder', at: workplace } as const]),
    ...systemView(sandbox.system),
    { kind: 'dev', at: '/dev' },
    temporary('/dev/shm'),
    { kind: 'proc', at: '/proc' },
    ...kernelView(),
    temporary('/tmp'),
    ...homeOf(sandbox, temporary),
    ...grantsOf(sandbox),
    ...concealedOf(sandbox),
  ])
  const plain = withoutTraps(mounts)
  const covers = coversOf(plain, boundSockets())
  const isCrowded = covers.length > MOST_COVERS
  return { mounts: isCrowded ? plain : [...plain, ...covers], cwd: workplace, isCrowded }
}

function homeOf({ home }: Sandbox, temporary: (at: string) => Mount): Mount[] {
  if (home === null) return []
  const at = realPathOf(home.at)
  const place = at?.path ?? home.at
  const from = home.from === null ? null : realPathOf(home.from)
  const mount: Mount =
    from === null ? temporary(place) : { kind: 'bind', at: place, from: from.path, access: 'write' }
  return [...linksTo(at), mount]
}

/** What is out of sight within the system and beside programs. What somebody granted by name is shown whole. */
function concealedOf({ system, programs, readable, writable }: Sandbox): readonly Mount[] {
  const granted = [...readable, ...writable].flatMap((path) => realPathOf(path)?.path ?? [])
  const folders = programs.flatMap((path) => {
    const real = realPathOf(path)
    return real?.isDirectory === true ? [real.path] : []
  })
  const beside = concealedIn('names', [...new Set(folders)])
  return [
    ...(system === 'whole' ? concealedOfSystem() : []),
    // A link may lead out of what is shown.
    ...beside.filter(({ at }) => folders.some((folder) => isWithin(at, folder))),
    // What is gone since it was looked for cannot be covered.
  ].filter(({ at }) => !granted.some((path) => isWithin(at, path)) && entryAt(at) !== null)
}

export function grantsOf({ readable, programs, writable, shown, hidden, sockets }: Sandbox): Mount[] {
  // What lies behind something that is shown in its place is not the host's either.
  const foreign = shown.flatMap(({ at, isInHome }) => (isInHome ? [] : (realPathOf(at)?.path ?? [])))
  const place = (path: string, access: Access): Mount[] => {
    const real = realPathOf(path, foreign)
    if (real === null) return []
    if (access === 'write') foreign.push(real.path)
    return [...linksTo(real), { kind: 'bind', at: real.path, from: real.path, access }]
  }
  // The outer ones first, and these before all: what lies inside is judged by whoever writes around it.
  const outerFirst = [...writable].sort((one, other) => one.length - other.length)
  const writes = outerFirst.flatMap((path) => place(path, 'write'))
  const reads = [...readable, ...programs, ...sockets].flatMap((path) => place(path, 'read'))
  const elsewhere = shown.flatMap(({ from, at, access, isInHome = false }): Mount[] => {
    const source = realPathOf(from, foreign)
    if (source === null) return []
    if (isInHome) return [{ kind: 'bind', at, from: source.path, access }]
    const target = realPathOf(at, foreign)
    return [...linksTo(target), { kind: 'bind', at: target?.path ?? at, from: source.path, access }]
  })
  return [...reads, ...writes, ...elsewhere, ...hidden.flatMap(hide)]
}

function hide(path: string): Mount[] {
  const real = realPathOf(path)
  return real === null ? [] : [{ kind: real.isDirectory ? 'empty' : 'masked', at: real.path }]
}

const linksTo = (real: RealPath | null): Mount[] =>
  (real?.links ?? []).map(({ at, text }): Mount => ({ kind: 'link', at, text }))

/**
 * Whoever writes in a folder that is shown elsewhere could lay a link where something else of ours is to be put on top,
 * and have it put at a place outside the sandbox. Then it is not put there at all.
 */
function withoutTraps(mounts: readonly Mount[]): Mount[] {
  return mounts.filter((mount, index) => {
    const ground = groundOf(mounts.slice(0, index), mount.at)
    if (ground?.kind !== 'bind' || ground.from === ground.at || ground.access === 'read') return true
    const place = behind(ground, mount.at)
    return place === null || !hasLink(ground.from, place)
  })
}
