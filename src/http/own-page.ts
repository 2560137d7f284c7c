/**
 * What a page of another origin in somebody's browser cannot do here: call by a name that is not ours, come with an origin that is not
 * ours, or change anything with a session that is not its own.
 */
import type { Context, Next } from 'hono'
import { PROOF_HEADER } from '../model/api/session-proof.ts'
import type { Rejection } from '../model/refusal.ts'
import { refuse } from './refuse.ts'

export interface OwnNames {
  /** By which this host may be called: without a port, IPv6 in brackets. */
  readonly names: ReadonlySet<string>
  /** Under which only signed links are let in; null for none. */
  readonly linksOnly: string | null
}

export const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

export function onlyOwnPages({
  names,
  linksOnly,
}: OwnNames): (c: Context, next: Next) => Promise<Response | undefined> {
  return async (c, next) => {
    const host = c.req.header('host') ?? ''
    const name = host.replace(/:\d+$/, '')
    // A link is signed, and pressed wherever a notice was read.
    const isLink = c.req.path.startsWith('/d/')
    if (!names.has(name) && !(isLink && name === linksOnly))
      return refuse(c, { code: 'wrong-host', problem: `This is not ${name}.` })
    const problem = isLink ? null : foreignPage(c, host)
    if (problem !== null) return refuse(c, { code: 'wrong-origin', problem })
    await next()
    return undefined
  }
}

/** What a browser says of the page that asks; programs say nothing. */
function foreignPage(c: Context, host: string): string | null {
  const origin = c.req.header('origin')
  if (origin !== undefined && hostIn(origin) !== host) return `A page of ${origin} may ask nothing here.`
  const site = c.req.header('sec-fetch-site') ?? 'none'
  // A link to here in another page leads here, as a person who follows it means to.
  const isVisit = c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate'
  return site === 'same-origin' || site === 'none' || isVisit
    ? null
    : 'A page of another origin may ask nothing here.'
}

function hostIn(origin: string): string | null {
  try {
    return new URL(origin).host
  } catch {
    return null
  }
}

/** For signing in and out, which no session is needed for: a form of another page cannot send a header. */
export const withoutOwnHeader = (c: Context): Rejection | null =>
  (c.req.header(PROOF_HEADER) ?? '') === ''
    ? { code: 'wrong-header', problem: `A browser signs in and out with the header ${PROOF_HEADER}: 1.` }
    : null
