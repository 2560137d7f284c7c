/** Does work on issues beside the other work of the host: a folder of issues may be large, and all else would wait for it. */
import { setImmediate as letOthersWork } from 'node:timers/promises'
import { type IssueTracker, readingTracker, type TrackerFiles } from '../../tracker/tracker.ts'

export const MAX_BLOCKED_MS = 20

export const readTrackerPaced = (files: TrackerFiles): Promise<IssueTracker> => paced(readingTracker(files))

export async function paced<T>(work: Generator<void, T, void>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    if (performance.now() - since < MAX_BLOCKED_MS) continue
    await letOthersWork()
    since = performance.now()
  }
}
