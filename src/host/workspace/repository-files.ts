/** A git repository made of its files, without asking git: what is not written down here is not in it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { configText, type GitSetting, type UserSettings } from './user-settings.ts'

export interface RepositoryFiles {
  readonly dir: string
  readonly bare: 'bare' | 'with files'
  readonly settings: readonly GitSetting[]
  /** Object folders that it borrows from. */
  readonly borrows: readonly string[]
  /** The branch that HEAD names, without `refs/heads/`. */
  readonly branch: string
  /** Full names and what they point at, the branch among them. */
  readonly refs: ReadonlyMap<string, string>
  readonly user: UserSettings
}

export async function writeRepository(files: RepositoryFiles): Promise<void> {
  const { dir, settings, borrows, branch, refs } = files
  const { exclude, attributes, shallow, sparse } = files.user
  await mkdir(join(dir, 'objects/info'), { recursive: true })
  await mkdir(join(dir, 'refs/heads'), { recursive: true })
  await mkdir(join(dir, 'info'), { recursive: true })
  const write = (name: string, text: string) => writeFile(join(dir, name), text)
  await write('config', configText([...formatOf(files), ...settings.filter(({ key }) => !OWN.test(key))]))
  await write('objects/info/alternates', alternatesText(borrows))
  await write('info/exclude', `${exclude}\n/.signalbox/run/\n/.vibe/\n`)
  if (attributes.trim() !== '') await write('info/attributes', attributes)
  if (shallow !== '') await write('shallow', shallow)
  if (sparse !== '') await write('info/sparse-checkout', sparse)
  await write('packed-refs', packed(refs))
  const ref = join(dir, 'refs/heads', branch)
  await mkdir(dirname(ref), { recursive: true })
  await writeFile(ref, `${refs.get(`refs/heads/${branch}`)}\n`)
  await write('HEAD', `ref: refs/heads/${branch}\n`)
}

const OWN = /^(?:core\.bare|extensions\..+)$/

function formatOf({ bare, settings }: RepositoryFiles): GitSetting[] {
  const extensions = settings.filter(({ key }) => key.startsWith('extensions.'))
  return [
    { key: 'core.repositoryformatversion', value: extensions.length === 0 ? '0' : '1' },
    { key: 'core.bare', value: bare === 'bare' ? 'true' : 'false' },
    ...extensions,
  ]
}

const packed = (refs: ReadonlyMap<string, string>): string =>
  [...refs]
    .sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map(([name, id]) => `${id} ${name}\n`)
    .join('')

export const alternatesText = (folders: readonly string[]): string =>
  folders.map((folder) => `${quotedPath(folder)}\n`).join('')

/** A path with a quote or a number sign at its start, a newline or a colon would be read as something else. */
export const quotedPath = (path: string): string =>
  /^[#"]|[\n:]/.test(path) ? `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"` : path
