/** Where a client that comes back goes on: it sends the address it began with, and in a header what it saw last. */
import type { Context } from 'hono'
import type { Rejection } from '../model/refusal.ts'
import { badRequest } from './refuse.ts'

/** Null for one that comes for the first time. */
export function cursorOf(c: Context): number | null | Rejection {
  const last = c.req.header('last-event-id') ?? ''
  if (last === '') return null
  if (/^\d{1,15}$/.test(last)) return Number(last)
  return badRequest('`Last-Event-ID` must be the `id` of an event from this stream.')
}
