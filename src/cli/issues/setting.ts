/** Where the commands about issues are used: the repository that the user stands in, and what its config says of issues. */
import { resolve } from 'node:path'
import { text as allOf } from 'node:stream/consumers'
import type { IssuePlace } from '../../host/issue/issue-folder.ts'
import { openTracker, trackerMissing } from '../../host/issue/issues.ts'
import { codeOf } from '../../host/workspace/file-error.ts'
import { type IssueRefusal, type IssueRefusalCode, refuse } from '../../tracker/refusal.ts'
import { type IssueTracker, readTracker } from '../../tracker/tracker.ts'
import type { Environment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { readBytes } from '../files.ts'
import { findRepository } from '../project/repository.ts'
import { complain } from '../terminal/complaint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { configuredFolder } from './configured-folder.ts'

export interface IssueSetting {
  readonly terminal: Terminal
  readonly environment: Pick<
    Environment,
    'configDir' | 'user' | 'variables' | 'ownRun' | 'issues' | 'issueFolder'
  >
  /** Where the user stands, unless it is here. */
  readonly dir?: string
  readonly input?: NodeJS.ReadableStream
}

/** For what writes. */
export const atPlace = (
  setting: IssueSetting,
  act: (place: IssuePlace) => Promise<number>,
): Promise<number> =>
  setting.environment.issues === null
    ? atRepository(setting, act)
    : Promise.resolve(deny(setting.terminal, refuse('cannot-write', ONLY_READS)))

const ONLY_READS =
  'This command of a run can only read issues. A check step that says `issues: write` can change them.'

/** At the border: what the file system said becomes a sentence. */
async function atRepository(
  { terminal, environment, dir = process.cwd() }: IssueSetting,
  act: (place: IssuePlace) => Promise<number>,
): Promise<number> {
  const found = await findRepository(dir)
  if ('problem' in found) return deny(terminal, refuse('no-repository', found.problem))
  try {
    return await act({ repo: found.repo, configured: configuredFolder(environment, found.repo) })
  } catch (error) {
    if (codeOf(error) === '') throw error
    return complain(terminal, `The issues cannot be used: ${(error as Error).message}`, EXIT.failed)
  }
}

/** For what reads: in a run, the issues as they are now. */
const atIssues = (setting: IssueSetting, act: (place: IssuePlace) => Promise<number>): Promise<number> =>
  atRepository(setting, (place) => act({ ...place, repo: setting.environment.issues ?? place.repo }))

/** Where there is no folder, there are no issues. */
export const withTracker = (
  setting: IssueSetting,
  act: (tracker: IssueTracker, place: IssuePlace) => number | Promise<number>,
): Promise<number> =>
  atIssues(setting, async (place) =>
    act(
      (await openTracker(place)) ?? readTracker({ folder: place.configured ?? 'TODO', files: new Map() }),
      place,
    ),
  )

/** For what is about one issue. */
export const withIssues = (
  setting: IssueSetting,
  act: (tracker: IssueTracker, place: IssuePlace) => number | Promise<number>,
): Promise<number> =>
  atIssues(setting, async (place) => {
    const tracker = await openTracker(place)
    return tracker === null ? deny(setting.terminal, trackerMissing(place)) : act(tracker, place)
  })

/** The sentence, with its code behind it. */
export const deny = (terminal: Terminal, { code, problem }: IssueRefusal): number =>
  complain(terminal, `${problem} (${code})`, NOTHING_OF_THAT_NAME.has(code) ? EXIT.usage : EXIT.failed)

const NOTHING_OF_THAT_NAME: ReadonlySet<IssueRefusalCode> = new Set([
  'cannot-read',
  'tracker-missing',
  'issue-not-found',
  'dependency-missing',
  'criterion-not-found',
  'status-unknown',
])

export interface GivenText {
  readonly text?: string | undefined
  readonly file?: string | undefined
}

/** A text from the command line, from a file, or (`-`) from standard input. Undefined where none was given. */
export async function givenText(
  { text, file }: GivenText,
  { dir = process.cwd(), input = process.stdin }: IssueSetting,
): Promise<{ readonly text: string | undefined } | IssueRefusal> {
  if (file === undefined) return { text }
  if (file === '-') return { text: await allOf(input) }
  const read = readBytes(resolve(dir, file))
  return read.kind === 'bytes'
    ? { text: new TextDecoder().decode(read.bytes) }
    : refuse('cannot-read', `${file} ${read.why}.`)
}
