/** `signalbox issue sync`: what runs changed of issues, brought to the branch one stands on. */
import { ISSUE_FOLDERS, type IssuePlace } from '../../host/issue/issue-folder.ts'
import { type SyncedIssues, syncIssues, waitingIssues } from '../../host/tracker/sync-issues.ts'
import { GitFailure } from '../../host/workspace/git.ts'
import { isRefused } from '../../tracker/refusal.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { plural, type Terminal, visible } from '../terminal/terminal.ts'
import { atPlace, deny, type IssueSetting } from './setting.ts'

export interface IssueSyncOptions {
  readonly take?: 'mine' | 'runs'
  readonly allowLoss?: boolean
  readonly json?: boolean
}

export const issueSync = (options: IssueSyncOptions, setting: IssueSetting): Promise<number> =>
  atPlace(setting, async ({ repo, configured }) => {
    const { terminal } = setting
    try {
      const synced = await syncIssues({
        repo,
        folders: foldersOf(configured),
        take: options.take ?? null,
        allowLoss: options.allowLoss === true,
      })
      if (isRefused(synced)) return deny(terminal, synced)
      terminal.write(options.json === true ? JSON.stringify(synced, null, 2) : syncedText(synced, terminal))
      return EXIT.ok
    } catch (error) {
      if (error instanceof GitFailure) return complain(terminal, error.message, EXIT.failed)
      throw error
    }
  })

const foldersOf = (configured: string | null): readonly string[] =>
  configured === null ? ISSUE_FOLDERS : [configured]

function syncedText({ branch, commits, issues, commit }: SyncedIssues, { paint }: Terminal): string {
  if (issues.length === 0) return `Nothing waits: ${branch} has all that runs changed.`
  const ids = issues.map((id) => visible(id)).join(', ')
  return `${paint('green', '✓')} ${plural(commits, 'commit')} of runs on ${branch}, at ${commit.slice(0, 9)}: ${ids}`
}

/** Which of them, or that this one, is not as runs left it; empty where all is, where a run itself asks, or nobody can tell. */
export async function waitingText(
  { repo, configured }: IssuePlace,
  { terminal: { paint }, environment }: IssueSetting,
  id: string | null = null,
): Promise<string> {
  if (environment.ownRun !== null) return ''
  try {
    const ids = await waitingIssues({ git: { cwd: repo }, folders: foldersOf(configured) })
    if (id !== null && !ids.includes(id)) return ''
    const told = (id === null ? ids : [id]).map((each) => visible(each))
    const some = `${told.slice(0, 5).join(', ')}${told.length > 5 ? ` and ${told.length - 5} more` : ''}`
    return told.length === 0
      ? ''
      : paint('dim', `What runs changed of ${some} is not here yet: signalbox issue sync`)
  } catch (error) {
    if (error instanceof GitFailure) return ''
    throw error
  }
}
