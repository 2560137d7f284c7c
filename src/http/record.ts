/** The record over HTTP. */
import type { RECORD_ROUTES } from '../model/api/record.ts'
import type { Handlers } from './handler.ts'

export const RECORD_HANDLERS: Handlers<typeof RECORD_ROUTES> = {
  'GET /api/v1/record/heads': ({ operations }) => operations.heads(),
}
