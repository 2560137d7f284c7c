/**
 * The user's clean and smudge filters, for files of a run. Such a program may be one of the project, so an agent can
 * have written it. It therefore runs apart: in a sandbox where it can write nothing but its own results. Git then reads
 * each result with `cat` in place of the filter, so no other file, index or repository is within its reach.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Confined, failureOf } from './confined.ts'
import { textIn } from './file-error.ts'
import { bytesOfAll, namesOf, someNames, textOf } from './file-name.ts'
import { GIT_IN_SHELL, GitFailure, git, gitOutput } from './git.ts'
import type { Ground } from './ground.ts'
import { withScratch } from './scratch.ts'
import { inStore } from './store.ts'
import { configText, type GitSetting, OF_FILTERS, type UserSettings } from './user-settings.ts'

const settingsFile = ({ dir }: Ground): string => join(dir, 'filters.gitconfig')
const offFile = ({ dir }: Ground): string => join(dir, 'filters-off.gitconfig')

/** Copied once, so nothing that is written later adds to them. */
export async function keepFilters(ground: Ground, { settings }: UserSettings): Promise<void> {
  const filters = settings.filter(({ key }) => OF_FILTERS.test(key))
  await writeFile(settingsFile(ground), configText(filters))
  await writeFile(
    offFile(ground),
    configText(filters.filter(({ key }) => !key.startsWith('lfs.')).map(asOff)),
  )
}

const asOff = ({ key }: GitSetting): GitSetting => ({ key, value: key.endsWith('.required') ? 'false' : '' })

/** A setting for git on the user's own repository that leaves files as the commit has them. */
export const withoutFilters = (ground: Ground): string => `include.path=${offFile(ground)}`

/** Empty where the user has none. */
export const filterSettings = (ground: Ground): Promise<string> => textIn(settingsFile(ground))

async function driversOf(ground: Ground): Promise<readonly string[]> {
  const names = [...(await filterSettings(ground)).matchAll(/^\[filter "(.+)"\]$/gm)].map(
    ([, name = '']) => name,
  )
  return [...new Set(names)].map((name) => name.replaceAll(/\\(.)/g, '$1'))
}

/** Files, and how git reads their attributes. */
export interface FilteredFiles {
  readonly ground: Ground
  readonly confined: Confined
  readonly names: readonly string[]
  /** Where they lie. */
  readonly root: string
  /** For git there, with folders of the host's that it reads beside the root. */
  readonly env: Readonly<Record<string, string>>
  readonly reads: readonly string[]
}

/** For git: a setting under which it takes the filters' results, and the folder they are in. */
export interface FilterResults {
  readonly setting: string
  readonly readable: readonly string[]
}

export const NO_FILTERS: FilterResults = { setting: 'include.path=/dev/null', readable: [] }

/** Changed files as the filters clean them; what they give is there until `act` is done. */
export async function withCleaned<T>(
  files: Omit<FilteredFiles, 'names'> & { readonly names: () => Promise<readonly string[]> },
  act: (results: FilterResults) => Promise<T>,
): Promise<T> {
  if ((await driversOf(files.ground)).length === 0) return act(NO_FILTERS)
  const names = await filteredAmong({ ...files, names: await files.names() }, 'files')
  return names.length === 0 ? act(NO_FILTERS) : withResults({ ...files, names }, 'clean', act)
}

export interface SmudgedFiles extends Omit<FilteredFiles, 'names'> {
  /** The commit whose files lie there, as it has them. */
  readonly tree: string
  /** Only these; null: all. */
  readonly names: readonly string[] | null
  /** Writes these files again. */
  readonly write: (names: readonly string[], results: FilterResults) => Promise<void>
}

/** A script that does so, given the setting and the names: the index gets to know the files as they are then. */
export const CHECK_OUT_AGAIN = `exec ${GIT_IN_SHELL} -c "$1" checkout-index -f -u -z --stdin`

/** The filters' results over files that lie there as the commit has them. */
export async function smudge(files: SmudgedFiles): Promise<void> {
  const { ground, tree, write } = files
  if (!(await mentionsFilters(ground, tree))) return
  const named =
    files.names ?? namesOf(await gitOutput(['ls-tree', '-r', '-z', '--name-only', tree], inStore(ground)))
  const names = await filteredAmong({ ...files, names: named }, 'index')
  if (names.length > 0) await withResults({ ...files, names }, 'smudge', (results) => write(names, results))
}

