/** What the file system said. */
import { readFile } from 'node:fs/promises'

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** For what may fail as any file may: its code, and whatever is no failure of files is a bug. */
export function codeFrom(error: unknown): string {
  const code = codeOf(error)
  if (code === '') throw error
  return code
}

/** Of a name that was just listed: it is gone, or stands for something else by now. */
export const isAway = (code: string): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK'].includes(code)

export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error))

/** The text of a file; nothing where there is none. */
export const textIn = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return ''
    throw error
  })
