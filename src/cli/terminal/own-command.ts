/** How this very command is called again, by somebody who pastes it into a shell or from a file that names it. */
import { realpathSync } from 'node:fs'
import { delimiter } from 'node:path'
import { findProgram } from '../../host/machine/find-program.ts'

const NAME = 'signalbox'
const PACKAGE_BIN = /[\\/]node_modules[\\/]\.bin(?:[\\/]|$)/

interface OwnCommand {
  /** The file that was started, as node was told it. */
  readonly script: string
  readonly searchPath: string
}

/** Its words: the plain name where that is this one, else whatever leads here. */
export function ownCommand({ script, searchPath }: OwnCommand): string {
  const found = onSearchPath(searchPath)
  if (found !== null && realpathSync(found) === realpathSync(script)) return NAME
  return PACKAGE_BIN.test(script) ? `npx ${NAME}` : `node ${shellWord(script)}`
}

/** Null: nothing of that name is found from a shell. What npm adds to the path of its scripts is not there. */
export function onSearchPath(searchPath: string): string | null {
  const places = searchPath.split(delimiter).filter((place) => !PACKAGE_BIN.test(place))
  return findProgram(NAME, places.join(delimiter))
}

/** As it is where every shell leaves it alone. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
