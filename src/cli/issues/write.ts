/** `signalbox issue new|edit|comment|status`: each changes one issue, and the lists that follow from it. */
import { changeTracker, fileIssues } from '../../host/issue/issues.ts'
import { git } from '../../host/workspace/git.ts'
import { editIssue, type IssueEdit, missingRefusal, namesOf, titleRefusal } from '../../tracker/edit-issue.ts'
import { oneLine } from '../../tracker/inert.ts'
import { type Issue, STATUSES, statusOf } from '../../tracker/issue.ts'
import { issueIn } from '../../tracker/readiness.ts'
import { type IssueRefusal, isRefused, refuse } from '../../tracker/refusal.ts'
import { statusByCriteria } from '../../tracker/status.ts'
import type { IssueTracker } from '../../tracker/tracker.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { visible } from '../terminal/terminal.ts'
import { issuesData } from './issue-view.ts'
import { atPlace, deny, type GivenText, givenText, type IssueSetting } from './setting.ts'

interface WriteOptions {
  readonly json?: boolean
}

export interface IssueNewOptions extends WriteOptions {
  /** What is to be done, and how one can see that it is done. */
  readonly body?: string
  /** The body in a file; `-` is standard input. */
  readonly file?: string
  readonly parent?: string
  readonly label?: readonly string[]
  readonly dependsOn?: readonly string[]
  readonly category?: string
}

export async function issueNew(
  title: string,
  options: IssueNewOptions,
  setting: IssueSetting,
): Promise<number> {
  const { terminal } = setting
  const body = await bodyOf(options, setting)
  if (typeof body === 'number') return body
  const { parent = '', label, dependsOn = [], category = '' } = options
  return atPlace(setting, async (place) => {
    const draft = {
      title,
      body: body ?? '',
      parent,
      labels: namesOf(label),
      dependsOn,
      category: oneLine(category),
    }
    const filed = await fileIssues(place, {
      count: 1,
      drafts: (_, tracker) =>
        titleRefusal({ title }) ??
        parentRefusal(tracker, parent) ??
        missingRefusal(tracker, dependsOn) ?? [draft],
    })
    return isRefused(filed)
      ? deny(terminal, filed)
      : told(filed.tracker, { id: filed.ids[0] ?? '', options, setting })
  })
}

const parentRefusal = (tracker: IssueTracker, parent: string): IssueRefusal | null => {
  const found = parent === '' ? null : issueIn(tracker, parent)
  return found !== null && isRefused(found) ? found : null
}

export interface IssueEditOptions extends WriteOptions {
  readonly title?: string
  readonly body?: string
  readonly file?: string
  /** False: a part of none. */
  readonly parent?: string | false
  readonly category?: string
  readonly addLabel?: readonly string[]
  readonly removeLabel?: readonly string[]
  readonly dependsOn?: readonly string[]
  /** `--no-longer-depends-on`, as the parser of arguments calls it. */
  readonly longerDependsOn?: readonly string[]
  readonly check?: readonly string[]
  readonly uncheck?: readonly string[]
}

export async function issueEdit(
  id: string,
  options: IssueEditOptions,
  setting: IssueSetting,
): Promise<number> {
  const body = await bodyOf(options, setting)
  if (typeof body === 'number') return body
  const { title, category, parent } = options
  const edit: IssueEdit = {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(category === undefined ? {} : { category }),
    ...(parent === undefined ? {} : { parent: parent || '' }),
    addLabels: options.addLabel ?? [],
    removeLabels: options.removeLabel ?? [],
    addDependencies: options.dependsOn ?? [],
    removeDependencies: options.longerDependsOn ?? [],
    check: options.check ?? [],
    uncheck: options.uncheck ?? [],
  }
  return edited(setting, { id, options, edit: () => edit })
}

export interface IssueCommentOptions extends WriteOptions {
  readonly file?: string
  readonly by?: string
}

