/**
 * The user's own proxy, where the world is reached through one. It is used by us alone: its address and password are never
 * shown in a sandbox.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import type { HostAndPort } from './hosts.ts'

export interface Upstream {
  /** With name and password, if it has any. */
  readonly url: URL
  /** As in NO_PROXY: names, `.ends`, `*`, with or without a port. */
  readonly except: readonly string[]
}

const CONNECT_MS = 30_000

/** From the usual variables. */
export function upstreamIn(variables: Readonly<Record<string, string>>): Upstream | null {
  const said = (name: string) => variables[name.toLowerCase()] || variables[name] || null
  const text = said('HTTPS_PROXY') ?? said('ALL_PROXY') ?? said('HTTP_PROXY')
  if (text === null) return null
  const full = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(full) ? new URL(full) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  const except = (said('NO_PROXY') ?? '').split(/[\s,]+/).filter((each) => each !== '')
  return { url, except: except.map((each) => each.toLowerCase()) }
}

export function goesThrough({ except }: Upstream, { host, port }: HostAndPort): boolean {
  return !except.some((each) => {
    const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(each) ?? []
    if (only !== undefined && Number(only) !== port) return false
    const end = name.replace(/^\*?\.?/, '')
    return name === '*' || host === end || host.endsWith(`.${end}`)
  })
}

/** By its name: many such proxies allow names only, and know more of them than this machine does. */
export function connectThrough({ url }: Upstream, { host, port }: HostAndPort): Promise<Duplex | null> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const credentials = [url.username, url.password].map(decoded).join(':')
  const login = Buffer.from(credentials, 'latin1').toString('base64')
  // A name is a program's to choose, and nothing but a name goes into the head of a request.
  if (!/^[\w.:[\]-]+$/.test(authority)) return Promise.resolve(null)
  return new Promise((resolve) => {
    const asking = (url.protocol === 'https:' ? requestHttps : requestHttp)({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
      method: 'CONNECT',
      path: authority,
      headers: {
        host: authority,
        ...(credentials === ':' ? {} : { 'proxy-authorization': `Basic ${login}` }),
      },
      timeout: CONNECT_MS,
      agent: false,
    })
    const fail = () => {
      asking.destroy()
      resolve(null)
    }
    asking.once('error', fail).once('timeout', fail).once('response', fail)
    asking.once('connect', ({ statusCode }, socket, head) => {
      if (statusCode !== 200) {
        socket.destroy()
        return resolve(null)
      }
      socket.setTimeout(0)
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asking.end()
  })
}

/** As bytes; what is badly written stays as it is. */
const decoded = (text: string): string =>
  text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