/** Whether any file of this tree may have a filter. */
async function mentionsFilters(ground: Ground, tree: string): Promise<boolean> {
  if ((await driversOf(ground)).length === 0) return false
  if ((await textIn(join(ground.store, 'info/attributes'))).includes('filter')) return true
  const args = ['grep', '-q', '-F', 'filter', tree, '--', ':(top,glob)**/.gitattributes']
  const { env, ...store } = inStore(ground)
  return (await git(args, { ...store, env: { ...env, GIT_LITERAL_PATHSPECS: '0' } })).code === 0
}

/** Those that a filter of the user's applies to; by attributes as they lie there, or as the index has them. */
async function filteredAmong(
  { ground, confined, names, root, env, reads }: FilteredFiles,
  by: 'files' | 'index',
): Promise<readonly string[]> {
  if (names.length === 0) return []
  const result = await confined({
    ground,
    writes: 'nothing',
    also: { readable: [root, ...reads] },
    cwd: root,
    argv: [
      'sh',
      '-c',
      `exec ${GIT_IN_SHELL} check-attr -z --stdin ${by === 'index' ? '--cached ' : ''}filter`,
    ],
    env: { ...env, GIT_WORK_TREE: root },
    input: bytesOfAll(names.map((name) => `${name}\0`)),
  })
  if (result.code !== 0)
    throw new GitFailure(`The attributes of files could not be read: ${failureOf(result)}`)
  const drivers = new Set(await driversOf(ground))
  const words = namesOf(textOf(result.stdout))
  return words.flatMap((name, at) => (at % 3 === 0 && drivers.has(words[at + 2] ?? '') ? [name] : []))
}

function withResults<T>(
  { ground, confined, names, root, env, reads }: FilteredFiles,
  how: 'clean' | 'smudge',
  act: (results: FilterResults) => Promise<T>,
): Promise<T> {
  return withScratch(ground, async ({ dir, objects, files, env: own }) => {
    const result = await confined({
      ground,
      writes: 'nothing',
      // Nothing else of the folder: the host writes there afterwards.
      also: { readable: [root, settingsFile(ground), ...reads], writable: [objects, files] },
      cwd: root,
      argv: ['sh', '-c', SCRIPTS[how], how, files, settingsFile(ground)],
      env: { ...own, ...env, GIT_WORK_TREE: root, GIT_OBJECT_DIRECTORY: objects },
      input: bytesOfAll(names.map((name) => `${name}\0`)),
    })
    if (result.code !== 0)
      throw new GitFailure(
        `A filter of your git settings failed on ${someNames(names)}: ${failureOf(result)}`,
      )
    const file = join(dir, 'results.gitconfig')
    const command = `cat '${files.replaceAll("'", `'\\''`)}'/%f`
    const settings = (await driversOf(ground)).flatMap((name) => [
      { key: `filter.${name}.clean`, value: command },
      { key: `filter.${name}.smudge`, value: command },
      { key: `filter.${name}.required`, value: 'true' },
    ])
    await writeFile(file, configText(settings))
    return act({ setting: `include.path=${file}`, readable: [dir] })
  })
}

const FILTERING = `${GIT_IN_SHELL} -c include.path="$settings"`

const SCRIPTS = {
  clean: `
to=$1 settings=$2; export to settings
exec xargs -0 sh -c 'for file do
  if [ -L "$file" ] || [ ! -f "$file" ]; then continue; fi
  mkdir -p -- "$to/./$(dirname -- "./$file")" || exit 255
  id=$(${FILTERING.replaceAll("'", `'\\''`)} hash-object -w -- "./$file") || exit 255
  ${GIT_IN_SHELL.replaceAll("'", `'\\''`)} cat-file blob "$id" > "$to/$file" || exit 255
done' clean
`,
  smudge: `
to=$1 settings=$2
exec ${FILTERING} checkout-index -f -z --stdin --prefix="$to/"
`,
} as const
