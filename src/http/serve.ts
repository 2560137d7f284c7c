/** The way of a request through its route: who calls, what it says, what is done, how that is told. */
import type { Context } from 'hono'
import { parseBody, queryParser } from '../model/api/parse.ts'
import type { ApiRoute, Body } from '../model/api/route.ts'
import { type Api, ROUTES } from '../model/api/routes.ts'
import { EXCESS_TEXT, readJson } from '../model/json-text.ts'
import { isRejection } from '../model/refusal.ts'
import { admit } from './admission.ts'
import type { HttpDoor } from './handler.ts'
import { HANDLERS } from './handlers.ts'
import { badRequest, refuse } from './refuse.ts'

export interface Served {
  readonly method: string
  /** The way OpenAPI writes it. */
  readonly path: string
  readonly route: ApiRoute
  readonly serve: (c: Context, door: HttpDoor) => Promise<Response>
}

export const SERVED: readonly Served[] = (Object.keys(ROUTES) as (keyof Api)[]).map(served)

function served<A extends keyof Api>(address: A): Served {
  const route: ApiRoute = ROUTES[address]
  // What a handler is given is put together by the very schemas that its type comes from.
  const handle = HANDLERS[address] as (asked: object) => unknown
  const parseQuery = queryParser(route.query)
  const [method = '', path = ''] = address.split(' ')
  const serve = async (c: Context, door: HttpDoor): Promise<Response> => {
    const caller = admit(c, route.access, door)
    if (isRejection(caller)) return refuse(c, caller)
    const query = parseQuery(new URL(c.req.url).searchParams)
    if ('problem' in query) return refuse(c, badRequest(query.problem))
    const body = await readBody(c, route.body)
    if ('problem' in body) return refuse(c, badRequest(body.problem))
    const params = c.req.param() as Readonly<Record<string, string>>
    const answer = await handle({ ...caller, c, door, params, query: query.value, body: body.value })
    return told(c, answer, route)
  }
  return { method, path, route, serve }
}

function told(c: Context, answer: unknown, { reply: { status } }: ApiRoute): Response {
  if (answer instanceof Response) return answer
  return isRejection(answer) ? refuse(c, answer) : c.json(answer, status)
}

async function readBody(
  c: Context,
  body: Body | null,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  switch (body?.sent) {
    case 'json': {
      const read = readJson(await c.req.raw.text().catch(() => ''))
      if (read.kind === 'excess') return { problem: `The body is ${EXCESS_TEXT[read.excess]}.` }
      // What is no JSON is no object either.
      return parseBody(body.schema, read.kind === 'value' ? read.value : undefined)
    }
    case 'text':
      return { value: await c.req.raw.text() }
    case 'form':
    case undefined:
      return { value: null }
  }
}
