/** A change of one issue: its text as it will be, in which only those lines differ that the change is about. */
import { type IssueComment, withComment } from './comments.ts'
import { criteriaSections, withChecks } from './criteria.ts'
import { parseFrontMatter } from './front-matter.ts'
import { withField, withItem, withoutItem } from './front-matter-edit.ts'
import { asBody, oneLine, plainText } from './inert.ts'
import {
  DEPENDS_ON,
  type Issue,
  type IssueStatus,
  isDone,
  LABELS,
  ourSections,
  parseIssue,
  statusOf,
} from './issue.ts'
import { outlineOf } from './markdown-outline.ts'
import { circleFrom } from './order.ts'
import { issueIn } from './readiness.ts'
import { type IssueRefusal, isRefused, refuse } from './refusal.ts'
import { bareLine, isBlank, lineEndOf, linesOf, spliced, withLine } from './text-lines.ts'
import type { IssueTracker } from './tracker.ts'
import { wantedCriteria } from './wanted-criteria.ts'

export interface IssueEdit {
  readonly title?: string
  readonly body?: string
  readonly status?: IssueStatus
  /** Empty for none. */
  readonly category?: string
  /** Empty for none. */
  readonly parent?: string
  readonly addLabels?: readonly string[]
  readonly removeLabels?: readonly string[]
  readonly addDependencies?: readonly string[]
  readonly removeDependencies?: readonly string[]
  /** By their numbers or their texts. */
  readonly check?: readonly string[]
  readonly uncheck?: readonly string[]
  readonly comment?: IssueComment
}

const LONGEST_TITLE = 300

/** Its text, the same as before where nothing changes. */
export function editIssue(
  tracker: IssueTracker,
  { id, edit }: { readonly id: string; readonly edit: IssueEdit },
): { readonly text: string } | IssueRefusal {
  const issue = issueIn(tracker, id)
  if (isRefused(issue)) return issue
  const wrong =
    titleRefusal(edit) ?? parentRefusal(tracker, issue, edit) ?? dependencyRefusal(tracker, issue, edit)
  if (wrong !== null) return wrong
  const checked = wantedCriteria(issue, edit.check ?? [])
  const unchecked = wantedCriteria(issue, edit.uncheck ?? [])
  if (isRefused(checked)) return checked
  if (isRefused(unchecked)) return unchecked
  if (edit.comment !== undefined && plainText(edit.comment.text) === '')
    return refuse('text-empty', 'A comment needs a text.')

  let lines = linesOf(tracker.files.get(`${id}.md`) ?? '')
  // By number, so before the body may bring others.
  lines = withChecks(lines, { numbers: checked, isMet: true, bodyAt: bodyAt(lines) })
  lines = withChecks(lines, { numbers: unchecked, isMet: false, bodyAt: bodyAt(lines) })
  if (edit.title !== undefined) lines = withTitle(lines, oneLine(edit.title))
  if (edit.body !== undefined) lines = withBody(lines, { issue, body: edit.body })
  const status = edit.status ?? followingStatus(lines, { issue, edit })
  if (status !== null && status !== issue.status) lines = withField(lines, 'status', status)
  if (edit.parent !== undefined && edit.parent !== issue.parent)
    lines = withField(lines, 'parent', edit.parent || null)
  if (edit.category !== undefined && oneLine(edit.category) !== issue.category)
    lines = withField(lines, 'category', oneLine(edit.category) || null)
  for (const label of namesOf(edit.addLabels)) lines = withItem(lines, LABELS, label)
  for (const label of namesOf(edit.removeLabels)) lines = withoutItem(lines, LABELS, label)
  for (const other of edit.addDependencies ?? []) lines = withItem(lines, DEPENDS_ON, other)
  for (const other of edit.removeDependencies ?? []) lines = withoutItem(lines, DEPENDS_ON, other)
  if (edit.comment !== undefined) lines = withComment(lines, { comment: edit.comment, bodyAt: bodyAt(lines) })
  return { text: lines.join('') }
}

/** A label or a category: on one line. */
export const namesOf = (names: readonly string[] = []): string[] =>
  [...new Set(names.map(oneLine))].filter((name) => name !== '')

export function titleRefusal({ title }: Pick<IssueEdit, 'title'>): IssueRefusal | null {
  if (title === undefined) return null
  if (oneLine(title) === '')
    return refuse('text-empty', 'An issue needs a title. Say in a few words what is to be done.')
  return oneLine(title).length > LONGEST_TITLE
    ? refuse(
        'text-too-long',
        `A title has at most ${LONGEST_TITLE} characters. The rest belongs into the body.`,
      )
    : null
}

