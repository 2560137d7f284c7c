/** A folder of issues, as texts. */
import { outdatedLists } from './lists.ts'
import { type IssueTracker, readTracker, withFiles } from './tracker.ts'

export const trackerWith = (files: Readonly<Record<string, string>>): IssueTracker =>
  readTracker({ folder: 'TODO', files: new Map(Object.entries(files)) })

/** As it is once its lists were made. */
export const withLists = (tracker: IssueTracker): IssueTracker => withFiles(tracker, outdatedLists(tracker))
