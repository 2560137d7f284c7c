/**
 * Lays what an agent keeps into its private home before it starts: settings as they are in the user's home now, its login,
 * and copies of what has no known meaning. Of the user's home this only reads.
 */
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sandbox } from '../../../drivers/index.ts'
import { readRegular } from '../../workspace/artifacts.ts'
import { codeOf, isMissing } from '../../workspace/file-error.ts'
import type { Problem } from '../../workspace/problem.ts'
import { removeFolder } from '../../workspace/remove-folder.ts'
import { copyWithin } from './copy-within.ts'
import { makeFolderInside, putFile, removeInside } from './inside-home.ts'
import { type Keeps, type KeptSetting, settingPlace } from './keeps.ts'
import { type LoginCopies, layLogins } from './login-copies.ts'

export interface HomeToFurnish {
  /** The folder of the run that is the agent's home. */
  readonly folder: string
  /** Where the agent finds it: a real path. */
  readonly at: string
  /** Whether the engine can show the user's folders inside of it. */
  readonly canShow: boolean
  readonly keeps: Keeps
  /** Where a place of the user's home really is; null where it is not there, or may not be granted. */
  readonly resolve: (place: string) => string | null
}

export interface FurnishedHome {
  /** Folders of settings: the user's own, read-only. */
  readonly shown: Sandbox['shown']
  readonly readable: readonly string[]
  readonly logins: LoginCopies
}

export async function layKeeps(home: HomeToFurnish): Promise<FurnishedHome | Problem> {
  await mkdir(home.folder, { recursive: true, mode: 0o700 })
  try {
    return await furnish(home)
  } catch (error) {
    if (!OF_THE_AGENT.includes(codeOf(error))) throw error
    // The agent took away its own rights to a folder, say. It begins anew, as in a fresh run.
    await removeFolder(home.folder)
    await mkdir(home.folder, { mode: 0o700 })
    return furnish(home)
  }
}

/** What the state of a folder can lead to; a full disk is no reason to throw sessions away. */
const OF_THE_AGENT: readonly string[] = ['EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY', 'ENAMETOOLONG']

async function furnish(home: HomeToFurnish): Promise<FurnishedHome | Problem> {
  const { folder, keeps, resolve } = home
  for (const place of keeps.copied) {
    const own = resolve(place)
    const problem = own === null ? null : await copyOnce(folder, { place, own })
    if (problem !== null) return { problem }
  }
  for (const place of keeps.sessions) await (await makeFolderInside(folder, namesOf(place))).close()
  const views: View[] = []
  for (const setting of keeps.settings)
    for (const place of await placesOf(settingPlace(setting), resolve))
      views.push(await laySetting(home, typeof setting === 'string' ? place : setting))
  const logins = await layLogins(
    folder,
    keeps.login.map((place) => ({ place, own: resolve(place), names: namesOf(place) })),
  )
  return {
    shown: views.flatMap(({ shown }) => shown),
    readable: views.flatMap(({ readable }) => readable),
    logins,
  }
}

/** The places that a pattern stands for: `*` is each name in a folder of the user's. */
async function placesOf(pattern: string, resolve: HomeToFurnish['resolve']): Promise<readonly string[]> {
  const parts = pattern.split('/')
  const star = parts.indexOf('*')
  if (star === -1) return [pattern]
  const outer = parts.slice(0, star).join('/')
  const own = resolve(outer)
  const names = own === null ? [] : await readdir(own).catch(() => [])
  const inner = names.map((name) => placesOf([outer, name, ...parts.slice(star + 1)].join('/'), resolve))
  return (await Promise.all(inner)).flat()
}

type View = Pick<FurnishedHome, 'shown' | 'readable'>
const NOTHING_SHOWN: View = { shown: [], readable: [] }

/** Whatever an earlier session left at its place is gone. */
async function laySetting(
  { folder, at, canShow, resolve }: HomeToFurnish,
  setting: KeptSetting,
): Promise<View> {
  const place = settingPlace(setting)
  const names = namesOf(place)
  const own = resolve(place)
  await removeInside(folder, names)
  if (own === null) return NOTHING_SHOWN
  const found = await lstat(own)
  if (!found.isDirectory()) {
    const read = await readRegular(own, MAX_SETTING_BYTES)
    if ('bytes' in read) await putFile(folder, names, withoutKeys(read.bytes, setting))
    return NOTHING_SHOWN
  }
  if (canShow) {
    await (await makeFolderInside(folder, names)).close()
    return { shown: [{ from: own, at: join(at, ...names), access: 'read', isInHome: true }], readable: [] }
  }
  const outer = await makeFolderInside(folder, names.slice(0, -1))
  try {
    await symlink(own, outer.entry(names.at(-1)!))
  } finally {
    await outer.close()
  }
  return { shown: [], readable: [own] }
}

/** The largest that was seen was claude's, which remembers every project. */
const MAX_SETTING_BYTES = 32 * 1024 * 1024

function withoutKeys(bytes: Uint8Array, setting: KeptSetting): Uint8Array {
  if (typeof setting === 'string') return bytes
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
    const left = Object.entries(value).filter(([key]) => !setting.without.includes(key))
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(left), null, 2))
  } catch {
    // What cannot be read cannot be left out: the agent begins without.
    return new TextEncoder().encode('{}')
  }
}

/** Null where it is there, from now or an earlier session of the run. */
async function copyOnce(
  folder: string,
  { place, own }: { readonly place: string; readonly own: string },
): Promise<string | null> {
  const names = namesOf(place)
  const outer = await makeFolderInside(folder, names.slice(0, -1))
  try {
    const at = outer.entry(names.at(-1)!)
    if (await isThere(at)) return null
    const aside = `${folder}.${randomUUID()}`
    const copied = await copyWithin(own, aside)
    if ('why' in copied)
      return `${place} cannot be copied into the sandbox: ${copied.why}. Say what the agent keeps there, part by part: \`keeps: { login: […], settings: […], sessions: […] }\` (docs/agents.md).`
    await rename(aside, at)
    return null
  } finally {
    await outer.close()
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false
      throw error
    },
  )

/** `~/.codex/auth.json` → `.codex`, `auth.json`. */
const namesOf = (place: string): readonly string[] =>
  place
    .slice(2)
    .split('/')
    .filter((name) => name !== '')
