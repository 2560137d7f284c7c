/** Where a repository's objects lie, with those that it borrows from others. */
import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** As far as git follows. */
const DEEPEST = 5

export function borrowedObjects(objects: string, depth = 0): string[] {
  if (depth > DEEPEST) return []
  return [
    objects,
    ...linesOf(join(objects, 'info/alternates'))
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => (isAbsolute(line) ? line : join(objects, line)))
      .flatMap((other) => borrowedObjects(other, depth + 1)),
  ]
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
