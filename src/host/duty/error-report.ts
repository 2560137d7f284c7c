/** What is kept of a bug: what was thrown and where, without saying where on this machine that lies. */
import { firstCharacters } from '../../model/characters.ts'

const LONGEST = 4000
const MOST_PLACES = 12

/** The first line is what was thrown. */
export function errorReport(error: unknown): string {
  if (!(error instanceof Error)) return firstCharacters(String(error), LONGEST)
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const shown = places.slice(0, MOST_PLACES).map((line) => line.replace(FOLDERS, '$1'))
  return firstCharacters([String(error), ...shown].join('\n'), LONGEST)
}

/** All of a path but its last name. */
const FOLDERS = /(\(|\s)(?:file:\/\/)?(?:\/[^/\s():]+)*\/(?=[^/\s()]+\)?$)/
