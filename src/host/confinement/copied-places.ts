/** Where private copies lie, see private-copies.ts, and how a sandbox shows them. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ShownPlace } from '../../drivers/index.ts'

/** What a sandbox shows in the place of each; nothing where no copy was made. */
export const shownCopies = (dir: string | null, places: readonly string[]): ShownPlace[] =>
  places.flatMap((at): ShownPlace[] =>
    dir === null || !existsSync(copyOf(dir, at)) ? [] : [{ from: copyOf(dir, at), at, access: 'write' }],
  )

export const copyOf = (dir: string, at: string): string => join(dir, nameOf(at))

export const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
