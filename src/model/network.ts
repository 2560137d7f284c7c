/** What of the network somebody may reach: whether a word names a host, and what several words come to together. */
import type { Network } from './program.ts'

/** Every host but this machine, as `on` alone. */
const WORLD = '*'
const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/i

/** `registry.npmjs.org`, `*.example.com`, `localhost:8080`, `*`. */
export const isHost = (text: string): boolean => text === WORLD || HOST.test(text)

export const HOW_HOSTS_ARE_WRITTEN =
  'Write it without scheme and path: `registry.npmjs.org`, `*.example.com`, `localhost:8080`, or `*` for every host but this machine.'

/** What all of them allow. Whoever says nothing forbids nothing. */
export function tightestNetwork(words: readonly (Network | undefined)[]): Network {
  const [first = 'on', ...rest] = words.filter((word) => word !== undefined)
  return rest.reduce(both, first)
}

function both(one: Network, other: Network): Network {
  if (one === 'off' || other === 'off') return 'off'
  if (one === 'on' && other === 'on') return 'on'
  const [mine, theirs] = [one, other].map((word) => (word === 'on' ? [WORLD] : word)) as [string[], string[]]
  const shared = mine.flatMap((host) => theirs.flatMap((each) => meet(host, each) ?? []))
  return shared.length === 0 ? 'off' : [...new Set(shared)]
}

/** The narrower of two, where one holds the other; null where they have nothing in common. */
function meet(one: string, other: string): string | null {
  const [a, b] = [partsOf(one), partsOf(other)]
  const name = covers(a.name, b.name) ? b.name : covers(b.name, a.name) ? a.name : null
  if (name === null || (a.port !== '' && b.port !== '' && a.port !== b.port)) return null
  const port = a.port === '' ? b.port : a.port
  return port === '' ? name : `${name}:${port}`
}

function partsOf(host: string): { readonly name: string; readonly port: string } {
  const [name = '', port = ''] = host.toLowerCase().split(':')
  return { name, port }
}

/** `*` covers no address and no `localhost`: either may be this machine, which a project must not open. */
const covers = (wide: string, narrow: string): boolean =>
  wide === narrow ||
  (wide === WORLD && !isAddress(narrow)) ||
  (wide.startsWith('*.') && narrow.endsWith(wide.slice(1)))

/** Also in the odd spellings of an address that are resolved as one: `0x7f.1`, `2130706433`. */
const isAddress = (name: string): boolean => /(?:^|\.)(?:localhost|\d+|0x[\da-f]*)$/.test(name)
