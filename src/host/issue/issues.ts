/** The issues of a repository: read as a tracker, changed as a whole, one change at a time. */
import { join } from 'node:path'
import { issueText, type NewIssue } from '../../tracker/issue-text.ts'
import { findingOutdatedLists } from '../../tracker/lists.ts'
import { type IssueRefusal, isRefused, refuse } from '../../tracker/refusal.ts'
import { type IssueTracker, withFiles } from '../../tracker/tracker.ts'
import { findFolder, type IssuePlace, LARGEST_ISSUE, readFiles, writeFiles } from './issue-folder.ts'
import { claimIds, sharedFolder } from './issue-ids.ts'
import { withLock } from './issue-lock.ts'
import { paced, readTrackerPaced } from './paced.ts'

/** Null where there is no folder of issues. */
export async function openTracker(place: IssuePlace): Promise<IssueTracker | null> {
  const { folder, isThere } = await findFolder(place)
  return isThere ? trackerIn({ repo: place.repo, folder }) : null
}

export const trackerMissing = ({ configured }: Pick<IssuePlace, 'configured'>): IssueRefusal =>
  refuse(
    'tracker-missing',
    configured === null
      ? 'There are no issues here: neither .signalbox/issues nor TODO is a folder of the repository. signalbox issue new "TITLE" makes one.'
      : `There are no issues here: ${configured}, which the config names, is no folder of the repository. signalbox issue new "TITLE" makes it.`,
  )

export type TrackerChange = (tracker: IssueTracker) => ReadonlyMap<string, string> | IssueRefusal

/** What the change makes of the files is written, with the lists that follow from them. Gives the tracker as it is then. */
export async function changeTracker(
  place: IssuePlace,
  change: TrackerChange,
): Promise<IssueTracker | IssueRefusal> {
  const { folder, isThere } = await findFolder(place)
  if (!isThere) return trackerMissing(place)
  return withLock(lockFile(place, await sharedFolder(place.repo)), () =>
    changed({ ...place, folder }, change),
  )
}

export interface FiledIssues {
  readonly ids: readonly string[]
  readonly tracker: IssueTracker
}

/** New ones, which may name each other: their ids are known before their texts are made. */
export async function fileIssues(
  place: IssuePlace,
  {
    count,
    drafts,
  }: {
    count: number
    drafts: (ids: readonly string[], tracker: IssueTracker) => readonly NewIssue[] | IssueRefusal
  },
): Promise<FiledIssues | IssueRefusal> {
  const { folder } = await findFolder(place)
  const shared = await sharedFolder(place.repo)
  return withLock(lockFile(place, shared), async () => {
    let ids: readonly string[] = []
    const tracker = await changed({ ...place, folder }, async (before) => {
      // Asked twice: whether they can be filed at all is known before a number is taken for them.
      const trial = drafts(
        Array.from({ length: count }, () => '?'),
        before,
      )
      if (isRefused(trial)) return trial
      ids = await claimIds({ tracker: before, shared, count })
      const made = drafts(ids, before)
      if (isRefused(made)) return made
      return new Map(made.map((draft, at) => [`${ids[at]}.md`, issueText(ids[at] ?? '', draft)]))
    })
    return isRefused(tracker) ? tracker : { ids, tracker }
  })
}

/** Without git, beside the issues' folder: whoever shares the issues shares that as well. */
const lockFile = ({ repo }: Pick<IssuePlace, 'repo'>, shared: string | null): string =>
  shared === null ? join(repo, '.signalbox-issues.lock') : join(shared, 'issues.lock')

/** Somebody without a lock may write meanwhile: an editor, git. Then it is done again, on what there is then. */
const MOST_TRIES = 20

interface OpenPlace {
  readonly repo: string
  readonly folder: string
}

async function changed(
  place: OpenPlace,
  change: (tracker: IssueTracker) => ReturnType<TrackerChange> | Promise<ReturnType<TrackerChange>>,
): Promise<IssueTracker | IssueRefusal> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await trackerIn(place)
    const made = await change(before)
    if (isRefused(made)) return made
    const written = await writtenTo(place, { before, made })
    if (written !== 'changed') return isRefused(written) ? written : withLists(place, written)
  }
  return tooBusy(place)
}

/** Apart from the change itself, which must not be made twice. */
async function withLists(place: OpenPlace, edited: IssueTracker): Promise<IssueTracker | IssueRefusal> {
  let tracker = edited
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const written = await writtenTo(place, {
      before: tracker,
      made: writable(await paced(findingOutdatedLists(tracker)), tracker),
    })
    if (written !== 'changed') return written
    tracker = await trackerIn(place)
  }
  return tooBusy(place)
}

async function writtenTo(
  place: OpenPlace,
  { before, made }: { readonly before: IssueTracker; readonly made: ReadonlyMap<string, string> },
): Promise<IssueTracker | 'changed' | IssueRefusal> {
  const files = new Map([...made].filter(([name, text]) => before.files.get(name) !== text))
  if (files.size === 0) return before
  const large = [...files].find(([, text]) => Buffer.byteLength(text) > LARGEST_ISSUE)
  if (large !== undefined)
    return refuse(
      'text-too-long',
      `${place.folder}/${large[0]} would have more than ${LARGEST_ISSUE} bytes, and could not be read any more.`,
    )
  const result = await writeFiles(place, { before: before.files, after: files })
  return result === 'written' ? withFiles(before, files) : result
}

const tooBusy = ({ folder }: OpenPlace): IssueRefusal =>
  refuse('cannot-write', `Somebody else keeps changing ${folder}. Try again when they are done.`)

const trackerIn = async (place: OpenPlace): Promise<IssueTracker> =>
  readTrackerPaced({ folder: place.folder, ...(await readFiles(place)) })

/** What is there and could not be read is nobody's to replace. */
const writable = (
  files: ReadonlyMap<string, string>,
  { problems }: IssueTracker,
): ReadonlyMap<string, string> =>
  new Map([...files].filter(([name]) => !problems.some(({ id }) => `${id}.md` === name)))
