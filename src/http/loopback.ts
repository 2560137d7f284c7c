/**
 * Both loopbacks at one port: a browser that is sent to `localhost` may take either, and a program that held the other one would get what
 * is meant for the host.
 */
import type { Hono } from 'hono'
import { type Listening, openListener } from './listener.ts'

/** Of a port that is free at 127.0.0.1, the other one is nearly always free, too. */
const MAX_TRIES = 20
/** This machine has no ::1, so no other program can have it either. */
const NO_IPV6: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])

/** Port 0: any that is free at both. The first one is at 127.0.0.1. */
export async function openLoopback(
  { app, port }: { readonly app: Hono; readonly port: number },
  tries = MAX_TRIES,
): Promise<readonly [Listening, ...Listening[]] | { readonly problem: string }> {
  const first = await openListener({ app, address: '127.0.0.1', port, tls: null })
  if ('problem' in first) return first
  const second = await openListener({ app, address: '::1', port: Number(new URL(first.url).port), tls: null })
  if (!('problem' in second)) return [first, second]
  if (NO_IPV6.has(second.code)) return [first]
  await first.close()
  return port === 0 && tries > 1 ? openLoopback({ app, port }, tries - 1) : second
}
