/**
 * The lists that follow from issues (the index, the parts of an issue) are never merged: what stands in them is left out of
 * a merge, and made anew of what came of it.
 */
import { outdatedLists } from '../../tracker/lists.ts'
import { INDEX, readTracker } from '../../tracker/tracker.ts'
import { bytesOf } from '../workspace/file-name.ts'
import { gitLine } from '../workspace/git.ts'
import { type IssueFiles, isRegular, type ListedFile, readBlobs, type TrackerPlace } from './issue-files.ts'

const LISTS = ['index', 'sub-issues'] as const

/** A text with its lists empty. */
export function withoutLists(text: string): string {
  return LISTS.reduce((rest, name) => {
    const [begin, end] = [`<!-- signalbox:${name} -->`, `<!-- /signalbox:${name} -->`]
    const from = rest.indexOf(begin)
    const to = from < 0 ? -1 : rest.indexOf(end, from)
    return to < 0 ? rest : `${rest.slice(0, from + begin.length)}\n${rest.slice(to)}`
  }, text)
}

export const isIndex = (path: string): boolean => path.endsWith(`/${INDEX}`)

/** No file is added: where nobody keeps an index, none is begun. */
export async function withFreshLists(place: TrackerPlace, files: IssueFiles): Promise<IssueFiles> {
  const fresh = new Map(files)
  for (const folder of place.folders) {
    const inside = [...files].filter(([path, file]) => isRegular(file) && isDirectlyIn(path, folder))
    if (inside.length === 0) continue
    const blobs = await readBlobs(
      place.git,
      inside.map(([, { id }]) => id),
    )
    const nameOf = (path: string): string => path.slice(folder.length + 1)
    const texts = inside.map(([path, { id }]) => [nameOf(path), textOf(blobs.get(id))] as const)
    for (const [name, text] of outdatedLists(readTracker({ folder, files: new Map(texts) }))) {
      const path = `${folder}/${name}`
      const file: ListedFile | undefined = files.get(path)
      if (file === undefined) continue
      const id = await gitLine(['hash-object', '-w', '--no-filters', '--stdin'], {
        ...place.git,
        input: bytesOf(text),
      })
      fresh.set(path, { ...file, id })
    }
  }
  return fresh
}

const isDirectlyIn = (path: string, folder: string): boolean =>
  path.startsWith(`${folder}/`) && path.endsWith('.md') && !path.includes('/', folder.length + 1)

const textOf = (bytes: Uint8Array = new Uint8Array()): string => new TextDecoder().decode(bytes)
