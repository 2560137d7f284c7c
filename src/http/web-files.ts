/**
 * The web application: files that were built with this version, the same for everybody. Nothing in them tells of any run; whatever they show they
 * ask for, as whoever is let in. Every address that is not another's is the application's own.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Context } from 'hono'

export interface WebFiles {
  /** Null: it is not for the application. */
  respond(c: Context): Response | null
}

/** Empty where it was not built. */
export function openWebFiles(dir: string): WebFiles {
  const names = namesIn(dir)
  const cache = new Map<string, WebFile>()
  const fileAt = (name: string): WebFile => {
    const found = cache.get(name) ?? readFile(dir, name)
    cache.set(name, found)
    return found
  }
  return {
    respond: (c) => {
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return null
      const asked = c.req.path.slice(1)
      if (asked.startsWith('api/') || asked === 'mcp') return null
      if (names.has(asked)) return send(c, fileAt(asked))
      if (asked.includes('.')) return null
      return names.has(PAGE) ? send(c, fileAt(PAGE)) : c.html(NOT_BUILT, 200, PAGE_HEADERS)
    },
  }
}

const PAGE = 'index.html'

interface WebFile {
  readonly plain: Uint8Array<ArrayBuffer>
  readonly packed: Uint8Array<ArrayBuffer> | null
  readonly headers: Readonly<Record<string, string>>
  readonly tag: string
}

function namesIn(dir: string): ReadonlySet<string> {
  try {
    return new Set(
      readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1)),
    )
  } catch {
    return new Set()
  }
}

function readFile(dir: string, name: string): WebFile {
  const plain = new Uint8Array(readFileSync(join(dir, name)))
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  const lasts = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  return {
    plain,
    packed: /^(text|application\/json|image\/svg)/.test(type) ? new Uint8Array(gzipSync(plain)) : null,
    headers: {
      ...(name === PAGE ? PAGE_HEADERS : FILE_HEADERS),
      'content-type': type,
      'cache-control': lasts,
    },
    tag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  }
}

function send(c: Context, { plain, packed, headers, tag }: WebFile): Response {
  if (c.req.header('if-none-match') === tag) return c.body(null, 304, { ...headers, etag: tag })
  const takesPacked = packed !== null && /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  return c.body(takesPacked ? packed : plain, 200, {
    ...headers,
    etag: tag,
    ...(packed === null ? {} : { vary: 'accept-encoding' }),
    ...(takesPacked ? { 'content-encoding': 'gzip' } : {}),
  })
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** Nothing from elsewhere, nothing inline, no frame around it, and no word to others where one came from. */
const PAGE_HEADERS = {
  ...FILE_HEADERS,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Signalbox</title>
<h1>Signalbox is up</h1>
<p>Its web application was not built: <code>npm run build</code>.</p>
</html>
`
