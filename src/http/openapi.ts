/** The OpenAPI 3.1 document, made from the table of routes. */
import { componentsOf, type JsonSchema, jsonSchemaOf } from '../model/api/json-schema.ts'
import { RejectionBody, type RejectionStatus } from '../model/api/rejection.ts'
import type { ApiRoute, Routes } from '../model/api/route.ts'

type Part = Readonly<Record<string, unknown>>

export function openApiOf(routes: Routes, version: string): Part {
  const paths: Record<string, Record<string, Part>> = {}
  for (const [address, route] of Object.entries(routes)) {
    const [method = '', path = ''] = address.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(path, route) }
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
      schemas: componentsOf([RejectionBody, ...Object.values(routes).map(({ reply }) => reply.schema)]),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'One of `signalbox people token NAME`. The owner needs none at the socket in the home.',
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

function operationOf(path: string, route: ApiRoute): Part {
  const { name, says, body, reply } = route
  const parameters = [...pathParameters(path), ...queryParameters(route)]
  return {
    operationId: name,
    summary: says,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: body.sent !== 'form',
            content: { [body.sent === 'form' ? FORM : JSON_TYPE]: { schema: jsonSchemaOf(body.schema) } },
          },
        }),
    responses: {
      [reply.status]: {
        description: reply.says,
        content: { [reply.type ?? JSON_TYPE]: { schema: jsonSchemaOf(reply.schema) } },
      },
      ...Object.fromEntries(refusalsOf(route).map((status) => [status, refusalOf(status, route)])),
    },
    security: securityOf(route),
  }
}

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const pathParameters = (path: string): Part[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const queryParameters = ({ query }: ApiRoute): Part[] =>
  Object.entries((jsonSchemaOf(query).properties ?? {}) as Readonly<Record<string, JsonSchema>>).map(
    ([name, { description, ...schema }]) => ({ name, in: 'query', description, schema }),
  )

function securityOf({ access }: ApiRoute): Part[] {
  switch (access) {
    case 'session':
      return [{ session: [] }]
    case 'link':
    case 'open':
      return []
    case 'owner':
      return []
    default:
      return [{ token: [] }]
  }
}

/** What each route says of itself, and what follows from who may call it and what it takes. */
function refusalsOf({ access, query, body, refuses }: ApiRoute): RejectionStatus[] {
  const statuses = new Set<RejectionStatus>(refuses)
  if (access !== 'open' && access !== 'link') statuses.add(401)
  if (access !== 'open' && access !== 'link' && access !== 'session') statuses.add(403)
  if (access !== 'open') statuses.add(503)
  if (body !== null) statuses.add(413)
  if (body !== null && body.sent !== 'text') statuses.add(400)
  if (jsonSchemaOf(query).additionalProperties === false) statuses.add(400)
  return [...statuses].toSorted((a, b) => a - b)
}

const REASONS: Readonly<Record<RejectionStatus, string>> = {
  400: 'The request is malformed.',
  401: 'The token is missing or not known.',
  403: 'Whoever holds this token may not do that; an agent’s never may.',
  404: 'There is none with that id.',
  405: 'The address takes another method.',
  409: 'It does not fit any more, or the id is not the beginning of only one.',
  413: 'The body is too large.',
  422: 'What was sent does not fit the contract; the message says what would.',
  500: 'Signalbox is at fault.',
  503: 'Nothing can be written at the moment, or the home was taken away; nothing was done.',
}

const refusalOf = (status: RejectionStatus, { access }: ApiRoute): Part => ({
  description: REASONS[status],
  content:
    access === 'link'
      ? { 'text/html': { schema: { type: 'string' } } }
      : { [JSON_TYPE]: { schema: jsonSchemaOf(RejectionBody) } },
})
