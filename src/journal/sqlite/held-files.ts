/**
 * The files a journal has open, and whether they are still what their names lead to. A file that was deleted, moved or replaced
 * goes on taking whatever is written to it, and nobody will ever find it there: so each commit asks before it is told.
 */
import { statSync } from 'node:fs'

/** The first that is no longer there under its name; null while all are. */
export type WhatIsGone = () => string | null

export function holdFiles(files: readonly string[]): WhatIsGone {
  const held = files.flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? [] : [{ file, dev: found.dev, ino: found.ino }]
  })
  return () => {
    for (const { file, dev, ino } of held) {
      const found = lookAt(file)
      if (found === undefined || found.ino !== ino || found.dev !== dev) return file
    }
    return null
  }
}

/** A folder on the way that cannot be looked into, or is none any more, leads nowhere. */
function lookAt(file: string): { readonly dev: number; readonly ino: number } | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
