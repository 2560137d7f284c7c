/** Repositories over HTTP, and what a start in one would come to. */
import type { REPOSITORY_ROUTES } from '../model/api/repositories.ts'
import type { Handlers } from './handler.ts'

export const REPOSITORY_HANDLERS: Handlers<typeof REPOSITORY_ROUTES> = {
  'GET /api/v1/repositories': ({ operations }) => operations.repositories.list(),
  'GET /api/v1/repositories/look': ({ operations, query: { dir } }) => operations.repositories.look(dir),
  'POST /api/v1/repositories/issues': ({ operations, body }) => operations.repositories.createIssue(body),
  'POST /api/v1/preflight': ({ operations, body }) => operations.preflight(body),
  'GET /api/v1/runs/{run}/runbook': ({ operations, params: { run } }) => operations.runbook(run),
}