export async function issueComment(
  { id, text }: { readonly id: string; readonly text: string | undefined },
  options: IssueCommentOptions,
  setting: IssueSetting,
): Promise<number> {
  const { terminal } = setting
  const given: GivenText = text === '-' ? { file: '-' } : { text, file: options.file }
  if (text !== undefined && options.file !== undefined)
    return complain(terminal, 'The comment is said here or comes from --file, not both.', EXIT.usage)
  const read = await givenText(given, setting)
  if (isRefused(read)) return deny(terminal, read)
  const by = options.by ?? (await userName(setting))
  const at = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return edited(setting, { id, options, edit: () => ({ comment: { at, by, text: read.text ?? '' } }) })
}

export interface IssueStatusOptions extends WriteOptions {
  readonly fromCriteria?: boolean
}

/** Without a status to set it is only told. */
export async function issueStatus(
  { id, status }: { readonly id: string; readonly status: string | undefined },
  options: IssueStatusOptions,
  setting: IssueSetting,
): Promise<number> {
  const { terminal } = setting
  if (status !== undefined && options.fromCriteria === true)
    return complain(terminal, 'A status is said or follows from the criteria, not both.', EXIT.usage)
  const wanted = status === undefined ? null : statusOf(status)
  if (status !== undefined && wanted === null)
    return deny(
      terminal,
      refuse(
        'status-unknown',
        `"${visible(status.slice(0, 80))}" is no status. It is one of ${STATUSES.join(', ')}.`,
      ),
    )
  if (wanted === null && options.fromCriteria !== true) {
    const { issueStatusTold } = await import('./read.ts')
    return issueStatusTold(id, options, setting)
  }
  const edit = (tracker: IssueTracker, issue: Issue): IssueEdit => ({
    status: wanted ?? statusByCriteria(issue, tracker),
  })
  return edited(setting, { id, options, edit })
}

interface EditOrder {
  readonly id: string
  readonly options: WriteOptions
  readonly edit: (tracker: IssueTracker, issue: Issue) => IssueEdit
}

const edited = (setting: IssueSetting, { id, options, edit }: EditOrder): Promise<number> =>
  atPlace(setting, async (place) => {
    const tracker = await changeTracker(place, (before) => {
      const issue = issueIn(before, id)
      if (isRefused(issue)) return issue
      const made = editIssue(before, { id, edit: edit(before, issue) })
      return isRefused(made) ? made : new Map([[`${id}.md`, made.text]])
    })
    return isRefused(tracker) ? deny(setting.terminal, tracker) : told(tracker, { id, options, setting })
  })

function told(
  tracker: IssueTracker,
  {
    id,
    options,
    setting,
  }: { readonly id: string; readonly options: WriteOptions; readonly setting: IssueSetting },
): number {
  const { terminal } = setting
  const issue = tracker.byId.get(id)
  if (issue === undefined) throw new Error(`${id} was written and is not there`)
  const { paint } = terminal
  if (options.json === true) terminal.write(JSON.stringify(issuesData([issue], tracker)[0], null, 2))
  else
    terminal.write(
      `${paint('green', '✓')} ${paint('bold', id)}  ${visible(issue.status)}  ${visible(issue.title)}  ${paint('dim', issue.path)}`,
    )
  return EXIT.ok
}

/** Undefined where none was given; a number where that was complained of. */
async function bodyOf(
  { body, file }: { readonly body?: string; readonly file?: string },
  setting: IssueSetting,
): Promise<string | undefined | number> {
  const { terminal } = setting
  if (body !== undefined && file !== undefined)
    return complain(terminal, 'The body comes from --body or from --file, not from both.', EXIT.usage)
  const read = await givenText({ text: body, file }, setting)
  return isRefused(read) ? deny(terminal, read) : read.text
}

/** A run in its own name, a person by the name they commit with. */
async function userName({ environment, dir = process.cwd() }: IssueSetting): Promise<string> {
  const run = environment.variables['SIGNALBOX_RUN'] ?? ''
  if (environment.ownRun !== null && run !== '') return `run ${run}`
  const named = await git(['config', 'user.name'], { cwd: dir })
  return named.stdout.trim() || environment.user
}
