/** Every handler there is: a route without one does not compile, and neither does one without a route. */
import type { ABOUT_ROUTES } from '../model/api/about.ts'
import type { HISTORY_ROUTES } from '../model/api/history.ts'
import { type Api, ROUTES } from '../model/api/routes.ts'
import { ANSWER_LINK_HANDLERS } from './answer-link.ts'
import { COURSE_HANDLERS } from './course.ts'
import { DECISION_HANDLERS } from './decisions.ts'
import { ENTRANCE_HANDLERS } from './entrance.ts'
import { EVENT_HANDLERS } from './events.ts'
import type { Handlers } from './handler.ts'
import { openApiOf } from './openapi.ts'
import { RECORD_HANDLERS } from './record.ts'
import { REPOSITORY_HANDLERS } from './repositories.ts'
import { RUN_HANDLERS } from './runs.ts'
import { SESSION_HANDLERS } from './session.ts'
import { SETTINGS_HANDLERS } from './settings.ts'

const ABOUT_HANDLERS: Handlers<typeof ABOUT_ROUTES & typeof HISTORY_ROUTES> = {
  'GET /api/v1/health': ({ door: { version } }) => ({ version }),
  'GET /api/v1/spending': ({ operations }) => operations.spending(),
  'GET /api/v1/history': ({ operations, query }) => operations.history(query),
  'GET /api/v1/openapi.json': ({ door: { version } }) => openApiOf(ROUTES, version),
}

export const HANDLERS: Handlers<Api> = {
  ...ABOUT_HANDLERS,
  ...ENTRANCE_HANDLERS,
  ...RUN_HANDLERS,
  ...REPOSITORY_HANDLERS,
  ...COURSE_HANDLERS,
  ...DECISION_HANDLERS,
  ...EVENT_HANDLERS,
  ...RECORD_HANDLERS,
  ...ANSWER_LINK_HANDLERS,
  ...SESSION_HANDLERS,
  ...SETTINGS_HANDLERS,
}
