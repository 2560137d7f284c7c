/** Runs over HTTP. */
import type { Operations } from '../host/operations.ts'
import type { RUN_ROUTES } from '../model/api/runs.ts'
import { isRejection, type Rejection } from '../model/refusal.ts'
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
  'GET /api/v1/runs/{run}': ({ operations, params: { run } }) =>
    byPrefix(operations, run, (id) => operations.show(id)),
  'POST /api/v1/runs/{run}/actions': ({ operations, params: { run }, body }) =>
    byPrefix(operations, run, (id) => operations.act(id, body)),
}

/** Mostly an id is whole, and nothing is looked for. */
async function byPrefix<T>(
  operations: Pick<Operations, 'find'>,
  prefix: string,
  act: (run: string) => Promise<T | Rejection>,
): Promise<T | Rejection> {
  const done = await act(prefix)
  if (!isRejection(done) || done.code !== 'unknown-run') return done
  const found = await operations.find(prefix)
  if ('run' in found) return act(found.run)
  return found.code === 'ambiguous' ? found : done
}
