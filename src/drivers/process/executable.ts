import { accessSync, constants, statSync } from 'node:fs'

/** Whether a path is a program that we may start. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
