/**
 * The lists that follow from issues (the index, the parts of an issue) are never merged: what stands in them is left out of
 * a merge, and made anew of what came of it.
 */
import { isUtf8 } from 'node:buffer'
import { findingOutdatedLists } from '../../tracker/lists.ts'
import { INDEX } from '../../tracker/tracker.ts'
import { paced, readTrackerPaced } from '../issue/paced.ts'
import { bytesOf } from '../workspace/file-name.ts'
import { gitLine } from '../workspace/git.ts'
import { type IssueFiles, isRegular, type ListedFile, readBlobs, type TrackerPlace } from './issue-files.ts'

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
    // What is no text is nobody's to write anew.
    const texts = new Map(
      inside.flatMap(([path, { id }]) => {
        const bytes = blobs.get(id) ?? new Uint8Array()
        return isUtf8(bytes) ? [[nameOf(path), UTF8.decode(bytes)] as const] : []
      }),
    )
    const tracker = await readTrackerPaced({ folder, files: texts })
    for (const [name, text] of await paced(findingOutdatedLists(tracker))) {
      const path = `${folder}/${name}`
      const file: ListedFile | undefined = files.get(path)
      if (file === undefined || !texts.has(name)) continue
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

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })
