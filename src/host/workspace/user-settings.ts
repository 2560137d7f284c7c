/**
 * What a run's repositories take over of the user's own git settings: who they are, how files are written, their
 * filters. Copied once, so that nothing an agent writes can add to it, and without passwords: agents read the copies.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { withoutPasswords } from '../../model/without-passwords.ts'
import { broughtExcludes } from './brought.ts'
import { textIn } from './file-error.ts'
import { namesOf } from './file-name.ts'
import { gitOutput } from './git.ts'
import type { Ground } from './ground.ts'

export interface GitSetting {
  /** As git lists it: section and name in lower case, what stands between them as it was written. */
  readonly key: string
  readonly value: string
}

export interface UserSettings {
  readonly settings: readonly GitSetting[]
  /** Those of this one repository, which git would not find from another. */
  readonly own: readonly GitSetting[]
  /** What the user ignores everywhere, and in this repository beside its own .gitignore. */
  readonly exclude: string
  readonly attributes: string
  /** Where a shallow clone ends; empty where it is whole. */
  readonly shallow: string
  /** Which folders are checked out at all; empty where all are. */
  readonly sparse: string
}

export async function readUserSettings(ground: Ground): Promise<UserSettings> {
  const { userGitDir: gitDir } = ground
  const listed = await gitOutput(['config', '--list', '-z', '--includes', '--show-scope'], {
    cwd: gitDir,
    env: { GIT_DIR: gitDir },
  })
  const words = namesOf(listed)
  const scoped = words.flatMap((scope, at) =>
    at % 2 === 0 ? [{ scope, ...settingOf(words[at + 1] ?? '') }] : [],
  )
  const settings = scoped.map(({ key, value }) => ({ key, value }))
  const own = scoped
    .filter(({ scope }) => scope === 'local' || scope === 'worktree')
    .map(({ key, value }) => ({ key, value }))
  const read = (...files: string[]) => Promise.all(files.map(textIn)).then((texts) => texts.join('\n'))
  return {
    settings,
    own,
    exclude: [
      await read(userFile(settings, 'excludesfile', 'ignore'), join(gitDir, 'info/exclude')),
      await broughtExcludes(ground),
    ].join('\n'),
    attributes: await read(
      userFile(settings, 'attributesfile', 'attributes'),
      join(gitDir, 'info/attributes'),
    ),
    shallow: await textIn(join(gitDir, 'shallow')),
    sparse: await textIn(join(gitDir, 'info/sparse-checkout')),
  }
}

/** A name without a value means true. Keys hold addresses, too: `lfs.ADDRESS.access`. */
function settingOf(entry: string): GitSetting {
  const [key = '', ...lines] = entry.split('\n')
  return {
    key: withoutPasswords(key),
    value: lines.length === 0 ? 'true' : withoutPasswords(lines.join('\n')),
  }
}

function userFile(settings: readonly GitSetting[], name: string, otherwise: string): string {
  const path = settings.findLast(({ key }) => key === `core.${name}`)?.value
  if (path === undefined)
    return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'git', otherwise)
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
}

const COMMON =
  /^(?:(?:user|author|committer)\.(?:name|email)|core\.(?:sparsecheckout|sparsecheckoutcone|autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode|bigfilethreshold|compression|checkroundtripencoding)|i18n\..+|extensions\.objectformat)$/

/** Programs that change files on their way in and out, see filters.ts. */
export const OF_FILTERS = /^(?:filter\..+\.(?:clean|smudge|process|required)|lfs\..+)$/

/** Whoever has no name for git yet is given one, or nobody could commit. Theirs comes after, and counts. */
export const NOBODY: readonly GitSetting[] = [
  { key: 'user.name', value: 'Signalbox' },
  { key: 'user.email', value: 'signalbox@localhost' },
]

/** For the host: no more than it takes to read and write files as the user's git does, and no program. */
export const hostSettings = ({ settings }: UserSettings): GitSetting[] => [
  ...settings.filter(({ key }) => COMMON.test(key)),
  ...partialClone(settings),
]

/** For agents also where things come from. */
export const agentSettings = ({ settings }: UserSettings): GitSetting[] => [
  ...familiarSettings(settings),
  ...settings.filter(({ key }) => OF_FILTERS.test(key)),
  // A key of the user's is out of reach in there.
  { key: 'commit.gpgsign', value: 'false' },
  { key: 'tag.gpgsign', value: 'false' },
]

function familiarSettings(settings: readonly GitSetting[]): GitSetting[] {
  return [
    ...NOBODY,
    ...settings.filter(({ key }) => COMMON.test(key)),
    ...settings.filter(({ key }) => FAMILIAR.test(key)),
    ...partialClone(settings),
  ]
}

/**
 * For people, whose git reads what an agent wrote. Their settings for all repositories apply there anyway. A filter of
 * this one repository may be a program of the project: such a filter is off, and git says so where it needs it.
 */
export const peopleSettings = ({ settings, own }: UserSettings): GitSetting[] => [
  ...familiarSettings(settings),
  ...own.filter(({ key }) => OF_FILTERS.test(key)).map(withoutProgramOfProject),
  { key: 'core.fsmonitor', value: 'false' },
  { key: 'core.hookspath', value: '/dev/null' },
  { key: 'submodule.recurse', value: 'false' },
  { key: 'fetch.recursesubmodules', value: 'false' },
]

/** Programs that are installed, never files of the project. */
const INSTALLED_FILTER = /^"?(?:\/[\w./-]*\/)?git[ -](?:lfs|crypt|annex)"?(?: |$)/

function withoutProgramOfProject({ key, value }: GitSetting): GitSetting {
  if (key.startsWith('lfs.') || INSTALLED_FILTER.test(value)) return { key, value }
  return { key, value: key.endsWith('.required') ? 'false' : key.endsWith('.process') ? '' : FILTER_IS_OFF }
}

const FILTER_IS_OFF = `echo 'This filter is off in the worktree of a run: it may run a file of the project.' >&2; exit 1`

const FAMILIAR =
  /^(?:remote\..+\.(?:url|fetch)|branch\..+\.(?:remote|merge)|init\.defaultbranch|merge\.conflictstyle|pull\.(?:rebase|ff)|diff\.(?:algorithm|renames))$/

/** What is missing in a partial clone is not lost, and git must know that. */
function partialClone(settings: readonly GitSetting[]): GitSetting[] {
  const promisors = settings.flatMap(({ key, value }) => {
    const name = /^remote\.(.+)\.promisor$/.exec(key)?.[1]
    return name !== undefined && value !== 'false' ? [name] : []
  })
  if (promisors.length === 0) return []
  const ofThem = promisors.flatMap((name) =>
    ['promisor', 'partialclonefilter', 'url'].map((each) => `remote.${name}.${each}`),
  )
  return settings.filter(({ key }) => key === 'extensions.partialclone' || ofThem.includes(key))
}

/** As a config file. */
export function configText(settings: readonly GitSetting[]): string {
  return settings.map(lineOf).join('')
}

function lineOf({ key, value }: GitSetting): string {
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  const section = key.slice(0, first)
  const middle = first === last ? '' : ` "${key.slice(first + 1, last).replaceAll(/["\\]/g, '\\$&')}"`
  return `[${section}${middle}]\n\t${key.slice(last + 1)} = "${escaped(value)}"\n`
}

const escaped = (value: string): string =>
  value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b')
