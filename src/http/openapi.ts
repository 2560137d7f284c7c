/** The OpenAPI 3.1 document, made from the table of routes. */
import { parameterSchema } from './queries.ts'
import type { Route, Schema } from './route.ts'
import { REF, SCHEMAS } from './schemas.ts'
import type { RefusalStatus } from './status.ts'

export function openApiOf(routes: readonly Route[], version: string): Schema {
  const paths: Record<string, Record<string, Schema>> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method] = operationOf(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signalbox',
      version,
      description: 'Runs, decisions and one live stream. Every refusal has a status, a code and a sentence.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The host’s own token from its host.json, or one of `signalbox people token NAME`.',
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of an agent’s session: SIGNALBOX_SESSION_TOKEN in its environment.',
        },
      },
    },
  }
}

function operationOf(route: Route): Schema {
  const { name, says, access, body, reply } = route
  const parameters = [...pathParameters(route), ...queryParameters(route)]
  const refusals = access === 'token' ? ([401, 403, ...route.refuses] as const) : route.refuses
  return {
    operationId: name,
    summary: says,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: { [body.type ?? 'application/json']: { schema: body.schema } },
          },
        }),
    responses: {
      [reply.status]: {
        description: reply.says,
        content: { [reply.type ?? 'application/json']: { schema: reply.schema } },
      },
      ...Object.fromEntries(refusals.map((status) => [status, refusalOf(status, route)])),
    },
    security: access === 'token' || access === 'session' ? [{ [access]: [] }] : [],
  }
}

const pathParameters = ({ path }: Route): Schema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const queryParameters = ({ query }: Route): Schema[] =>
  Object.entries(query).map(([name, parameter]) => ({
    name,
    in: 'query',
    description: parameter.says,
    schema: parameterSchema(parameter),
  }))

const REASONS: Readonly<Record<RefusalStatus, string>> = {
  400: 'The request is malformed.',
  401: 'The token is missing or not known.',
  403: 'Whoever holds this token may not do that; an agent’s never may.',
  404: 'There is none with that id.',
  405: 'The address takes another method.',
  409: 'It does not fit any more, or the id is not the beginning of only one.',
  413: 'The body is too large.',
  422: 'What was sent does not fit the contract; the message says what would.',
}

const refusalOf = (status: RefusalStatus, { access }: Route): Schema => ({
  description: REASONS[status],
  content:
    access === 'link'
      ? { 'text/html': { schema: { type: 'string' } } }
      : { 'application/json': { schema: REF.Trouble } },
})
