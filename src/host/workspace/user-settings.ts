/**
 * What a run's repositories take over of the user's own git settings: who they are, how files are written, their
 * filters. Copied once, so that nothing an agent writes can add to it.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
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
  const listed = await gitOutput(['config', '--list', '-z', '--includes'], {
    cwd: gitDir,
    env: { GIT_DIR: gitDir },
  })
  const settings = namesOf(listed).map(settingOf)
  const read = (...files: string[]) => Promise.all(files.map(textIn)).then((texts) => texts.join('\n'))
  return {
    settings,
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

/** A name without a value means true. */
function settingOf(entry: string): GitSetting {
  const end = entry.indexOf('\n')
  return end < 0 ? { key: entry, value: 'true' } : { key: entry.slice(0, end), value: entry.slice(end + 1) }
}

function userFile(settings: readonly GitSetting[], name: string, otherwise: string): string {
  const path = settings.findLast(({ key }) => key === `core.${name}`)?.value
  if (path === undefined)
    return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'git', otherwise)
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
}

const COMMON =
  /^(?:(?:user|author|committer)\.(?:name|email)|core\.(?:sparsecheckout|sparsecheckoutcone|autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode|bigfilethreshold|compression|checkroundtripencoding)|i18n\..+|filter\..+|lfs\..+|extensions\.objectformat)$/

/** Whoever has no name for git yet is given one, or nobody could commit. Theirs comes after, and counts. */
export const NOBODY: readonly GitSetting[] = [
  { key: 'user.name', value: 'Signalbox' },
  { key: 'user.email', value: 'signalbox@localhost' },
]

/** For the host: no more than it takes to read and write files as the user's git does. */
export const hostSettings = ({ settings }: UserSettings): GitSetting[] => [
  ...settings.filter(({ key }) => COMMON.test(key)),
  ...partialClone(settings),
]

/** For agents also where things come from, without anybody's password. */
export const agentSettings = ({ settings }: UserSettings): GitSetting[] => [
  ...NOBODY,
  ...settings.filter(({ key }) => COMMON.test(key)),
  ...settings.filter(({ key }) => FAMILIAR.test(key)).map(withoutPassword),
  ...partialClone(settings).map(withoutPassword),
  // A key of the user's is out of reach in there.
  { key: 'commit.gpgsign', value: 'false' },
  { key: 'tag.gpgsign', value: 'false' },
]

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

const withoutPassword = ({ key, value }: GitSetting): GitSetting => ({
  key,
  value: key.endsWith('url') ? value.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1') : value,
})

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
