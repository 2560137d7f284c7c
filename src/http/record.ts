/** The record over HTTP. */
import type { RECORD_ROUTES } from '../model/api/record.ts'
import type { Handlers } from './handler.ts'

export const RECORD_HANDLERS: Handlers<typeof RECORD_ROUTES> = {
  'GET /api/v1/record/heads': ({ operations }) => operations.heads(),
  'GET /api/v1/record/tombstones': ({ operations }) => operations.tombstones(),
  'POST /api/v1/record/prune': ({ operations, body }) => operations.prune(body),
  'POST /api/v1/record/erase': ({ operations, body }) => operations.erase(body),
}
