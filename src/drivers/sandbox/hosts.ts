/**
 * Which hosts may be reached, by patterns, and at which kinds of address. A name is somebody's to point wherever they
 * like, so that it was allowed says nothing of this machine or the network around it: those must be listed themselves.
 */
import { BlockList, isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

export interface HostAndPort {
  /** In lower case and ASCII, without brackets or a dot at the end. */
  readonly host: string
  readonly port: number
}

export interface RefusedConnection extends HostAndPort {
  /** As a sentence. */
  readonly why: string
}

/** How far into what is not public an allowed target may lead. */
export type Reach = 'public' | 'private' | 'machine'

/** Null: it is on no list. */
export function reachOf({ host, port }: HostAndPort, patterns: readonly string[]): Reach | null {
  let reach: Reach | null = null
  for (const pattern of patterns) {
    const { name, ports } = parsePattern(pattern)
    if (ports !== null && ports !== port) continue
    if (name === host) return isIP(host) > 0 || host === 'localhost' ? 'machine' : 'private'
    if (name === '*' || (name.startsWith('*.') && host.endsWith(name.slice(1)) && isIP(host) === 0))
      reach = 'public'
  }
  return reach
}

function parsePattern(pattern: string): { readonly name: string; readonly ports: number | null } {
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
  if (isOf(MACHINE(), address) || own.includes(address)) return reach === 'machine'
  return reach !== 'public' || !isOf(PRIVATE(), address)
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

function isOf(list: BlockList, address: string): boolean {
  const [, inner] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (inner !== undefined) return list.check(inner, 'ipv4')
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
