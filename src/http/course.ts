/** What people do with a run's work, over HTTP. */
import type { COURSE_ROUTES } from '../model/api/course.ts'
import type { Handlers } from './handler.ts'

export const COURSE_HANDLERS: Handlers<typeof COURSE_ROUTES> = {
  'GET /api/v1/runs/{run}/diff': ({ operations, params: { run }, query: { step = null, ...query } }) =>
    operations.course.diff(run, { step, ...query }),
  'POST /api/v1/runs/{run}/land': ({ operations, params: { run }, body }) =>
    operations.course.land(run, body),
  'POST /api/v1/runs/{run}/words': ({ operations, params: { run }, body: { text } }) =>
    operations.course.say(run, text),
  'POST /api/v1/runs/{run}/update': ({ operations, params: { run } }) => operations.course.update(run),
  'POST /api/v1/runs/{run}/take': ({ operations, params: { run }, body: { reason } }) =>
    operations.course.take(run, reason),
  'POST /api/v1/runs/{run}/resume': ({ operations, params: { run }, body }) =>
    operations.course.resume(run, body),
}
