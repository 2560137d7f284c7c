/** Decisions over HTTP. An id may be given by its beginning wherever one is taken. */
import type { Decisions } from '../host/inbox/decisions.ts'
import type { DECISION_ROUTES } from '../model/api/decisions.ts'
import type { Rejection } from '../model/refusal.ts'
import { exportDecisions } from './export.ts'
import type { ByPerson, Handlers, JudgedCall } from './handler.ts'

type Api = typeof DECISION_ROUTES

export const DECISION_HANDLERS: Handlers<Api> = {
  'GET /api/v1/decisions': ({ operations: { decisions }, query }) =>
    decisions.list({ ...query, cursor: query.cursor ?? null }),
  'GET /api/v1/decisions/find': ({ operations: { decisions }, query: { prefix } }) => decisions.find(prefix),
  'GET /api/v1/decisions/export': ({ c, operations: { decisions }, query }) =>
    exportDecisions(c, decisions, query),
  'GET /api/v1/decisions/{id}': (asked) => onOne(asked, (decisions, id) => decisions.show(id)),
  'GET /api/v1/decisions/{id}/wait': (asked) =>
    onOne(asked, async (decisions, id) => {
      const { c, query } = asked
      const heard = await decisions.wait(id, Math.round(query.seconds * 1000), c.req.raw.signal)
      return heard ?? { answered: null }
    }),
  'POST /api/v1/decisions': create,
  'POST /api/v1/decisions/{id}/answer': (asked) =>
    onOne(asked, (decisions, id) => decisions.answer(id, asked.body)),
  'POST /api/v1/decisions/{id}/undo': (asked) => onOne(asked, (decisions, id) => decisions.undo(id)),
  'POST /api/v1/decisions/{id}/snooze': (asked) =>
    onOne(asked, (decisions, id) => decisions.snooze(id, asked.body.until)),
  'POST /api/v1/decisions/{id}/assign': (asked) =>
    onOne(asked, (decisions, id) => decisions.assign(id, asked.body.to)),
  'POST /api/v1/decisions/{id}/withdraw': (asked) =>
    onOne(asked, (decisions, id) => decisions.withdraw(id, asked.body.reason)),
  'POST /api/v1/decisions/{id}/retry': (asked) => onOne(asked, (decisions, id) => decisions.retry(id)),
  'POST /api/v1/decisions/{id}/acted': (asked) =>
    onOne(asked, (decisions, id) => decisions.acted(id, asked.body.did)),
}

async function onOne<T>(
  {
    operations: { decisions },
    params,
  }: Pick<ByPerson, 'operations'> & { readonly params: { readonly id: string } },
  act: (decisions: Decisions, id: string) => Promise<T | Rejection>,
): Promise<T | Rejection> {
  const found = await decisions.find(params.id)
  return 'problem' in found ? found : act(decisions, found.id)
}

const PATH = 'POST /api/v1/decisions'

async function create({
  c,
  operations,
  person,
  isOwner,
  body,
}: JudgedCall<typeof PATH, Api[typeof PATH]>): Promise<{ readonly id: string } | Rejection> {
  const { decision, asker, ...order } = body
  // It would run on the host's machine, as the user who hosts.
  if (order.resume !== null && !isOwner)
    return {
      code: 'owner-only',
      problem:
        '`resume` names a command for the host to run: only the owner can give one. Leave it out and wait.',
    }
  const created = await operations.decisions.create({
    ...order,
    payload: decision,
    asker: { agent: person, ...asker },
  })
  if ('id' in created) c.header('location', `${c.req.path}/${encodeURIComponent(created.id)}`)
  return created
}
