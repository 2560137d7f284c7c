/**
 * Which hosts may be reached, by patterns, and at which kinds of address. The owner of a name points it at any address, so
 * a name that is allowed opens neither this machine nor, unless it is listed in full, a private network. `*` is every host,
 * private ones too, but this machine: it opens with its own address only.
 */
import { BlockList, isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

export interface HostAndPort {
  /** In lower case and ASCII, without brackets or a dot at the end. */
  readonly host: string
  readonly port: number
}

export interface RefusedConnection {
  readonly host: string
  /** Null: its name was asked for. */
  readonly port: number | null
  /** As a sentence. */
  readonly why: string
}

/** How far into what is not public an allowed target may lead. */
export type Reach = 'public' | 'private' | 'machine'
const REACHES: readonly Reach[] = ['machine', 'private', 'public']

interface Target {
  readonly host: string
  /** Null: whichever. */
  readonly port: number | null
}

/** The farthest that a list of patterns allows; null: it is on none. */
export function reachOf(target: Target, patterns: readonly string[]): Reach | null {
  const allowed = patterns.map((pattern) => reachBy(target, parsePattern(pattern)))
  return REACHES.find((reach) => allowed.includes(reach)) ?? null
}

function reachBy({ host, port }: Target, { name, ports }: Pattern): Reach | null {
  if (ports !== null && port !== null && ports !== port) return null
  if (name === host) return isIP(host) > 0 || host === 'localhost' ? 'machine' : 'private'
  if (name === '*') return 'private'
  return name.startsWith('*.') && host.endsWith(name.slice(1)) && isIP(host) === 0 ? 'public' : null
}

interface Pattern {
  readonly name: string
  readonly ports: number | null
}

function parsePattern(pattern: string): Pattern {
  const [, name = '', port] = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(pattern.trim()) ?? []
  return { name: hostName(name), ports: port === undefined ? null : Number(port) }
}

/** A host and port as a client wrote them; null where they are none. */
export function parseTarget(authority: string, defaultPort: number | null = null): HostAndPort | null {
  const [, name = '', digits] = /^(\[[\da-fA-F:.]+\]|[^\s:/?#@\\[\]]+)(?::(\d{1,5}))?$/.exec(authority) ?? []
  const port = digits === undefined ? defaultPort : Number(digits)
  const host = hostName(name)
  if (host === '' || port === null || port < 1 || port > 65_535) return null
  return { host, port }
}

/** As it would be resolved: `0x7f.1` is an address, too. */
function hostName(text: string): string {
  const bare = text
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
  if (isIPv6(bare)) return new URL(`http://[${bare}]`).hostname.slice(1, -1)
  if (bare.startsWith('*')) return bare
  return domainToASCII(bare)
}

export function mayLeadTo(address: string, reach: Reach, own: readonly string[]): boolean {
  const plain = plainAddress(address)
  if (isOf(MACHINE(), plain) || own.some((each) => plainAddress(each) === plain)) return reach === 'machine'
  return reach !== 'public' || !isOf(PRIVATE(), plain)
}

/** One spelling for each address, so that two can be compared: IPv4 in IPv6 (`::ffff:c000:202`) is IPv4. */
export function plainAddress(address: string): string {
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  return [high, low]
    .flatMap((word) => {
      const number = Number.parseInt(word, 16)
      return [number >> 8, number & 255]
    })
    .join('.')
}

/** This machine, its link, everybody on it, and where clouds tell their secrets. */
const MACHINE = listOf([
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '168.63.129.16/32', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/127', 'fe80::/10', 'ff00::/8', 'fd00:ec2::/32', '100.100.100.200/32', '192.0.0.192/32'],
  // What carries another address inside.
  ...['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
])

const PRIVATE = listOf([
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '192.0.0.0/24', '198.18.0.0/15'],
  ...['fc00::/7', 'fec0::/10'],
])

/** Made when an address is first asked about: every host loads this page, and most are asked about none. */
function listOf(ranges: readonly string[]): () => BlockList {
  let list: BlockList | null = null
  return () => {
    list ??= filledWith(ranges)
    return list
  }
}

function filledWith(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

const isOf = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
