/**
 * What Signalbox itself is made of, as a sandbox must show it: its package, and those it depends on, wherever they lie. An
 * installer puts them beside it, in a folder that holds what else the user has installed; of that nothing is shown.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function ownPackages(file: string): readonly string[] {
  const found = new Set<string>()
  for (const folder of packageOf(file)) addPackage(folder, found)
  return [...found]
}

const MOST_LEVELS = 5

/** The package that a file belongs to, if it belongs to one. */
export function packageOf(file: string): string[] {
  let folder = dirname(file)
  for (let level = 0; level < MOST_LEVELS && folder !== '/'; level++, folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return [folder]
  return []
}

function addPackage(folder: string, found: Set<string>): void {
  if (found.has(folder)) return
  found.add(folder)
  for (const name of dependenciesOf(folder)) {
    const place = placeOf(name, folder)
    if (place !== null) addPackage(place, found)
  }
}

/** As Node looks for it: beside its user's own packages, and then in every folder above. */
function placeOf(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(place)) return realpathSync(place)
    if (folder === dirname(folder)) return null
  }
}

function dependenciesOf(folder: string): readonly string[] {
  try {
    const told = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Dependent
    return Object.keys({ ...told.dependencies, ...told.optionalDependencies })
  } catch {
    return []
  }
}

interface Dependent {
  readonly dependencies?: object
  readonly optionalDependencies?: object
}
