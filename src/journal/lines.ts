/** A text file line by line, for it may have grown for years. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

/** Throws an error of the file system, or one that says that it is no file. */
export async function* linesIn(file: string): AsyncGenerator<string> {
  // A folder or a pipe in its place would only fail later, or never.
  const what = await stat(file)
  if (!what.isFile()) throw new Error(what.isDirectory() ? 'it is a folder' : 'it is no file')
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${chunk as string}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Why a file cannot be read or written, for people. */
export const fileTrouble = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code
  return WORDS[code ?? ''] ?? code ?? (error instanceof Error ? error.message : String(error))
}

const WORDS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOENT: 'it is not there',
  ENOTDIR: 'its folder is no folder',
  EACCES: 'it may not be used by you',
  EPERM: 'it may not be used by you',
  ELOOP: 'it is a link to itself',
}
