/**
 * Which file a path means that a repository, an issue branch, a runbook or a config names: one below its root. The words
 * decide here, before any disk is asked. `read-inside.ts` and `write-inside.ts` take nothing else.
 */
import { isAbsolute } from 'node:path'

export interface Place {
  /** The user's: links on the way to it are followed. */
  readonly root: string
  /** Below the root no link is. */
  readonly names: readonly string[]
}

/** A predicate, to stand after the path: `../x leads out of /repo`. */
export interface NotInside {
  readonly why: string
}

/** `from`: the folder below the root that the path starts in. */
export function placeIn(root: string, path: string, from: readonly string[] = []): Place | NotInside {
  if (isAbsolute(path)) return { why: `is an absolute path. Name a file of ${root}, relative to it` }
  const names = [...from]
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) return { why: `leads out of ${root}. Name a file inside it` }
  }
  if (path.includes('\0')) return { why: 'holds a NUL character, which no file name has' }
  if (names.some(isGitName)) return { why: 'belongs to git. Name a file of the project' }
  return { root, names }
}

/** The path of an entry of a git tree, in which git itself would write no `..`. */
export const isPlainPath = (path: string): boolean => {
  const place = placeIn('/', path)
  return 'names' in place && place.names.join('/') === path
}

/** For messages. */
export const pathOf = ({ names }: Place): string => names.join('/')

/** `.git` under every name that some file system takes for it: another case, invisible characters, a short name, a stream. */
const isGitName = (name: string): boolean =>
  /^(?:\.git|git~\d+)[. ]*(?::.*)?$/i.test(
    name.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ''),
  )
