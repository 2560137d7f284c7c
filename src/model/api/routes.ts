/** Every route there is. Whoever registers handlers and whoever describes or calls them reads this. */
import { ABOUT_ROUTES } from './about.ts'
import { ANSWER_LINK_ROUTES } from './answer-link.ts'
import { COURSE_ROUTES } from './course.ts'
import { DECISION_ROUTES } from './decisions.ts'
import { ENTRANCE_ROUTES } from './entrance.ts'
import { EVENT_ROUTES } from './events.ts'
import { HISTORY_ROUTES } from './history.ts'
import { RECORD_ROUTES } from './record.ts'
import { REPOSITORY_ROUTES } from './repositories.ts'
import { RUN_ROUTES } from './runs.ts'
import { SESSION_ROUTES } from './session.ts'
import { SETTINGS_ROUTES } from './settings.ts'

export const ROUTES = {
  ...ABOUT_ROUTES,
  ...ENTRANCE_ROUTES,
  ...RUN_ROUTES,
  ...REPOSITORY_ROUTES,
  ...COURSE_ROUTES,
  ...HISTORY_ROUTES,
  ...DECISION_ROUTES,
  ...EVENT_ROUTES,
  ...RECORD_ROUTES,
  ...ANSWER_LINK_ROUTES,
  ...SESSION_ROUTES,
  ...SETTINGS_ROUTES,
} as const

export type Api = typeof ROUTES
