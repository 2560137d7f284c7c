/** Finds a program the way a launch does: on the PATH it is given, or where its path says. */
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'

export async function findProgram(
  program: string,
  { cwd, path }: { readonly cwd: string; readonly path: string },
): Promise<string | null> {
  if (program === '') return null
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((directory) => resolve(cwd, directory, program))
  for (const place of places) if (await isProgram(place)) return place
  return null
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
