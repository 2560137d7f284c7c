/** The people of the user's config as it is now, and the secrets that let each of them in. */
import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { homeAt } from '../../host/machine/home.ts'
import { type ListStanding, openPeopleSecrets, type PeopleSecrets } from '../../http/people-secrets.ts'
import type { Colleague } from '../../http/visitor.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import { own } from '../../model/own.ts'
import type { Environment } from '../environment.ts'
import { readConfig } from './config.ts'

export interface PeopleList {
  readonly secrets: PeopleSecrets
  readonly colleague: (name: string) => Colleague | null
}

export function openPeopleList({
  home,
  configDir,
  user,
}: Pick<Environment, 'home' | 'configDir' | 'user'>): PeopleList {
  const { secret: file, people: dir } = homeAt(home)
  const colleague = (name: string): Colleague | null =>
    own(readConfig({ configDir, repo: null }).config.people, name) ?? null
  const listingOf = (name: string): ListStanding => {
    if (name === user || colleague(name) !== null) return 'listed'
    return isWhole(configDir) ? 'unlisted' : 'unknown'
  }
  return { secrets: openPeopleSecrets({ file, dir, listingOf }), colleague }
}

/** An editor may just be writing it: a file that is missing, empty or wrong takes nobody off the list for good. */
function isWhole(configDir: string): boolean {
  try {
    if (readFileSync(join(configDir, 'config.yaml'), 'utf8').trim() === '') return false
  } catch {
    return false
  }
  return !hasErrors(readConfig({ configDir, repo: null }).diagnostics)
}

/** Whoever is taken off the list is revoked then, also where nobody asks anything before they are put back. */
export function watchPeopleList(
  { secrets }: PeopleList,
  { configDir }: Pick<Environment, 'configDir'>,
): () => void {
  secrets.revokeUnlisted()
  let watcher: FSWatcher | null = null
  try {
    watcher = watch(configDir, { persistent: false }, () => secrets.revokeUnlisted())
    // A folder that goes, or a machine without watches left: the list is still read with each request.
    watcher.on('error', () => watcher?.close())
  } catch {
    // There is no such folder, so nobody is on the list.
  }
  return () => watcher?.close()
}
