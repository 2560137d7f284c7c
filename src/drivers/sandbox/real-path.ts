/** Where a path really leads, and over which links: a sandbox is made of real places and shows the links to them. */
import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { resolve } from 'node:path'
import { isWithin } from './mounts.ts'

export interface RealPath {
  readonly path: string
  readonly isDirectory: boolean
  readonly links: readonly { readonly at: string; readonly text: string }[]
}

/** As many as the kernel follows. */
const MOST_LINKS = 40

/**
 * Null where it leads to nothing. Also where a link leads out of a place that somebody else writes: such a link would
 * have us grant whatever its author likes.
 */
export function realPathOf(path: string, foreign: readonly string[] = []): RealPath | null {
  const links: { at: string; text: string }[] = []
  const owners: string[] = []
  let parts = partsOf(resolve(path))
  let real = ''
  let isDirectory = true
  while (parts.length > 0) {
    const [name, ...rest] = parts
    const here = `${real}/${name}`
    const found = look(here)
    if (found === null) return null
    isDirectory = found.kind === 'folder'
    if (found.kind === 'link') {
      if (links.length === MOST_LINKS) return null
      links.push({ at: here, text: found.text })
      owners.push(...foreign.filter((owner) => here !== owner && isWithin(here, owner)))
      parts = [...partsOf(resolve(real === '' ? '/' : real, found.text)), ...rest]
      real = ''
    } else {
      real = here
      parts = rest
    }
  }
  const place = real === '' ? '/' : real
  return owners.every((owner) => isWithin(place, owner)) ? { path: place, isDirectory, links } : null
}

/** Whether a link lies on the way from a folder to a path in it, as far as the way exists. */
export function hasLink(folder: string, path: string): boolean {
  let here = folder
  for (const part of partsOf(path.slice(folder.length))) {
    here = `${here}/${part}`
    const found = look(here)
    if (found === null || found.kind === 'link') return found !== null
  }
  return false
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '')

type Found = { readonly kind: 'folder' | 'other' } | { readonly kind: 'link'; readonly text: string }

function look(path: string): Found | null {
  const entry = entryAt(path)
  if (entry === null) return null
  if (entry.isSymbolicLink()) return linkAt(path)
  return { kind: entry.isDirectory() ? 'folder' : 'other' }
}

function linkAt(path: string): Found | null {
  try {
    return { kind: 'link', text: readlinkSync(path) }
  } catch {
    return null
  }
}

/** What is there, without following it; null also where we may not look. */
export function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}
