/** `fetch` over a Unix socket, which Node's own cannot do. */
import { request } from 'node:http'
import { Readable } from 'node:stream'

export const fetchOver =
  (socketPath: string) =>
  (path: string, { method = 'GET', headers, body, signal }: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const said = Object.fromEntries(new Headers(headers))
      const sent = request(
        { socketPath, path, method, headers: said, agent: false, ...(signal ? { signal } : {}) },
        (reply) => {
          const { statusCode = 0 } = reply
          const isEmpty = statusCode === 204 || statusCode === 304
          // Who breaks off hears of it by the end of the body.
          reply.on('error', () => {})
          const stream = isEmpty ? null : (Readable.toWeb(reply) as ReadableStream<Uint8Array>)
          const replied = Object.entries(reply.headers).map(
            ([name, value]) =>
              [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as [string, string],
          )
          resolve(new Response(stream, { status: statusCode, headers: replied }))
        },
      )
      sent.on('error', reject)
      sent.end(typeof body === 'string' ? body : undefined)
    })
