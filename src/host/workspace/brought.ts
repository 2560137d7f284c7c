/**
 * Files of the user's checkout that git does not have, and that their runs get a copy of: `.env`. The user's own config
 * names them, and a run keeps to what was named when it began. No commit ever has them.
 */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readInside } from '../inside/read-inside.ts'
import { writeInside } from '../inside/write-inside.ts'
import { textIn } from './file-error.ts'
import type { Ground } from './ground.ts'

const MAX_BYTES = 8 * 1024 * 1024

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
    const names = name.split('/')
    const read = readInside({ root: repo, names }, { maxBytes: MAX_BYTES })
    if ('bytes' in read)
      await writeInside({ root: to, names }, { content: read.bytes, mode: 0o600, existing: 'kept' })
  }
}
