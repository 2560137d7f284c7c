/** Where a program is: an absolute path that can be run, or a name found on the search path. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

export function findProgram(name: string, searchPath: string): string | null {
  if (name === '') return null
  const places =
    isAbsolute(name) || name.includes('/')
      ? [name]
      : searchPath.split(delimiter).map((dir) => join(dir, name))
  return places.find(isRunnable) ?? null
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
