/** What stands at which place of a sandbox's file system, as data. Whatever nobody speaks of is not there. */
import { join } from 'node:path'
import type { Access } from './sandbox.ts'

export type Mount =
  | { readonly kind: 'bind'; readonly at: string; readonly from: string; readonly access: Access }
  /** Nothing, for ever: only what is shown further inside. */
  | { readonly kind: 'empty'; readonly at: string }
  /** Empty, can be written to, is forgotten afterwards. */
  | { readonly kind: 'temporary'; readonly at: string; readonly bytes: number | null }
  /** A file without content. */
  | { readonly kind: 'masked'; readonly at: string }
  | { readonly kind: 'link'; readonly at: string; readonly text: string }
  /** A place to stand in, whatever is there. */
  | { readonly kind: 'folder'; readonly at: string }
  | { readonly kind: 'dev' | 'proc'; readonly at: string }

export const isWithin = (path: string, outer: string): boolean =>
  outer === '/' || path === outer || path.startsWith(`${outer}/`)

/** The mount that decides about a place. */
export function groundOf(mounts: readonly Mount[], path: string): Mount | undefined {
  let ground: Mount | undefined
  for (const mount of mounts)
    if (isWithin(path, mount.at) && (ground === undefined || mount.at.length >= ground.at.length))
      ground = mount
  return ground
}

/** Where on the disk something lies that is seen at a path; null where it lies on none. */
export function behind(ground: Mount, path: string): string | null {
  return ground.kind === 'bind' ? join(ground.from, path.slice(ground.at.length)) : null
}

/**
 * What is outer comes first, so that what is inner covers it. Of two on one path only the later; none that would change
 * nothing; no link where something is already, because it could not be made.
 */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const last = new Map(mounts.map((mount) => [mount.at, mount]))
  const ordered: Mount[] = []
  for (const mount of [...last.values()].sort((one, other) => depthOf(one.at) - depthOf(other.at)))
    if (!isIdle(mount, groundOf(ordered, mount.at))) ordered.push(mount)
  return ordered
}

function isIdle(mount: Mount, ground: Mount | undefined): boolean {
  if (ground === undefined) return false
  switch (mount.kind) {
    case 'bind':
      return (
        ground.kind === 'bind' && ground.access === mount.access && behind(ground, mount.at) === mount.from
      )
    case 'link':
      return ground.kind !== 'empty' && ground.kind !== 'temporary'
    case 'folder':
      return ground.kind === 'bind'
    case 'empty':
    case 'masked':
      return ground.kind === 'empty'
    default:
      return false
  }
}

const depthOf = (path: string) => path.split('/').filter((part) => part !== '').length
