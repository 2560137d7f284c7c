/** Runs over HTTP. */
import type { RUN_ROUTES } from '../model/api/runs.ts'
import type { Handlers } from './handler.ts'

export const RUN_HANDLERS: Handlers<typeof RUN_ROUTES> = {
  'GET /api/v1/runs': ({ operations, query }) => operations.runs(query),
  'POST /api/v1/runs': async ({ operations, body }) => {
    const started = await operations.start(body)
    if ('run' in started) return started
    const { problems, code = 'not-started' } = started
    return { code, problem: problems.join('\n'), problems }
  },
  'GET /api/v1/find': ({ operations, query: { prefix } }) => operations.find(prefix),
  'GET /api/v1/runs/{run}': ({ operations, params: { run } }) => operations.show(run),
  'GET /api/v1/runs/{run}/patch': ({ operations, params, query }) =>
    operations.patch({ ...params, ...query }),
  'POST /api/v1/runs/{run}/actions': ({ operations, params: { run }, body }) => operations.act(run, body),
}
