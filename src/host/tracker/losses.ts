/** What a change would take from issues: each that would be gone, or lose most of its text. A person says whether it may. */
import { lossIn } from '../../tracker/run-change.ts'
import { someNames } from '../workspace/file-name.ts'
import { idOfPath } from './issue-change.ts'
import { differences, type IssueFiles, readBlobs, type TrackerPlace } from './issue-files.ts'

export async function lossesIn(
  { git }: TrackerPlace,
  { before, after }: { readonly before: IssueFiles; readonly after: IssueFiles },
): Promise<readonly string[]> {
  const paths = differences(before, after).filter((path) => before.has(path) && idOfPath(path) !== null)
  const ids = paths.flatMap((path) => [before, after].flatMap((files) => files.get(path)?.id ?? []))
  const blobs = await readBlobs(git, ids)
  const textOf = (files: IssueFiles, path: string): string | null => {
    const file = files.get(path)
    return file === undefined ? null : new TextDecoder().decode(blobs.get(file.id))
  }
  return paths.flatMap((path) => {
    const text = textOf(after, path)
    const loss =
      text === null ? 'it is taken away' : lossIn({ path, before: textOf(before, path), after: text })
    return loss === null ? [] : [`${someNames([path])}: ${loss}`]
  })
}

/** The first of them. */
export const lossesText = (losses: readonly string[]): string =>
  losses.length > MAX_NAMED
    ? `${losses.slice(0, MAX_NAMED).join('; ')}; and ${losses.length - MAX_NAMED} more`
    : losses.join('; ')

const MAX_NAMED = 5
