/**
 * From where else than this machine a host can be reached. Sessions and tokens go over that wire: so it is encrypted here, or somebody says
 * that a proxy in front does it.
 */
import { networkInterfaces } from 'node:os'

export interface WideReach {
  /** Null: a proxy on this machine is all. */
  readonly listen: WideListen | null
  readonly behindProxy: boolean
}

export interface WideListen {
  readonly address: string
  readonly port: number
  readonly tls: TlsFiles | null
}

/** Their content. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** What was asked for on the command line. */
export interface ReachWish {
  readonly listen: string | null
  readonly tls: TlsFiles | null
  readonly behindProxy: boolean
  /** From the config. */
  readonly publicUrl: string | null
}

const USUAL_PORT = 7443

/** Null: this machine only. */
export function reachFor(wish: ReachWish): WideReach | { readonly problem: string } | null {
  const { listen, tls, behindProxy, publicUrl } = wish
  if (behindProxy && publicUrl === null)
    return {
      problem:
        'With --behind-proxy your config must say under which address people come: `public_url: https://…`.',
    }
  if (listen === null) {
    if (tls !== null) return { problem: '--tls-cert and --tls-key are for --listen.' }
    return behindProxy ? { listen: null, behindProxy } : null
  }
  const place = placeOf(listen)
  if (place === null)
    return {
      problem: `--listen takes an address of this machine and a port, such as 192.168.1.5:${USUAL_PORT}, not "${listen}".`,
    }
  if (tls === null && !behindProxy && !isLoopback(place.address))
    return {
      problem: `Beyond this machine only with encryption: --listen ${listen} needs --tls-cert FILE and --tls-key FILE, or --behind-proxy if a proxy in front has them.`,
    }
  return { listen: { ...place, tls }, behindProxy }
}

function placeOf(text: string): { readonly address: string; readonly port: number } | null {
  const found = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text)
  if (found === null) return null
  const port = found[3] === undefined ? USUAL_PORT : Number(found[3])
  return port > 65_535 ? null : { address: found[1] ?? found[2] ?? '', port }
}

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)

/** By which names it may be called there. A page can make a name of its own lead here, and no address. */
export function reachedAs({ address }: WideListen, publicUrl: string | null): ReadonlySet<string> {
  const all = ['0.0.0.0', '::'].includes(address)
    ? Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map((one) => one.address))
    : [address]
  const named = publicUrl === null ? [] : [new URL(publicUrl).hostname]
  return new Set([...all.map((one) => (one.includes(':') ? `[${one}]` : one)), ...named])
}