function parentRefusal(
  tracker: IssueTracker,
  { id }: Issue,
  { parent = '' }: IssueEdit,
): IssueRefusal | null {
  if (parent === '') return null
  const found = issueIn(tracker, parent)
  if (isRefused(found)) return found
  const circle = circleFrom(id, (each) => {
    const above = each === id ? parent : (tracker.byId.get(each)?.parent ?? '')
    return above === '' ? [] : [above]
  })
  return circle === null
    ? null
    : refuse('parent-cycle', `${id} cannot be a part of ${parent}: ${circle.join(' is a part of ')}.`)
}

function dependencyRefusal(
  tracker: IssueTracker,
  { id, dependsOn }: Issue,
  { addDependencies: added = [] }: IssueEdit,
): IssueRefusal | null {
  const missing = missingRefusal(tracker, added)
  if (missing !== null) return missing
  const circle =
    added.length === 0
      ? null
      : circleFrom(id, (each) =>
          each === id ? [...dependsOn, ...added] : (tracker.byId.get(each)?.dependsOn ?? []),
        )
  return circle === null
    ? null
    : refuse('dependency-cycle', `${id} cannot depend on ${added.join(', ')}: ${circle.join(' waits for ')}.`)
}

export function missingRefusal(tracker: IssueTracker, ids: readonly string[]): IssueRefusal | null {
  const missing = ids.find((each) => !tracker.byId.has(each))
  if (missing === undefined) return null
  const found = issueIn(tracker, missing)
  return isRefused(found) ? refuse('dependency-missing', found.problem) : null
}

const bodyAt = (lines: readonly string[]): number => {
  const head = parseFrontMatter(lines)
  return 'problem' in head ? 0 : head.bodyAt
}

/** Where the title is the first heading, that is what changes. */
function withTitle(lines: readonly string[], title: string): string[] {
  const head = parseFrontMatter(lines)
  if ('problem' in head) return [...lines]
  const heading = outlineOf(lines, head.bodyAt).headings.find((each) => each.level === 1 && each.title !== '')
  const stands = head.fields.get('title')?.value ?? heading?.title
  if (stands === title) return [...lines]
  if (head.fields.has('title') || heading === undefined) return withField(lines, 'title', title)
  return withLine(lines, heading.at, `# ${title}`)
}

/** Comments and the list of sub-issues stay; so do the criteria, where the new text has none. */
function withBody(lines: readonly string[], { issue, body }: { issue: Issue; body: string }): string[] {
  const at = bodyAt(lines)
  const titled = at === 0 ? withField(lines, 'title', issue.title) : lines
  const from = bodyAt(titled)
  const given = linesOf(asBody(body)).map(bareLine)
  const outline = outlineOf(titled, from)
  const bringsCriteria = criteriaSections(outlineOf(given)).length > 0
  const kept = [...(bringsCriteria ? [] : criteriaSections(outline)), ...ourSections(outline)]
  const sections = kept.toSorted((a, b) => a.at - b.at).map(({ at: begin, end }) => titled.slice(begin, end))
  const blank = isBlank(titled[from]) && from < titled.length ? (titled[from] ?? '') : null
  const top =
    blank === null ? spliced(titled.slice(0, from), { at: from, by: [''] }) : titled.slice(0, from + 1)
  const text = spliced(top, { at: top.length, by: given })
  const end = lineEndOf(titled)
  for (const section of sections) {
    if (!isBlank(text.at(-1))) text.push(end)
    for (const line of section) text.push(line)
  }
  return text
}

/** Done by the last criterion that is checked, and no longer done by one that is not. */
function followingStatus(
  lines: readonly string[],
  { issue, edit }: { readonly issue: Issue; readonly edit: IssueEdit },
): IssueStatus | null {
  if ((edit.check ?? []).length === 0 && (edit.uncheck ?? []).length === 0) return null
  const { id, path } = issue
  const changed = parseIssue({ id, path, text: lines.join('') })
  if ('problem' in changed) return null
  const met = changed.criteria.filter(({ isMet }) => isMet).length
  if (met === changed.criteria.length) return 'Done'
  return isDone(issue) || (met > 0 && statusOf(issue.status) === 'Todo') ? 'In Progress' : null
}
