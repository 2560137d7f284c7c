/** What of the network somebody may reach: whether a word names a host, and what several words come to together. */
import type { Network } from './program.ts'

const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/i

/** `registry.npmjs.org`, `*.example.com`, `localhost:8080`. */
export const isHost = (text: string): boolean => HOST.test(text)

export const HOW_HOSTS_ARE_WRITTEN =
  'Write it without scheme and path: `registry.npmjs.org`, `*.example.com` or `localhost:8080`.'

/** What all of them allow. Whoever says nothing forbids nothing. */
export const tightestNetwork = (words: readonly (Network | undefined)[]): Network =>
  words.filter((word) => word !== undefined).reduce<Network>(both, 'on')

function both(one: Network, other: Network): Network {
  if (one === 'off' || other === 'off') return 'off'
  if (one === 'on') return other
  if (other === 'on') return one
  const shared = one.flatMap((host) => other.flatMap((each) => meet(host, each) ?? []))
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

const covers = (wide: string, narrow: string): boolean =>
  wide === narrow || (wide.startsWith('*.') && narrow.endsWith(wide.slice(1)))
