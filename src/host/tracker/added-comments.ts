/** What a change said about issues, for the record: whoever works on them next is told, wherever the files are by then. */
import { firstCharacters } from '../../model/characters.ts'
import type { IssueComment } from '../../tracker/comments.ts'
import { parseIssue } from '../../tracker/issue.ts'
import type { GitOptions } from '../workspace/git.ts'
import { type IssueChange, idOfPath } from './issue-change.ts'
import { type ListedFile, readBlobs } from './issue-files.ts'

export interface AddedComment {
  readonly issue: string
  readonly by: string
  readonly text: string
}

const MOST = 20
const LONGEST = 4000

export async function addedComments(at: GitOptions, change: IssueChange): Promise<readonly AddedComment[]> {
  const files = change.flatMap(({ before, after }) => [before, after])
  const blobs = await readBlobs(
    at,
    files.flatMap((file) => file?.id ?? []),
  )
  const commentsOf = (file: ListedFile | null, path: string, id: string): readonly IssueComment[] => {
    if (file === null) return []
    const issue = parseIssue({ id, path, text: new TextDecoder().decode(blobs.get(file.id)) })
    return 'problem' in issue ? [] : issue.comments
  }
  return change
    .flatMap(({ path, before, after }) => {
      const issue = idOfPath(path)
      if (issue === null) return []
      const known = new Set(commentsOf(before, path, issue).map((each) => JSON.stringify(each)))
      return commentsOf(after, path, issue)
        .filter((each) => !known.has(JSON.stringify(each)))
        .map(({ by, text }) => ({ issue, by, text: firstCharacters(text, LONGEST) }))
    })
    .slice(-MOST)
}
