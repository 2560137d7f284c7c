/**
 * Files of the user's checkout that git does not have, and that their runs get a copy of: `.env`. The user's own config
 * names them, and a run keeps to what was named when it began. No commit ever has them.
 */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRegular } from './artifacts.ts'
import { codeOf, textIn } from './file-error.ts'
import type { Ground } from './ground.ts'
import { openInside } from './inside.ts'
import { writeNew } from './write-new.ts'

const LARGEST = 8 * 1024 * 1024

const listOf = ({ dir }: Ground): string => join(dir, 'brought')

/** Fixed when the ground is made. */
export async function keepBrought(ground: Ground, names: readonly string[]): Promise<void> {
  if (!existsSync(listOf(ground))) await writeFile(listOf(ground), names.map((name) => `${name}\n`).join(''))
}

export async function broughtNames(ground: Ground): Promise<string[]> {
  return (await textIn(listOf(ground))).split('\n').filter((name) => name !== '')
}

/** As a git repository excludes them. */
export async function broughtExcludes(ground: Ground): Promise<string> {
  return (await broughtNames(ground)).map((name) => `/${name.replaceAll(/[\\*?[]/g, '\\$&')}\n`).join('')
}

/** Into a folder in which nobody is at work yet; what is there already stays, and no link is followed. */
export async function bringFiles({
  ground,
  repo,
  to,
}: {
  readonly ground: Ground
  readonly repo: string
  readonly to: string
}): Promise<void> {
  for (const name of await broughtNames(ground)) {
    const read = await readRegular(join(repo, name), LARGEST)
    if ('bytes' in read) await put(to, name.split('/'), read.bytes)
  }
}

async function put(root: string, path: readonly string[], bytes: Uint8Array): Promise<void> {
  const folders = path.slice(0, -1)
  for (let depth = 1; depth <= folders.length; depth++) {
    const around = await openInside(root, folders.slice(0, depth - 1))
    if (typeof around === 'string') return
    try {
      await mkdir(around.entry(folders[depth - 1]!)).catch(unlessThere)
    } finally {
      await around.close()
    }
  }
  const folder = await openInside(root, folders)
  if (typeof folder === 'string') return
  try {
    await writeNew(folder.entry(path.at(-1)!), bytes, 0o600)
  } catch (error) {
    unlessThere(error)
  } finally {
    await folder.close()
  }
}

function unlessThere(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}
