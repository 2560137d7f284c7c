/**
 * The issues as a run that begins now would find them, for whoever stands in the user's checkout: what is committed, what
 * runs changed since, and what the user has not committed yet.
 */
import type { IssueTracker } from '../../tracker/tracker.ts'
import { ISSUE_FOLDERS } from '../issue/issue-folder.ts'
import { openTracker } from '../issue/issues.ts'
import { readTrackerPaced } from '../issue/paced.ts'
import { effectiveTracker } from './effective-tracker.ts'
import { isRegular, readBlobs, type TrackerPlace } from './issue-files.ts'
import { issuesTip, uncommitted } from './sync-issues.ts'

export interface IssuesNow {
  /** The top of the checkout. */
  readonly repo: string
  readonly configured: string | null
  readonly base: string
}

export async function issuesNow({ repo, configured, base }: IssuesNow): Promise<IssueTracker | null> {
  const here = await openTracker({ repo, configured })
  const place: TrackerPlace = {
    git: { cwd: repo },
    folders: configured === null ? ISSUE_FOLDERS : [configured],
  }
  const tip = await issuesTip(place.git)
  if (tip === null) return here
  const { files } = await effectiveTracker(place, { base, tip })
  const folder =
    here?.folder ??
    place.folders.find((each) => [...files.keys()].some((path) => path.startsWith(`${each}/`)))
  if (folder === undefined) return here
  const inside = [...files].filter(([path, file]) => isRegular(file) && path.startsWith(`${folder}/`))
  const blobs = await readBlobs(
    place.git,
    inside.map(([, { id }]) => id),
  )
  const texts = new Map(
    inside.map(([path, { id }]) => [path.slice(folder.length + 1), new TextDecoder().decode(blobs.get(id))]),
  )
  for (const path of await uncommitted(place)) {
    const name = path.slice(folder.length + 1)
    const text = path.startsWith(`${folder}/`) ? here?.files.get(name) : undefined
    if (text !== undefined) texts.set(name, text)
  }
  return readTrackerPaced({ folder, files: texts })
}
