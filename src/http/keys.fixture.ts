/** The keys of a home: of its owner, and of whoever is listed. */
import type { Home } from '../host/machine/home.ts'
import { openPeopleSecrets, type PeopleSecrets } from './people-secrets.ts'
import type { Keys } from './visitor.ts'

export function keysAt(
  home: Pick<Home, 'people' | 'secret'>,
  {
    owner,
    agents,
    isListed = () => false,
  }: Pick<Keys, 'agents' | 'owner'> & { readonly isListed?: (name: string) => boolean },
): Keys {
  return {
    owner,
    agents,
    secrets: secretsAt(home, (name) => name === owner || isListed(name)),
    colleague: (name) => (isListed(name) ? { groups: [], may: [] } : null),
  }
}

export const secretsAt = (
  { secret, people }: Pick<Home, 'people' | 'secret'>,
  isListed: (name: string) => boolean = () => true,
): PeopleSecrets =>
  openPeopleSecrets({
    file: secret,
    dir: people,
    listingOf: (name) => (isListed(name) ? 'listed' : 'unlisted'),
  })
