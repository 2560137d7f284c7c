/**
 * The files of a runbook: the one that a person names, and those that it names itself. All are read inside one root: the
 * repository around the runbook, or its own folder where there is none.
 */
import { lstatSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { type NotInside, type Place, placeIn } from '../../host/inside/place.ts'
import { MAX_FILE_BYTES, readInside } from '../../host/inside/read-inside.ts'
import { codeFrom } from '../../host/workspace/file-error.ts'
import type { FileRead, ReadFile } from '../../runbook/compile/scope.ts'

export interface RunbookFilePlace extends Place {
  /** It lies among files that have nothing to do with it, as in the home folder, and is read without any of them. */
  readonly isAlone: boolean
  readonly isInRepository: boolean
}

/** Where a file lies that a person names. */
export function placeOfFile(file: string): RunbookFilePlace | NotInside {
  const path = resolve(file)
  const [repository, ...around] = repositoriesAround(dirname(path))
  const folder = repository ?? dirname(path)
  const isInRepository = repository !== undefined
  const outer = around.at(-1)
  const found = placeIn(folder, relative(folder, path))
  if ('why' in found) return found
  const place = {
    ...found,
    isInRepository,
    isAlone: !isInRepository && MIXED.some((each) => holds(folder, each())),
  }
  if (outer === undefined) return place
  // A repository that is reached through a link of the one around it was chosen by that one, and by nobody else.
  return realpathSync(folder) === join(realpathSync(outer), relative(outer, folder))
    ? place
    : { why: `lies behind a link of ${outer}, which is not followed. Name it by its real path` }
}

/** Reads what the runbook at this place names, relative to the file that names it. */
export function readerAt(
  { root, isAlone }: RunbookFilePlace,
  onRead: (place: Place) => void = () => {},
): ReadFile {
  return (path, from) => {
    if (isAlone)
      return {
        kind: 'unreadable',
        why: `lies in ${root}, among other things. Put the runbook and what it names into a folder of their own`,
      }
    const folder = relative(root, dirname(resolve(from)))
    const place = placeIn(root, path, folder === '' ? [] : folder.split('/'))
    if ('why' in place) return { kind: 'unreadable', why: place.why }
    const read = textAt(place)
    if (read.kind === 'text') onRead(place)
    return read
  }
}

/** A text file that a person names. */
export function readNamedFile(file: string): FileRead {
  const place = placeOfFile(file)
  return 'why' in place ? { kind: 'unreadable', why: place.why } : textAt(place)
}

function textAt(place: Place): FileRead {
  const read = readInside(place, { maxBytes: MAX_FILE_BYTES })
  if ('why' in read) return { kind: 'unreadable', why: read.why }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(read.bytes)
    return { kind: 'text', text, file: fromHere(join(place.root, ...place.names)) }
  } catch {
    return { kind: 'unreadable', why: 'is not UTF-8 text' }
  }
}

/** As a person would name it from where they stand. */
function fromHere(file: string): string {
  const near = relative(process.cwd(), file)
  return near.startsWith('..') ? file : near
}

/** The innermost first. One that holds the user's whole home says nothing of what belongs together in it. */
function repositoriesAround(dir: string): string[] {
  const found: string[] = []
  for (let folder = dir; ; folder = dirname(folder)) {
    if (isThere(join(folder, '.git')) && !holds(folder, homedir())) found.push(folder)
    if (folder === dirname(folder)) return found
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path) !== undefined
  } catch (error) {
    codeFrom(error)
    return false
  }
}

/** Folders of everything. */
const MIXED = [homedir, tmpdir]

const holds = (folder: string, inner: string): boolean =>
  `${realPathOf(inner)}/`.startsWith(`${realPathOf(folder)}/`.replace('//', '/'))

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
