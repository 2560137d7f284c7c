/**
 * What a run may make of an issue that was there: it adds to it and edits it, and leaves what others said. A comment that
 * it adds bears the run's name, whatever name its command wrote.
 */
import { commentsSection, type IssueComment } from './comments.ts'
import { parseFrontMatter } from './front-matter.ts'
import { oneLine } from './inert.ts'
import { type Issue, parseIssue } from './issue.ts'
import { outlineOf } from './markdown-outline.ts'
import { linesOf, withLine } from './text-lines.ts'

export interface IssueTexts {
  readonly path: string
  /** Null for an issue that is new. */
  readonly before: string | null
  readonly after: string
}

/** Why a run may not change an issue so; null where it may. */
export function whyNotByRun({ path, before, after }: IssueTexts): string | null {
  const [was, is] = [before === null ? null : issueIn(path, before), issueIn(path, after)]
  if (was === null) return null
  if (is === null) return 'it could no longer be read as an issue'
  const left = is.comments.map(keyOf)
  for (const comment of was.comments) {
    const at = left.indexOf(keyOf(comment))
    if (at < 0) return `a comment of ${oneLine(comment.by) || 'somebody'} is changed or gone`
    left.splice(at, 1)
  }
  return whatIsLost(was, is)
}

/** What of an issue is gone, if that is most of it; null where it is not. */
export function lossIn({ path, before, after }: IssueTexts): string | null {
  const was = before === null ? null : issueIn(path, before)
  if (was === null) return null
  const is = issueIn(path, after)
  return is === null ? 'it could no longer be read as an issue' : whatIsLost(was, is)
}

/** The text with each new comment under the name of the run that wrote it. */
export function signedByRun({ path, before, after }: IssueTexts, run: string): string {
  const known = new Set((before === null ? [] : (issueIn(path, before)?.comments ?? [])).map(keyOf))
  const comments = issueIn(path, after)?.comments ?? []
  let lines = linesOf(after)
  const head = parseFrontMatter(lines)
  const outline = outlineOf(lines, 'problem' in head ? 0 : head.bodyAt)
  const section = commentsSection(outline)
  const headings = outline.headings.filter(
    ({ at, level }) => section !== null && level === 3 && section.at < at && at < section.end,
  )
  // What stands above the first heading is a comment without a name.
  const unnamed = comments.length - headings.length
  const name = `run ${run}`
  for (const [nth, { at }] of headings.entries()) {
    const comment = comments[nth + unnamed]
    if (comment === undefined || known.has(keyOf(comment)) || comment.by === name) continue
    const signed = comment.by === '' ? '' : ` (signed "${oneLine(comment.by).slice(0, 60)}")`
    lines = withLine(lines, at, `### ${comment.at === '' ? '' : `${comment.at}, `}${name}${signed}`)
  }
  return lines.join('')
}

/** Most of the text, or most of its lines. Ticked boxes and blanks are the same line. */
function whatIsLost(was: Issue, is: Issue): string | null {
  if (lettersIn(is.description) * 2 < lettersIn(was.description)) return 'more than half of its text is gone'
  const left = new Set(linesIn(is.description))
  const lines = linesIn(was.description)
  const gone = lines.filter((line) => !left.has(line))
  return lines.length >= MIN_LINES && gone.length * 2 > lines.length ? 'most of its lines are gone' : null
}

/** Shorter texts may be written anew. */
const MIN_LINES = 4

const linesIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const bare = line.replace(/\[[ xX]\]/, '[ ]').trim()
    return bare === '' ? [] : [bare]
  })

const lettersIn = (text: string): number => text.replaceAll(/\s+/g, '').length

const issueIn = (path: string, text: string): Issue | null => {
  const issue = parseIssue({ id: path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, ''), path, text })
  return 'problem' in issue ? null : issue
}

const keyOf = ({ at, by, text }: IssueComment): string => JSON.stringify([at, by, text])
